/** `todo-item-service/rows`: writes the rows of lists as CSV (RFC 4180) and as NDJSON (D100). */
import { type RowsWriter, rowsWriter, writtenRows } from '../../extending.ts';

type Field = string | number | bigint | boolean | null | undefined;
/** A row of a table with these columns. */
type CsvRow<Column extends string> = { readonly [Name in Column]?: Field };

/**
 * Returns a writer of `text/csv`: a line with the names of the columns, and a line for each row. An absent member and
 * null become an empty field. A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets a leading
 * apostrophe, because a spreadsheet would evaluate it as a formula. If a line would be blank, it is written as `""`,
 * because most readers skip blank lines. The writer throws a `TypeError` with the place if a row is not an object or a
 * member is an object. If the rows are streamed, the reply then breaks off.
 *
 * Throws a `TypeError` for an empty list of columns.
 *
 *     const writers = { 'text/csv': csv(['key', 'name', 'isComplete']) };
 */
export const csv = <const Column extends string>(columns: readonly Column[]): RowsWriter<CsvRow<Column>> => {
  if (columns.length === 0)
    throw new TypeError("Cannot write CSV without columns: name them, as in csv(['key', 'name'])");
  const before = line(columns.map(textField));
  const write = (row: CsvRow<Column>, position: number): string => {
    if (typeof row !== 'object' || row === null) throw unwritable(`/${position}`, row);
    // A row inherits `constructor` and other members. A class may define further members, which JSON writes.
    const isAbsent = (column: string): boolean => column in Object.prototype && !Object.hasOwn(row, column);
    return line(columns.map((column) => field(isAbsent(column) ? undefined : row[column], position, column)));
  };
  return rowsWriter<CsvRow<Column>>((rows) => writtenRows(rows, write, before));
};

/**
 * Returns a writer of `application/x-ndjson`. It writes each row as a line of JSON, according to its schema.
 *
 *     const writers = { 'application/x-ndjson': ndjson() };
 */
export const ndjson = (): RowsWriter<unknown> =>
  rowsWriter((rows, writeRow) => writtenRows(rows, (row, position) => `${writeRow(row, position)}\n`));

function line(fields: readonly string[]): string {
  const text = fields.join(',');
  return /\S/.test(text) ? `${text}\r\n` : `"${text}"\r\n`;
}

function field(value: Field, position: number, column: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return textField(value);
  if (typeof value === 'object' || typeof value === 'function') throw unwritable(`/${position}/${column}`, value);
  // V8 caches the results of `String(number)`. An export would fill that cache with numbers that do not recur (D112).
  return Number.isFinite(value) ? JSON.stringify(value) : String(value);
}

function textField(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const unwritable = (pointer: string, value: unknown): TypeError =>
  new TypeError(
    `Cannot write "${pointer}" as CSV: it is ${value === null ? 'null' : `of type ${typeof value}`}; use rows that are ` +
      'objects of strings, numbers and booleans',
  );
