/** Copies the items of one store to another store, for `--copy-store`. */
import { attempt } from '../core/log/thrown-value.ts';
import type { CopiedItem } from '../plugins/collection/lasting-store.ts';
import { fillList, itemsOfList } from '../shelf/redis/redis-list.ts';
import { fillFile, itemsOfFile } from '../shelf/sqlite/copy-file.ts';
import { fileError, realPath } from '../shelf/sqlite/database-file.ts';
import type { Settings } from './settings/settings.ts';
import { isInRedis } from './store-place.ts';

/** Copies all items and resolves to their number. Copies no item and rejects if an error occurs. */
export async function copyStore(from: string, to: string, settings: Settings): Promise<number> {
  const { maxItems = Infinity, maxStoreBytes: maxBytes, storeTimeout: timeout, storeWait: wait } = settings;
  const times = { timeout, wait };
  if (!isInRedis(from) && !isInRedis(to)) assertOtherFile(from, to);
  return copyItems(isInRedis(from) ? itemsOfList(from, times) : itemsOfFile(from), (items) =>
    isInRedis(to) ? fillList(to, times, maxItems, items) : fillFile(to, { maxItems, maxBytes }, items),
  );
}

/** Throws a `StoreError` if the file has a name such as `TO-wal`, because the copy replaces the files with such names. */
function assertOtherFile(from: string, to: string): void {
  const [source, target] = [from, to].map((place) => attempt(() => realPath(place), place)) as [string, string];
  if (source === target || source.startsWith(`${target}-`))
    throw fileError(to, `"${from}" is one of its files, or may be one; name another file`);
}

/**
 * Copies all items to an empty store, or no item if an error occurs. Copies the stored texts without validation, so the
 * model of the service does not matter (D86). Reads the first item before `fill` creates the second store: an unreadable
 * first store then does not create it, and the superuser opens the first store before `fillFile` takes the rights of
 * another user.
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
    // Closes the store from which the items are read.
    await items.return();
  }
}
