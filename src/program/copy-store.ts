/** Copies the items of one place to another, for `--copy-store`. */
import { copyItems } from '../extensions/collection/lasting-store.ts';
import { fillList, itemsOfList } from '../extensions/redis/redis-list.ts';
import { fillFile, itemsOfFile } from '../extensions/sqlite/store-file.ts';
import type { Settings } from './settings/settings.ts';
import { isInRedis } from './store-place.ts';

/** Returns the number of the items. Rejects with a `StoreError`. */
export function copyStore(from: string, to: string, settings: Settings): Promise<number> {
  const { maxItems, maxStoreBytes: maxBytes, storeTimeout: timeout, storeWait: wait } = settings;
  const times = { timeout, wait };
  return copyItems(isInRedis(from) ? itemsOfList(from, times) : itemsOfFile(from), (items) =>
    isInRedis(to) ? fillList(to, times, maxItems, items) : fillFile(to, { maxItems, maxBytes }, items),
  );
}
