type Rows = readonly (readonly string[])[];

/** Returns the width of each column, in characters. */
export const widthsOf = (rows: Rows): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];

/** Formats rows as aligned columns. */
export function table(rows: Rows): string {
  const widths = widthsOf(rows);
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}
