/** Formats a number with commas between thousands: `1,295.5`. */
export const grouped = (count: number): string => String(count).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');

/** Formats a number of things: `1 line`, `1,295 lines`. */
export const counted = (count: number, word: string, many = `${word}s`): string =>
  `${grouped(count)} ${count === 1 ? word : many}`;

/** Lists some names, and how many more there are: `a.log, b.log, and 3 more documents`. */
export const listed = (shown: readonly string[], left: number, word: string, separator = ', '): string =>
  [...shown, ...(left > 0 ? [`and ${counted(left, `more ${word}`)}`] : [])].join(separator);

/** Returns the beginning of a text, at most `most` UTF-16 units, without half of a character at its end. */
export const beginning = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Cuts a text to `most` UTF-16 units without splitting a character, with `…` where text was omitted. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, Math.max(0, most - 1))}…`;

/** Converts to lower case without changing the length, so that offsets stay valid. */
export function lower(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  return text.replace(/[\s\S]/g, (unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit));
}

/** Formats a duration in ms: `1.5 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return ms < 59_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats an amount in USD: `$0.02`; with more digits below one cent. */
export const money = (usd: number): string => `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;

type Rows = readonly (readonly string[])[];

export const widthsOf = (rows: Rows): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => [...row[column]!].length))) ?? [];

/** Formats rows as aligned columns. Columns for which `isFigure` holds are aligned right. */
export function textTable(rows: Rows, isFigure: (column: number) => boolean = () => false): string {
  const widths = widthsOf(rows);
  const cellOf = (cell: string, column: number) => {
    const blanks = ' '.repeat(widths[column]! - [...cell].length);
    return isFigure(column) ? blanks + cell : cell + blanks;
  };
  return rows.map((row) => `${row.map(cellOf).join('  ').trimEnd()}\n`).join('');
}
