/**
 * Reads a list page by page, so that one of any size is sent with the memory of a page.
 *
 * A list that fits the first page is one text with a version. A longer one is streamed while items come and go: each
 * that is there all the time is sent once, in the order of creation, and no version names the whole.
 */
import { Readable } from 'node:stream';

/** How much is read in one step. */
export interface PageSize {
  readonly items: number;
  /** Of the values, in characters: the item that reaches it is the last one of the page. */
  readonly characters: number;
}

/** The first page: a list that fits has an ETag. */
export const FIRST_PAGE: PageSize = { items: 2000, characters: 1024 * 1024 };
/** Later pages. They are read while other requests wait. */
export const LATER_PAGE: PageSize = { items: 500, characters: 256 * 1024 };

/** Items that follow one another: what is read of each, without those that are wrong. */
export interface Page<Read> {
  readonly items: readonly Read[];
  /** The position of the last one. The next page has those behind it. */
  readonly last: Position;
  readonly isEnd: boolean;
}

/** A place in the order of creation, as the store has it. */
export type Position = number | string;

/** Reads the page behind a position. */
type Next<Read> = (after: Position) => Page<Read> | Promise<Page<Read>>;

/** What is read of all items, of which the first page has been read. */
export async function* itemsOf<Read>(first: Page<Read>, next: Next<Read>): AsyncGenerator<Read> {
  for (let page = first; ; page = await next(page.last)) {
    yield* page.items;
    if (page.isEnd) return;
  }
}

/** The JSON array of the texts of all items. */
export const pagedList = (first: Page<string>, next: Next<string>): Readable =>
  Readable.from(chunks(first, next), { objectMode: false });

async function* chunks(first: Page<string>, next: Next<string>): AsyncGenerator<string> {
  let separator = '[';
  for (let page = first; ; page = await next(page.last)) {
    if (page.items.length > 0) {
      yield separator + page.items.join(',');
      separator = ',';
    }
    if (page.isEnd) break;
  }
  yield separator === '[' ? '[]' : ']';
}
