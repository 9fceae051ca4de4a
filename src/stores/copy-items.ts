/** Copies all items of one store to another that has none, for `--copy-store FROM TO` (D86). */
import type { Store } from '../api/collection/store.ts';
import { StoreError } from './store-error.ts';

/** A store whose values can be read one after the other. */
interface CopyableStore<Value> extends Store<Value> {
  values(): AsyncIterable<Value>;
}

/** A store and how messages name it. */
export interface Place<Value> {
  readonly what: string;
  readonly store: CopyableStore<Value>;
}

/** Items that are on their way: a server answers them in the order in which they were sent. */
const BATCH = 200;

/**
 * Copies the items in their order and returns their number. They get new versions. Rejects with a `StoreError` for a
 * store that cannot be opened, one that has items already, and a copy that fails on its way.
 */
export async function copyItems<Value extends { readonly key?: string }>(
  from: Place<Value>,
  to: Place<Value>,
): Promise<number> {
  await from.store.open?.();
  try {
    await to.store.open?.();
    for await (const _ of to.store.values())
      throw new StoreError(to.what, 'it has items already; name a store that has none', 2);
    return await copy(from.store, to);
  } finally {
    await from.store.close?.();
    await to.store.close?.();
  }
}

async function copy<Value extends { readonly key?: string }>(
  from: CopyableStore<Value>,
  to: Place<Value>,
): Promise<number> {
  let count = 0;
  let batch: Promise<unknown>[] = [];
  try {
    for await (const value of from.values()) {
      const added = Promise.resolve(to.store.add(value.key!, value));
      // One that fails while the next page is read is waited for below.
      added.catch(() => {});
      batch.push(added);
      if (batch.length < BATCH) continue;
      count += (await Promise.all(batch)).length;
      batch = [];
    }
    return count + (await Promise.all(batch)).length;
  } catch (error) {
    await Promise.allSettled(batch);
    const cause = error instanceof Error ? error.message : String(error);
    throw new StoreError(to.what, `the copy ended after ${count} items (${cause}); remove it and copy again`, 1, error);
  }
}
