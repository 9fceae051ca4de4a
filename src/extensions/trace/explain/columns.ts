/** Sets lines in columns. */

/** Each row as a line: its cells, all but the last filled up to the widest of their column, two spaces between. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries())
      if (at < row.length - 1) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at]!) : cell)).join('  '));
}
