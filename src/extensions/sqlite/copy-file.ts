/** Reads the items of a file, and fills a file with items, for `--copy-store` (D86). */
import { type CopiedItem, itemsOf, StoreError, versionMaker } from '../collection/collection.ts';
import { openingFault, openStoreFile, pageOf, type Synchronous } from './store-file.ts';

/** The items of a file as they are stored. Throws a `StoreError` for one that has no list. */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  const file = openStoreFile(path, 'full', undefined, true);
  try {
    yield* itemsOf({ page: (size, after) => pageOf(file.statements, size, after) });
  } catch (error) {
    throw openingFault(error, `"${path}"`);
  } finally {
    file.close();
  }
}

/**
 * Fills a file with items in one transaction. Rejects with a `StoreError` for a file that has items, and for one that
 * gets full; then nothing has changed.
 */
export async function fillFile(
  path: string,
  synchronous: Synchronous,
  { maxItems, maxBytes }: { readonly maxItems: number; readonly maxBytes: number | undefined },
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  const what = `"${path}"`;
  const file = openStoreFile(path, synchronous, maxBytes);
  const newVersion = versionMaker();
  let count = 0;
  try {
    const { state, add } = file.statements;
    file.database.exec('BEGIN IMMEDIATE');
    if (Number(state.get()!['items']) > 0)
      throw new StoreError(what, 'it has items already; name a store that has none', 2);
    const most = Math.min(maxItems, Number.MAX_SAFE_INTEGER);
    for await (const { key, value } of items) {
      if (Number(add.run(key, value, newVersion(), most).changes) === 0)
        throw new StoreError(what, `it may have no more than ${maxItems} items; raise --max-items`, 2);
      count++;
    }
    // What was emptied gets no first item again.
    file.database.exec('UPDATE list SET seeded = 1; COMMIT');
    return count;
  } catch (error) {
    throw openingFault(error, what);
  } finally {
    // A transaction that is open ends as if it had never begun.
    file.close();
  }
}
