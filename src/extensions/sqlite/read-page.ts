/** Reads the rows of a page, few at a time where their texts are long: none is read that memory has no room for. */
import type { Page, PageSize, Position } from '../collection/collection.ts';
import type { SqlValue } from './node-sqlite.ts';

/** What is made of a row; undefined for one that is wrong. */
export type ReadRow<Read> = (key: string, stored: string) => Read | undefined;

type RowsBehind = (position: Position, most: number) => readonly Record<string, SqlValue>[];

/** How many rows are read at once: of short texts many, which takes half the time of one by one. */
const FEW_ROWS = 16;
const MANY_ROWS = 250;
/** In characters. */
const LONG_TEXT = 4096;

/** The page behind a position. */
export function readPage<Read>(
  rowsBehind: RowsBehind,
  after: Position,
  size: PageSize,
  read: ReadRow<Read>,
): Page<Read> {
  const items: Read[] = [];
  let last = after;
  let characters = 0;
  let count = 0;
  while (count < size.items && characters < size.characters) {
    const areShort = count > 0 && characters < count * LONG_TEXT;
    const most = Math.min(areShort ? MANY_ROWS : FEW_ROWS, size.items - count);
    const rows = rowsBehind(last, most);
    for (const { position, key, value } of rows) {
      last = Number(position);
      characters += String(value).length;
      const item = read(String(key), String(value));
      if (item !== undefined) items.push(item);
    }
    if (rows.length < most) return { items, last, isEnd: true };
    count += most;
  }
  return { items, last, isEnd: false };
}
