import { documentKindOf, isCodeName } from '../../context/chunkers/languages.ts';
import { readBuffer, type TextSource } from '../../context/shown-text.ts';
import { RlmError } from '../../errors.ts';
import type { Column, ColumnType, Value } from '../query-result.ts';
import type { TimeReader } from './times.ts';

export interface RecordDocument {
  /** Index into the documents of the source. */
  readonly index: number;
  readonly name: string;
  /** Kind of the document from `documentKindOf`: `CSV`, `log`, `text` and others. */
  readonly kind: string;
  readonly bytes: number;
  /** The first whole lines, at most 32 KB, without a byte order mark; empty for program code, which has no records. */
  readonly head: readonly string[];
  readonly source: TextSource;
}

/** A line without its line feed. */
export interface NumberedLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const headBytes = 32 * 1024;
const blockBytes = 1024 * 1024;
const mostLineBytes = 64 * 1024 * 1024;
const lineFeed = 0x0a;

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

function headOf(source: TextSource, index: number, bytes: number): string[] {
  if (isCodeName(source.documents[index]!.name)) return [];
  const head = readBuffer(source, index, 0, Math.min(bytes, headBytes)).toString('utf8');
  const lines = withoutMark(head).split(/\r?\n/);
  // The last line is cut off or empty.
  if (bytes > headBytes || lines.at(-1) === '') lines.pop();
  return lines;
}

export function openRecordDocument(source: TextSource, index: number): RecordDocument {
  const { name, bytes } = source.documents[index]!;
  return { index, name, kind: documentKindOf(name), bytes, head: headOf(source, index, bytes), source };
}

/** Returns the first lines that are not blank, at most `most` of them. */
export const firstLines = ({ head }: RecordDocument, most: number): string[] =>
  head.filter((line) => line.trim() !== '').slice(0, most);

/** Makes columns from space-separated names. A name may state a type, as in `bytes:INTEGER`; the default is TEXT. */
export const columnsNamed = (names: string): readonly Column[] =>
  names.split(' ').map((named) => {
    const [name, type = 'TEXT'] = named.split(':') as [string, ColumnType?];
    return { name, type };
  });

export function wholeText({ source, index, bytes }: RecordDocument): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes; at += blockBytes)
    parts.push(Buffer.from(readBuffer(source, index, at, Math.min(bytes, at + blockBytes))));
  return withoutMark(Buffer.concat(parts).toString('utf8'));
}

/** Yields the bytes of a document. Each buffer contains whole lines. */
function* blocksOf({ source, index, name, bytes }: RecordDocument): Generator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for (let at = 0; at < bytes; at += blockBytes) {
    const block = readBuffer(source, index, at, Math.min(bytes, at + blockBytes));
    const end = block.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      yield held.length === 0 ? block.subarray(0, end) : Buffer.concat([...held, block.subarray(0, end)]);
      [held, heldBytes] = [[], 0];
    }
    if (end === block.length) continue;
    heldBytes += block.length - end;
    if (heldBytes > mostLineBytes)
      throw new RlmError('query-limit', `a line of ${name} is longer than 64 MB`, { hint: 'Leave the file out.' });
    held.push(Buffer.from(block.subarray(end)));
  }
  if (held.length > 0) yield Buffer.concat(held);
}

/** Yields the lines of a document in order. Throws RlmError for a line longer than 64 MB. */
export function* recordLines(document: RecordDocument): Generator<NumberedLine> {
  let line = 0;
  for (const block of blocksOf(document)) {
    const lines = block.toString('utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const text of lines) {
      line++;
      const plain = line === 1 ? withoutMark(text) : text;
      yield { line, text: plain.endsWith('\r') ? plain.slice(0, -1) : plain };
    }
  }
}

/** A record, or a place in the document that cannot be read as a record. */
export type RecordRow =
  | {
      /** From 1. */
      readonly line: number;
      /** Values in the order of the columns. A missing value is null; missing values at the end may be left out. */
      readonly values: readonly Value[];
    }
  | {
      readonly line: number;
      /** Why the place is no record, as words that follow "3 rows" in a note: `with more fields than the header`. */
      readonly problem: string;
    };

export interface Reading {
  /** Whether a column is needed. Values of other columns may be null. */
  wants(column: string): boolean;
  /** Creates a reader of times, which adds a year to times without a year. */
  times(): TimeReader;
}

/** The records of a document that have the same columns. */
export interface RecordTable {
  /** Name of the table; null if the table is named after its document. */
  readonly table: string | null;
  /** Short description, such as `below "Deploys"`; left out if the name is enough. */
  readonly about?: string;
  /** The columns, except those for the document and the line. Reading rows may add columns. */
  readonly columns: readonly Column[];
  /** Names of columns that were left out because the table had too many columns. */
  readonly leftOut?: ReadonlySet<string>;
  rows(reading: Reading): Iterable<RecordRow>;
  /** Returns the columns whose numbers are ambiguous, and describes each ambiguity. */
  doubts?(): readonly { readonly column: string; readonly about: string }[];
}

/** Returns the tables of a document in one format; an empty list for a document in another format. */
export type FindTables = (document: RecordDocument) => readonly RecordTable[];

export type ReadRows = (document: RecordDocument, reading: Reading) => Iterable<RecordRow>;

export const tableOf = (table: string, columns: readonly Column[], document: RecordDocument, read: ReadRows) =>
  [{ table, columns, rows: (reading) => read(document, reading) }] satisfies RecordTable[];

/** Creates the reader of a format with one record per line. `valuesOf` returns the values, or a problem as text. */
export const rowsByLine = (valuesOf: (text: string, times: TimeReader) => readonly Value[] | string): ReadRows =>
  function* (document, reading) {
    const times = reading.times();
    for (const { line, text } of recordLines(document)) {
      if (text.trim() === '') continue;
      const read = valuesOf(text, times);
      yield typeof read === 'string' ? { line, problem: read } : { line, values: read };
    }
  };
