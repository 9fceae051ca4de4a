/** Copies the items of one place to another, for `--copy-store`. */
import type { CopiedItem } from '../extensions/collection/lasting-store.ts';
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

/**
 * Copies all items of one store to another that has none (D86): as they are stored, whatever the model of the service,
 * and all of them or none. The first store is found before the second is made.
 */
export async function copyItems(
  items: AsyncGenerator<CopiedItem, void>,
  fill: (items: AsyncIterable<CopiedItem>) => Promise<number>,
): Promise<number> {
  const first = await items.next();
  async function* all(): AsyncGenerator<CopiedItem> {
    if (first.done) return;
    yield first.value;
    yield* items;
  }
  try {
    return await fill(all());
  } finally {
    // Closes the store.
    await items.return();
  }
}
