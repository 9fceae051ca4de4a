/** Writes the rows of a list one by one (D100). */
import type { StreamSource } from '../../core/message/replies.ts';
import { isIterable } from '../../core/message/reply-fault.ts';

/** What gives the rows of a list: an array, a generator, a stream of Node in object mode, a cursor of a database. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** The rows that may stand in the place of a value, where it is an array. */
export type RowsOf<Value> = Value extends readonly (infer Row)[] ? Rows<Row> : never;

/**
 * Writes an item of an array as JSON, in the spelling of the naming and without what is `writeOnly`; of another schema
 * the value. Throws for a row that is not as it is declared, and names its position.
 */
export type RowWriter = (row: unknown, position: number) => string;

/** On every writer that takes rows one by one; a registered symbol is the same in every copy of this library. */
const takesRows: unique symbol = Symbol.for('todo-item-service takes rows');

/** A writer that takes rows one by one, and arrays. */
export interface RowsWriter<Row> {
  (rows: Rows<Row>, writeRow: RowWriter): StreamSource;
  readonly [takesRows]: true;
  /** The members of a row that it writes. The schema of the row must have each of them. Undefined for any members. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Makes a writer of lists that takes rows one by one: an array, an iterable or an asynchronous one. `writeRow` writes
 * a row as JSON, as its schema says.
 *
 *     const writers = { 'text/plain': rowsWriter<string>((rows) => writtenRows(rows, (row) => `${row}\n`)) };
 */
export const rowsWriter = <Row>(write: (rows: Rows<Row>, writeRow: RowWriter) => StreamSource): RowsWriter<Row> =>
  Object.assign((rows: Rows<Row>, writeRow: RowWriter) => write(rows, writeRow), { [takesRows]: true } as const);

/** Does this writer take rows one by one? */
export const isRowsWriter = (write: object): boolean => takesRows in write;

/** The texts around the rows. */
interface Surroundings {
  readonly before?: string | undefined;
  readonly between?: string | undefined;
  readonly after?: string | undefined;
}

/** Are these rows that are given one by one? What writes itself, as `toJSON` does, is written whole. */
export const isGivenByRow = (value: unknown): value is Rows<unknown> =>
  isIterable(value) && !Array.isArray(value) && !('toJSON' in value);

/**
 * The texts of rows, which a writer returns as they are: one text for an array, else texts one by one. `write` is given
 * the position of the row too. The text before the rows comes with the first row, so nothing is sent until it is there.
 */
export function writtenRows<Row>(
  rows: Rows<Row>,
  write: (row: Row, position: number) => string,
  surroundings: Surroundings = {},
): string | Rows<string> {
  const { before = '', between = '', after = '' } = surroundings;
  if (Array.isArray(rows)) return before + Array.from(rows as readonly Row[], write).join(between) + after;
  let position = 0;
  const line: Line<Row> = {
    of(row) {
      const text = (position === 0 ? before : between) + write(row, position);
      position += 1;
      return text;
    },
    end: () => (position === 0 ? before + after : after),
    failure: (cause) => new Error(`The rows failed at "/${position}"`, { cause }),
  };
  return Symbol.asyncIterator in rows ? laterTexts(rows, line) : texts(rows, line);
}

/** Makes the text of each row in turn, and that behind the last one. */
interface Line<Row> {
  of(row: Row): string;
  end(): string;
  /** Names the row at which its source failed, or which cannot be written. */
  failure(cause: unknown): Error;
}

function* texts<Row>(rows: Iterable<Row>, line: Line<Row>): Generator<string> {
  try {
    for (const row of rows) yield line.of(row);
  } catch (cause) {
    throw line.failure(cause);
  }
  yield line.end();
}

async function* laterTexts<Row>(rows: AsyncIterable<Row>, line: Line<Row>): AsyncGenerator<string> {
  try {
    for await (const row of rows) yield line.of(row);
  } catch (cause) {
    throw line.failure(cause);
  }
  yield line.end();
}
