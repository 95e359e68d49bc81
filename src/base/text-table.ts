type Rows = readonly (readonly string[])[];

/** Returns the width of each column, in characters. */
export const widthsOf = (rows: Rows): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => [...row[column]!].length))) ?? [];

/**
 * Formats rows as aligned columns.
 * @param isFigure whether a column holds figures, which are aligned at their ends; default: none.
 */
export function textTable(rows: Rows, isFigure: (column: number) => boolean = () => false): string {
  const widths = widthsOf(rows);
  const cellOf = (cell: string, column: number) => {
    const blanks = ' '.repeat(widths[column]! - [...cell].length);
    return isFigure(column) ? blanks + cell : cell + blanks;
  };
  return rows.map((row) => `${row.map(cellOf).join('  ').trimEnd()}\n`).join('');
}
