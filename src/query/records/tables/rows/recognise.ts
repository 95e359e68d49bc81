import { readBuffer, type TextSource } from '../../../../context/shown-text.ts';
import { createDelimitedRows, recordsIn, utf8 } from './delimited-rows.ts';
import { cellOf, type RowSource, uniqueNames } from './row.ts';

const headBytes = 32 * 1024;
/** Rows of a table, at least, in a document whose name does not say that it is one. */
const fewestRows = 3;
const lookedAtRows = 20;
/** Share of its rows that have as many fields as the header, at least. */
const evenShare = 0.9;
const mostNameCharacters = 80;
const byteOrderMark = '\xef\xbb\xbf';

/** Reads the beginning of a document as Latin-1, in whole lines. */
function headOf(store: TextSource, document: number): string {
  const { bytes } = store.documents[document]!;
  const head = readBuffer(store, document, 0, Math.min(bytes, headBytes)).toString('latin1');
  return bytes <= headBytes ? head : head.slice(0, head.lastIndexOf('\n') + 1);
}

/** Matches numbers, with a unit or not, and dates: no header has them. */
const value = /^[^\p{L}]*\d[^\p{L}]*(?:\p{L}{1,3})?$|^\d{1,2}\W{0,2}\p{L}{3,9}\W{1,2}\d{2,4}$/u;

const isName = (cell: string): boolean => cell.length <= mostNameCharacters && !value.test(cell);

/** Returns unique column names; null where the fields are values, so that there is no header. */
function namesOf(fields: readonly string[]): string[] | null {
  const cells = fields.map((field) => cellOf(utf8(field)) ?? '');
  if (!cells.every(isName) || cells.filter((cell) => cell === '').length > cells.length / 2) return null;
  return uniqueNames(cells);
}

/**
 * Returns the character that divides the header and most rows into the same number of fields; null where none does.
 */
function findDelimiter(text: string, leastShare: number): string | null {
  const end = text.indexOf('\n');
  const header = end === -1 ? text : text.slice(0, end);
  const present = [',', '\t', ';', '|'].filter((delimiter) => header.includes(delimiter));
  const counts = present.map((delimiter) => {
    const rows = recordsIn(text, delimiter)
      .filter(({ fields }) => fields.length > 1 || fields[0]!.trim() !== '')
      .slice(0, lookedAtRows);
    const width = rows[0]?.fields.length ?? 0;
    const alike = rows.filter(({ fields }) => fields.length === width).length;
    return { delimiter, width, share: rows.length === 0 ? 0 : alike / rows.length, rows: rows.length };
  });
  const fitting = counts.filter(({ width, share }) => width > 1 && share >= leastShare);
  const best = fitting.sort((a, b) => b.share - a.share || b.width - a.width)[0];
  return best?.delimiter ?? null;
}

/**
 * Returns the byte of the first line after comments, a byte order mark and the line in which Excel names its
 * separator.
 */
function firstLineOf(head: string): number {
  let start = head.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (;;) {
    const end = head.indexOf('\n', start) + 1;
    const line = head.slice(start, end === 0 ? head.length : end);
    if (end === 0 || !/^(?:#.*|sep=.|\s*)\r?\n$/.test(line)) return start;
    start = end;
  }
}

/**
 * Returns the rows of a document with delimiters below a header; null for other text.
 * @param isNamed whether its name says that it is one.
 */
export function asDelimited(store: TextSource, document: number, isNamed: boolean): RowSource | null {
  const head = headOf(store, document);
  const start = firstLineOf(head);
  const text = head.slice(start);
  const delimiter = findDelimiter(text, isNamed ? 0 : evenShare);
  if (delimiter === null) return isNamed ? oneColumn(store, document, text, start) : null;
  const [header, ...rest] = recordsIn(text, delimiter);
  const columns = header && namesOf(header.fields);
  if (columns === null || columns === undefined) return null;
  const isSure = isNamed || (rest.length >= fewestRows && isEven(rest, columns.length));
  return isSure ? createDelimitedRows(store, document, { delimiter, columns, firstByte: start + header!.end }) : null;
}

/** Whether rows have as many fields as the header; of two columns, which prose may have, one has to hold numbers. */
function isEven(rows: readonly { readonly fields: readonly string[] }[], width: number): boolean {
  const first = rows.slice(0, lookedAtRows).map(({ fields }) => fields);
  const isNumeric = (at: number) => first.every((fields) => /\d/.test(fields[at]!) && !isName(fields[at]!.trim()));
  return first.every(({ length }) => length === width) && (width > 2 || isNumeric(0) || isNumeric(1));
}

/** Reads a table of a single column, which has no delimiter. */
function oneColumn(store: TextSource, document: number, text: string, start: number): RowSource | null {
  const header = recordsIn(text, ',')[0];
  if (header === undefined) return null;
  const columns = namesOf(header.fields);
  if (columns?.length !== 1) return null;
  return createDelimitedRows(store, document, { delimiter: ',', columns, firstByte: start + header.end });
}
