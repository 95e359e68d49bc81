type Rows = readonly (readonly string[])[];

/** How wide each column is, in characters. */
export const widthsOf = (rows: Rows): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];

/** Columns of equal width. */
export function table(rows: Rows): string {
  const widths = widthsOf(rows);
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}
