/** A whole number as people read it: `1,295`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * How many, in words: `1 line`, `1,295 lines`.
 * @param many for more than one, where that is not the word with an s.
 */
export const counted = (count: number, word: string, many = `${word}s`): string =>
  `${grouped(count)} ${count === 1 ? word : many}`;

/**
 * Some names, and how many are not among them: `a.log, b.log, and 3 more documents`.
 * @param left how many are left out.
 * @param word for one of them.
 */
export const listed = (shown: readonly string[], left: number, word: string, separator = ', '): string =>
  [...shown, ...(left > 0 ? [`and ${counted(left, `more ${word}`)}`] : [])].join(separator);

/** A length of time as people say it, of so many ms. */
export function duration(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** A sum in USD as people read it: `$0.02`; more digits for less than a cent. */
export const money = (usd: number): string => `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;

type Rows = readonly (readonly string[])[];

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
