/** Delays a store as a network does: by a turn of the event loop before and after each method. */
import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../src/plugins/collection/collection.ts';

/** Returns a delayed store. Its calls overlap, and a result can be outdated when it arrives. */
export function lateStore<Value>(store: Store<Value>): Store<Value> {
  const late = async <Result>(call: () => Result): Promise<Awaited<Result>> => {
    await setImmediate();
    const result = await call();
    await setImmediate();
    return result;
  };
  return {
    list: () => late(() => store.list()),
    get: (key) => late(() => store.get(key)),
    add: (key, value) => late(() => store.add(key, value)),
    replace: (key, value, version) => late(() => store.replace(key, value, version)),
    remove: (key, version) => late(() => store.remove(key, version)),
  };
}
