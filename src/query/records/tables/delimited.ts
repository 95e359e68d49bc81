import Papa from 'papaparse';
import { isPlainKind } from '../../../context/chunkers/languages.ts';
import { readBuffer } from '../../../context/shown-text.ts';
import type { FindTables, RecordDocument } from '../reader.ts';
import { type CellRow, type CellTable, cellOf, toCellRow, typedTable, uniqueNames } from './typed-table.ts';

const blockBytes = 64 * 1024;
const smallBlockBytes = 32 * 1024;
const mostRowBytes = 1024 * 1024;
/** Maximum number of unreadable places in a document. If there are more, the rest of the document is left out. */
const mostUnreadable = 1000;
const unreadable = 'too long, or with a quotation mark that is not closed';
const lineFeed = '\n';

interface Dialect {
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly linesBefore: number;
}

interface ParsedRecord {
  readonly fields: readonly string[];
  readonly feeds: number;
  /** Whether a quotation mark is misplaced or not closed. */
  readonly isMalformed: boolean;
}

function feedsIn(fields: readonly string[]): number {
  let count = 0;
  for (const field of fields)
    for (let at = field.indexOf(lineFeed); at !== -1; at = field.indexOf(lineFeed, at + 1)) count++;
  return count;
}

function recordsIn(lines: string, delimiter: string): ParsedRecord[] {
  const { data, errors } = Papa.parse<string[]>(lines, { delimiter, newline: lineFeed });
  // Papa Parse returns an empty record after the last line feed.
  if (data.at(-1)?.length === 1 && data.at(-1)![0] === '') data.pop();
  const malformed = new Set(errors.map(({ row }) => row));
  return data.map((fields, index) => ({ fields, feeds: feedsIn(fields), isMalformed: malformed.has(index) }));
}

/** Decodes a field as UTF-8; its block was decoded as Latin-1. */
const utf8 = (field: string): string =>
  /[\x80-\xff]/.test(field) ? Buffer.from(field, 'latin1').toString('utf8') : field;

const isBlank = (fields: readonly string[]): boolean => fields.length === 1 && fields[0]!.trim() === '';

