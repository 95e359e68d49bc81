import { documentKindOf } from '../../kinds.ts';
import { readBuffer, type TextSource } from '../../shown-text.ts';
import { readDay } from '../cells/days.ts';
import { readAmount } from '../cells/numbers.ts';
import { createDelimitedRows, recordsIn, utf8 } from './delimited.ts';
import { createJsonRows } from './json-rows.ts';
import { findMarkdownTables } from './markdown.ts';
import { cellOf, type ReadCell, type RowSource, uniqueNames } from './row.ts';

/** Rows with the same columns: a document, or a part of one. */
export interface Table extends RowSource {
  /** Index into the store's documents. */
  readonly document: number;
  /** The document's name. */
  readonly name: string;
  /** The heading above a table within other text, '' for none; null where the document is the table. */
  readonly heading: string | null;
}

const headBytes = 32 * 1024;
/** Rows of a table, at least, in a document whose name does not say that it is one. */
const fewestRows = 3;
const lookedAtRows = 20;
/** Share of its rows that have as many fields as the header, at least. */
const evenShare = 0.9;
const mostNameCharacters = 80;
const byteOrderMark = '\xef\xbb\xbf';

/** The format of a document, by its name. */
type Named = 'delimited' | 'json lines' | 'json' | 'markdown' | 'unnamed' | 'lines' | 'other';

const named: Readonly<Record<string, Named>> = {
  CSV: 'delimited',
  TSV: 'delimited',
  'JSON lines': 'json lines',
  JSON: 'json',
  Markdown: 'markdown',
  markdown: 'markdown',
  text: 'unnamed',
  log: 'lines',
};

/** Reads the beginning of a document as Latin-1, in whole lines. */
function headOf(store: TextSource, document: number): string {
  const { bytes } = store.documents[document]!;
  const head = readBuffer(store, document, 0, Math.min(bytes, headBytes)).toString('latin1');
  return bytes <= headBytes ? head : head.slice(0, head.lastIndexOf('\n') + 1);
}

const isName = (cell: string): boolean =>
  cell.length <= mostNameCharacters && readAmount(cell, '.') === null && readDay(cell, 'day first') === null;

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
export function asDelimited(
  store: TextSource,
  document: number,
  isNamed: boolean,
  readCell: ReadCell = cellOf,
): RowSource | null {
  const head = headOf(store, document);
  const start = firstLineOf(head);
  const text = head.slice(start);
  const delimiter = findDelimiter(text, isNamed ? 0 : evenShare);
  if (delimiter === null) return isNamed ? oneColumn(store, document, text, start, readCell) : null;
  const [header, ...rest] = recordsIn(text, delimiter);
  const columns = header && namesOf(header.fields);
  if (columns === null || columns === undefined) return null;
  const isSure = isNamed || (rest.length >= fewestRows && isEven(rest, columns.length));
  return isSure
    ? createDelimitedRows(store, document, { delimiter, columns, firstByte: start + header!.end }, readCell)
    : null;
}

/** Whether rows have as many fields as the header; of two columns, which prose may have, one has to hold numbers. */
function isEven(rows: readonly { readonly fields: readonly string[] }[], width: number): boolean {
  const first = rows.slice(0, lookedAtRows).map(({ fields }) => fields);
  const isNumeric = (at: number) => first.every((fields) => /\d/.test(fields[at]!) && !isName(fields[at]!.trim()));
  return first.every(({ length }) => length === width) && (width > 2 || isNumeric(0) || isNumeric(1));
}

/** Reads a table of a single column, which has no delimiter. */
function oneColumn(
  store: TextSource,
  document: number,
  text: string,
  start: number,
  readCell: ReadCell,
): RowSource | null {
  const header = recordsIn(text, ',')[0];
  if (header === undefined) return null;
  const columns = namesOf(header.fields);
  if (columns?.length !== 1) return null;
  return createDelimitedRows(store, document, { delimiter: ',', columns, firstByte: start + header.end }, readCell);
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(
      Buffer.from(line, 'latin1')
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function asJsonLines(store: TextSource, document: number, fewest: number): RowSource | null {
  const lines = headOf(store, document)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, lookedAtRows);
  const objects = lines.filter(isObject).length;
  return objects >= fewest && objects * 2 > lines.length ? createJsonRows(store, document, false) : null;
}

const asArray = (store: TextSource, document: number): RowSource | null =>
  /^(?:\xef\xbb\xbf)?\s*\[\s*\{/.test(headOf(store, document)) ? createJsonRows(store, document, true) : null;

const beginsWithBar = (store: TextSource, document: number): boolean =>
  /^(?:\xef\xbb\xbf)?\s{0,1000}\|/.test(headOf(store, document));

type Found = RowSource & Partial<Pick<Table, 'heading'>>;

/** Reads a document of unknown format: the whole as a table, else the tables in it. */
function inUnnamed(store: TextSource, document: number): readonly Found[] {
  const whole = asArray(store, document) ?? asJsonLines(store, document, 2);
  const rows = whole ?? (beginsWithBar(store, document) ? null : asDelimited(store, document, false));
  return rows === null ? findMarkdownTables(store, document) : [rows];
}

function read(store: TextSource, document: number): readonly Found[] {
  const alone = (rows: RowSource | null): readonly Found[] => (rows === null ? [] : [rows]);
  const kind = documentKindOf(store.documents[document]!.name);
  switch (named[kind] ?? 'other') {
    case 'delimited':
      return alone(asDelimited(store, document, true));
    case 'json lines':
      return alone(asJsonLines(store, document, 1));
    case 'json':
      return alone(asArray(store, document) ?? asJsonLines(store, document, 2));
    case 'markdown':
      return findMarkdownTables(store, document);
    case 'unnamed':
      return inUnnamed(store, document);
    case 'lines':
      return alone(asArray(store, document) ?? asJsonLines(store, document, 2) ?? asDelimited(store, document, false));
    default:
      return [];
  }
}

/** Returns the tables of a document, in order: the document itself, or those within other text. */
export const tablesOf = (store: TextSource, document: number): readonly Table[] =>
  read(store, document).map((rows) => ({
    heading: null,
    ...rows,
    document,
    name: store.documents[document]!.name,
  }));
