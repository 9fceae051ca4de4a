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

/** Items that follow one another. */
export interface Page {
  /** As they are sent, without those that are wrong. */
  readonly texts: readonly string[];
  /** The position of the last one. The next page has those behind it. */
  readonly last: number;
  readonly isEnd: boolean;
}

/** The JSON array of all items, of which the first page has been read. */
export const pagedList = (first: Page, next: (after: number) => Page | Promise<Page>): Readable =>
  Readable.from(chunks(first, next), { objectMode: false });

async function* chunks(first: Page, next: (after: number) => Page | Promise<Page>): AsyncGenerator<string> {
  let separator = '[';
  for (let page = first; ; page = await next(page.last)) {
    if (page.texts.length > 0) {
      yield separator + page.texts.join(',');
      separator = ',';
    }
    if (page.isEnd) break;
  }
  yield separator === '[' ? '[]' : ']';
}
