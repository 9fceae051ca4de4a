/** Writes rows as comma-separated values (RFC 4180). */

/** A row, of which the named columns are written. */
type Row<Column extends string> = { readonly [Name in Column]?: string | number | bigint | boolean | null | undefined };

/**
 * Returns a writer of `text/csv`: a line with the names of the columns, and one for each row. An absent member and null
 * are empty. A text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe in front,
 * because spreadsheets would take it for a formula.
 *
 *     const writers = { 'text/csv': csv(['key', 'name', 'isComplete']) };
 */
export const csv =
  <const Column extends string>(columns: readonly Column[]): ((rows: readonly Row<Column>[]) => string) =>
  (rows) =>
    [columns.map(field), ...rows.map((row) => columns.map((column) => field(row[column])))]
      .map((fields) => `${fields.join(',')}\r\n`)
      .join('');

function field(value: Row<string>[string]): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
