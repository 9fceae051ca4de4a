/**
 * Writes the rows of lists with a custom writer (D100). An array becomes one text with a length. Rows from another
 * iterable are streamed with backpressure.
 */
import type { StreamSource } from '../../core/http/replies.ts';
import { isIterable } from '../../core/http/reply.ts';

/** A source of rows: an array, a generator, a Node stream in object mode, or a database cursor. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** The type of the rows that a handler may return instead of an array. `never` for other values. */
export type RowsOf<Value> = Value extends readonly (infer Row)[] ? Rows<Row> : never;

/**
 * Returns a row as JSON, according to the schema of the items. If the schema is not an array, returns the whole value
 * as JSON. Throws an error with the position of the row if the row does not match the schema.
 */
export type RowWriter = (row: unknown, position: number) => string;

/** Marks writers that accept rows one by one. A registered symbol is equal in all copies of the library. */
const takesRows: unique symbol = Symbol.for('todo-item-service takes rows');

/** A writer that accepts arrays, and rows one by one. */
export interface RowsWriter<Row> {
  (rows: Rows<Row>, writeRow: RowWriter): StreamSource;
  readonly [takesRows]: true;
}

/**
 * Returns a writer of lists that accepts rows one by one: an array, an iterable or an async iterable. `writeRow` writes
 * a row as JSON according to its schema.
 *
 *     const writers = { 'text/plain': rowsWriter<string>((rows) => writtenRows(rows, (row) => `${row}\n`)) };
 */
export const rowsWriter = <Row>(write: (rows: Rows<Row>, writeRow: RowWriter) => StreamSource): RowsWriter<Row> =>
  Object.assign((rows: Rows<Row>, writeRow: RowWriter) => write(rows, writeRow), { [takesRows]: true } as const);

export const isRowsWriter = (write: object): boolean => takesRows in write;

/** True for an iterable that is not an array. False for a value with `toJSON`, because it is written as one value. */
export const isGivenByRow = (value: unknown): value is Rows<unknown> =>
  isIterable(value) && !Array.isArray(value) && !('toJSON' in value);

/**
 * Serializes rows for a writer: returns one text for an array, and a source of texts for another iterable. `write`
 * receives a row and its position. The first text of the source has `before` and the first row.
 */
export function writtenRows<Row>(
  rows: Rows<Row>,
  write: (row: Row, position: number) => string,
  before = '',
  between = '',
  after = '',
): string | Rows<string> {
  if (Array.isArray(rows)) return before + Array.from(rows as readonly Row[], write).join(between) + after;
  let position = 0;
  const textOf = (row: Row): string => (position === 0 ? before : between) + write(row, position++);
  const end = (): string => (position === 0 ? before + after : after);

  function* texts(source: Iterable<Row>): Generator<string> {
    for (const row of source) yield textOf(row);
    yield end();
  }

  async function* laterTexts(source: AsyncIterable<Row>): AsyncGenerator<string> {
    for await (const row of source) yield textOf(row);
    yield end();
  }

  return Symbol.asyncIterator in rows ? laterTexts(rows) : texts(rows);
}
