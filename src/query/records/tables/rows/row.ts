/** A row of a table, and its position in the document. */
interface Row {
  /** Cells in the order of the columns; null where one is empty or missing. */
  readonly cells: readonly (string | null)[];
  readonly startByte: number;
  /** Exclusive; with the line's end. */
  readonly endByte: number;
}

/** A part of a table that cannot be read as a row. */
export interface BrokenRow {
  /** The reason, to follow a number: `with more fields than the header`. */
  readonly problem: string;
  readonly startByte: number;
  readonly endByte: number;
}

export type AnyRow = Row | BrokenRow;

export const isBroken = (row: AnyRow): row is BrokenRow => 'problem' in row;

/** Returns the trimmed text of a cell; null where it is empty. */
export function cellOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}

/** Makes column names unique; an empty one becomes `column 2`. */
export const uniqueNames = (names: readonly string[]): string[] =>
  names.map((name, index) => {
    if (name === '') return `column ${index + 1}`;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (column ${index + 1})`;
  });

/** A source of a document's rows, which starts at the first row each time. */
export interface RowSource {
  readonly columns: readonly string[];
  rows(): Iterable<AnyRow>;
}

/** Bytes of a row, at most; a longer one is broken. */
export const mostRowBytes = 1024 * 1024;
