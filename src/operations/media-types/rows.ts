/**
 * Writes the rows of lists: as CSV (RFC 4180), as lines of JSON, or as a writer of its own does. An array becomes one
 * text with a length. Rows that come one by one are streamed at the pace of the client (D100).
 */
import { isObject } from '../../core/log/thrown-value.ts';
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
  const textOf = (row: Row): string => {
    const text = (position === 0 ? before : between) + write(row, position);
    position += 1;
    return text;
  };
  const end = (): string => (position === 0 ? before + after : after);
  const failure = (cause: unknown): Error => new Error(`The rows failed at "/${position}"`, { cause });

  function* texts(given: Iterable<Row>): Generator<string> {
    try {
      for (const row of given) yield textOf(row);
    } catch (cause) {
      throw failure(cause);
    }
    yield end();
  }

  async function* laterTexts(given: AsyncIterable<Row>): AsyncGenerator<string> {
    try {
      for await (const row of given) yield textOf(row);
    } catch (cause) {
      throw failure(cause);
    }
    yield end();
  }

  return Symbol.asyncIterator in rows ? laterTexts(rows) : texts(rows);
}

type Field = string | number | bigint | boolean | null | undefined;
/** A row, of which the named columns are written. */
type CsvRow<Column extends string> = { readonly [Name in Column]?: Field };

/**
 * Returns a writer of `text/csv`: a line with the names of the columns, and one for each row. An absent member and null
 * are empty. A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe in front,
 * because spreadsheets would take it for a formula. The writer throws a `TypeError` that names the place if a row is
 * not an object or a member is an object; a stream then fails there.
 *
 * Throws a `TypeError` for no columns. An application refuses a column that the schema of the rows does not have. Most
 * readers skip a line that is empty or blank, so such a field that stands alone is written in quotes, as `""`.
 *
 *     const writers = { 'text/csv': csv(['key', 'name', 'isComplete']) };
 */
export const csv = <const Column extends string>(columns: readonly Column[]): RowsWriter<CsvRow<Column>> => {
  if (columns.length === 0) throw new TypeError("Cannot write CSV without columns: give csv(['key', 'name'])");
  const write = (row: CsvRow<Column>, position: number): string => {
    if (!isObject(row)) throw unwritable(`/${position}`, row);
    return line(columns.map((column) => field(row[column], () => `/${position}/${column}`)));
  };
  const before = line(columns.map((column) => field(column, () => column)));
  return Object.assign(
    rowsWriter<CsvRow<Column>>((rows) => writtenRows(rows, write, { before })),
    { columns },
  );
};

/**
 * Returns a writer of `application/x-ndjson`: each row as JSON, as the schema of the response declares it, with a line
 * feed behind it.
 *
 *     const writers = { 'application/x-ndjson': ndjson() };
 */
export const ndjson = (): RowsWriter<unknown> =>
  rowsWriter((rows, writeRow) => writtenRows(rows, (row, position) => `${writeRow(row, position)}\n`));

function line(fields: readonly string[]): string {
  const text = fields.join(',');
  return /\S/.test(text) ? `${text}\r\n` : `"${text}"\r\n`;
}

function field(value: Field, pointer: () => string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object' || typeof value === 'function') throw unwritable(pointer(), value);
  // V8 keeps the texts that `String` makes of numbers, and those of an export are never asked for again.
  if (typeof value !== 'string') return Number.isFinite(value) ? JSON.stringify(value) : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const unwritable = (pointer: string, value: unknown): TypeError =>
  new TypeError(
    `Cannot write "${pointer}" as CSV: it is ${value === null ? 'null' : `of type ${typeof value}`}; give rows that are ` +
      'objects of texts, numbers and booleans',
  );
