/**
 * Writes lists as CSV (RFC 4180) and as lines of JSON. An array becomes one text with a length. Rows that come one by
 * one are streamed at the pace of the client (D100).
 */
import { isObject } from '../../core/log/thrown-value.ts';
import { type RowsWriter, rowsWriter, writtenRows } from './written-rows.ts';

type Field = string | number | bigint | boolean | null | undefined;
/** A row, of which the named columns are written. */
type Row<Column extends string> = { readonly [Name in Column]?: Field };

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
export const csv = <const Column extends string>(columns: readonly Column[]): RowsWriter<Row<Column>> => {
  if (columns.length === 0) throw new TypeError("Cannot write CSV without columns: give csv(['key', 'name'])");
  const write = (row: Row<Column>, position: number): string => {
    if (!isObject(row)) throw unwritable(`/${position}`, row);
    return line(columns.map((column) => field(row[column], () => `/${position}/${column}`)));
  };
  const before = line(columns.map((column) => field(column, () => column)));
  return Object.assign(
    rowsWriter<Row<Column>>((rows) => writtenRows(rows, write, { before })),
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