/** Whether a row is a comment, such as `# checked by Kim`. A row with all columns, or with `#1`, may be a record. */
const isComment = (fields: readonly string[], columns: number): boolean =>
  fields.length < columns && (fields.length === 1 ? fields[0]!.startsWith('#') : /^#\s/.test(fields[0]!));

/** Whether a stray quotation mark has probably merged several lines into one record. */
const isRunOn = ({ fields, feeds, isMalformed }: ParsedRecord, columns: number): boolean =>
  feeds > 0 && (isMalformed || fields.length !== columns) && fields.some((field) => field.trim().includes(lineFeed));

interface Block {
  readonly rows: readonly CellRow[];
  /** Number of the line after the rows. */
  readonly next: number;
  /** `open`: the last record may continue in the next block. `stray`: a stray quotation mark ended the reading. */
  readonly end: 'whole' | 'open' | 'stray';
}

/** Reads the rows of a block, without the last record if it may continue in the next block. */
function readBlock(
  block: string,
  { line, isLast }: { readonly line: number; readonly isLast: boolean },
  { delimiter, columns }: Dialect,
  wanted: readonly boolean[],
): Block {
  const rows: CellRow[] = [];
  const cell = (field: string, column: number) => (wanted[column] === false ? null : cellOf(utf8(field)));
  let next = line;
  const records = recordsIn(block, delimiter);
  for (const [index, record] of records.entries()) {
    if (record.isMalformed && index === records.length - 1 && !isLast) return { rows, next, end: 'open' };
    if (isRunOn(record, columns.length)) return { rows, next, end: 'stray' };
    if (isComment(record.fields, columns.length)) rows.push({ line: next, problem: 'of comments' });
    else if (!isBlank(record.fields)) rows.push(toCellRow(next, record.fields.map(cell), columns.length));
    next += 1 + record.feeds;
  }
  return { rows, next, end: block === '' ? 'open' : 'whole' };
}

function byteBehind({ source, index, bytes }: RecordDocument, startByte: number, lines: number): number {
  let left = lines;
  for (let at = startByte; left > 0 && at < bytes; at += blockBytes) {
    const block = readBuffer(source, index, at, Math.min(bytes, at + blockBytes));
    for (let feed = block.indexOf(lineFeed); feed !== -1; feed = block.indexOf(lineFeed, feed + 1))
      if (--left === 0) return at + feed + 1;
  }
  return left === 0 ? startByte : bytes;
}

/** Blocks are decoded as Latin-1, so that each character is one byte. */
function* rowsOf(document: RecordDocument, dialect: Dialect, wanted: readonly boolean[]): Generator<CellRow> {
  const { source, index, bytes: size } = document;
  let [line, length, skipped] = [dialect.linesBefore + 1, blockBytes, 0];
  for (let at = byteBehind(document, 0, dialect.linesBefore); at < size; ) {
    const end = Math.min(size, at + length);
    const read = readBuffer(source, index, at, end).toString('latin1');
    const isLast = end === size;
    const block = isLast ? read : read.slice(0, read.lastIndexOf(lineFeed) + 1);
    const { rows, next, end: why } = readBlock(block, { line, isLast }, dialect, wanted);
    yield* rows;
    const isTooLong = why === 'open' && next === line && read.length > mostRowBytes;
    if (why === 'stray' || isTooLong) {
      yield { line: next, problem: unreadable };
      if (++skipped > mostUnreadable) {
        yield { line: next + 1, problem: `${unreadable}, and all below` };
        return;
      }
      at = byteBehind(document, at, next + 1 - line);
      [line, length] = [next + 1, smallBlockBytes];
    } else {
      at = why === 'whole' ? at + block.length : byteBehind(document, at, next - line);
      length = next === line ? length * 2 : Math.min(blockBytes, length * 2);
      line = next;
    }
  }
}

const fewestRows = 3;
const lookedAtRows = 20;
const mostNameCharacters = 80;

/** Matches numbers with or without a unit, and dates. */
const valueForm = /^[^\p{L}]*\d[^\p{L}]*(?:\p{L}{1,3})?$|^\d{1,2}\W{0,2}\p{L}{3,9}\W{1,2}\d{2,4}$/u;

const isName = (cell: string): boolean => cell.length <= mostNameCharacters && !valueForm.test(cell);

function namesOf(fields: readonly string[]): string[] | null {
  const cells = fields.map((field) => field.trim());
  if (!cells.every(isName) || cells.filter((cell) => cell === '').length > cells.length / 2) return null;
  return uniqueNames(cells);
}

/**
 * Returns the delimiter with which the largest share of the rows has as many fields as the header. Returns null if the
 * header has no delimiter.
 */
function findDelimiter(text: string): string | null {
  const header = text.split(lineFeed, 1)[0]!;
  const present = [',', '\t', ';', '|'].filter((delimiter) => header.includes(delimiter));
  const counts = present.map((delimiter) => {
    const rows = recordsIn(text, delimiter)
      .filter(({ fields }) => !isBlank(fields))
      .slice(0, lookedAtRows);
    const width = rows[0]?.fields.length ?? 0;
    const alike = rows.filter(({ fields }) => fields.length === width).length;
    return { delimiter, width, share: rows.length === 0 ? 0 : alike / rows.length };
  });
  const fitting = counts.filter(({ width }) => width > 1);
  const best = fitting.sort((a, b) => b.share - a.share || b.width - a.width)[0];
  return best?.delimiter ?? null;
}

/** Whether the first rows have `width` columns. Prose may look like two columns, so one of the two must be numeric. */
function isEven(rows: readonly ParsedRecord[], width: number): boolean {
  const first = rows.slice(0, lookedAtRows).map(({ fields }) => fields);
  const isNumeric = (at: number) => first.every((fields) => /\d/.test(fields[at]!) && !isName(fields[at]!.trim()));
  return first.every(({ length }) => length === width) && (width > 2 || isNumeric(0) || isNumeric(1));
}

/** Whether a line is a comment, blank, or Excel's `sep=;`. */
const isAboveHeader = (line: string): boolean => /^(?:#.*|sep=.|\s*)$/.test(line);

/** @param isNamed whether the document's name says that it is CSV or TSV. Only such a document may have one column. */
function dialectOf({ head }: RecordDocument, isNamed: boolean): Dialect | null {
  const start = head.findIndex((line) => !isAboveHeader(line));
  if (start === -1) return null;
  const text = head.slice(start).join(lineFeed);
  const found = findDelimiter(text);
  if (found === null && !isNamed) return null;
  const delimiter = found ?? ',';
  const [header, ...rest] = recordsIn(text, delimiter).filter(({ fields }) => !isBlank(fields));
  const columns = namesOf(header!.fields);
  if (columns === null || (found === null && columns.length > 1)) return null;
  const isSure = isNamed || (rest.length >= fewestRows && isEven(rest, columns.length));
  return isSure ? { delimiter, columns, linesBefore: start + 1 + header!.feeds } : null;
}

const named: readonly string[] = ['CSV', 'TSV'];

/** Returns the table of a delimited document; null for other text. */
export function asDelimited(document: RecordDocument): CellTable | null {
  const isNamed = named.includes(document.kind);
  const dialect = isNamed || isPlainKind(document.kind) ? dialectOf(document, isNamed) : null;
  if (dialect === null) return null;
  const { columns } = dialect;
  const wanted = (wants: (column: number) => boolean) => columns.map((_, column) => wants(column));
  return { columns, rows: (wants) => rowsOf(document, dialect, wanted(wants)) };
}

export const findDelimited: FindTables = (document) => {
  const table = asDelimited(document);
  return table === null ? [] : [typedTable(table)];
};
