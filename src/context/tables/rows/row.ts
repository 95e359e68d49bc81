/** A row of a table, and where it stands in its document. */
export interface Row {
  /** In the order of the columns; null where the cell is empty or missing. */
  readonly cells: readonly (string | null)[];
  readonly startByte: number;
  /** Exclusive; with the line's end. */
  readonly endByte: number;
}

/** What stands between rows and cannot be read as one. */
export interface BrokenRow {
  /** Why, in words that follow a number: `with more fields than the header`. */
  readonly problem: string;
  readonly startByte: number;
  readonly endByte: number;
}

export type AnyRow = Row | BrokenRow;

export const isBroken = (row: AnyRow): row is BrokenRow => 'problem' in row;

/** Cells that say that there is no value. */
const nothing = /^(?:|n\/?a|nan|null|none|nil|-|—|\?)$/i;

/** What a cell holds, without spaces around it; null where it says that there is nothing. */
export function cellOf(text: string): string | null {
  const trimmed = text.trim();
  return nothing.test(trimmed) ? null : trimmed;
}

/** The names of columns, each once; `column 2` where there is none. */
export const uniqueNames = (names: readonly string[]): string[] =>
  names.map((name, index) => {
    if (name === '') return `column ${index + 1}`;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (column ${index + 1})`;
  });

/** Where a document's rows come from, from its beginning each time. */
export interface RowSource {
  /** Grows while rows of JSON bring new keys. */
  readonly columns: readonly string[];
  /** @param wanted columns whose cells are asked for, others may come empty; default: all. */
  rows(wanted?: ReadonlySet<number>): Iterable<AnyRow>;
}

/** A row may be so long; what is longer is broken. */
export const mostRowBytes = 1024 * 1024;
