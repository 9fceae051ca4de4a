/**
 * Copies all items of one store to another that has none, for `--copy-store FROM TO` (D86): as they are stored,
 * whatever the model of the service, and all of them or none.
 */

/** An item as it is stored. */
export interface CopiedItem {
  readonly key: string;
  readonly value: string;
}

/**
 * Fills a store and returns the number of items. Rejects with a `StoreError` for a store that cannot be opened, one
 * that has items already, and a copy that fails on its way. The first is found before the second is made.
 */
export async function copyItems(
  items: AsyncGenerator<CopiedItem, void>,
  fill: (items: AsyncIterable<CopiedItem>) => Promise<number>,
): Promise<number> {
  const first = await items.next();
  try {
    return await fill(from(first, items));
  } finally {
    // Closes the store.
    await items.return();
  }
}

async function* from(
  first: IteratorResult<CopiedItem, void>,
  rest: AsyncGenerator<CopiedItem, void>,
): AsyncGenerator<CopiedItem> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
