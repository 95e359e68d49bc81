import { counted } from '../base/text.ts';
import { RlmError } from '../errors.ts';
import { type ContextStore, findDocument } from './document.ts';
import { createLineFinder } from './lines.ts';
import { type ByteRange, byteOffset, type LineRange, readBuffer, strayBytes } from './shown-text.ts';

/** A range of a document, by lines or bytes. */
export type PeekRange = { readonly document: string } & (LineRange | ByteRange);

export interface PeekBounds {
  /** Maximum number of lines; default: 200. */
  readonly maxLines?: number | undefined;
  /** Maximum length of the text in UTF-16 units; default: 20,000. */
  readonly maxCharacters?: number | undefined;
}

/** The shown part of a range of a document. */
export interface Peek extends ByteRange {
  readonly source: string;
  /** Lines of the first and the last shown character. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Number of bytes at the end of the range that are not shown. */
  readonly leftOutBytes: number;
  readonly documentLines: number;
}

const defaultLines = 200;
const defaultCharacters = 20_000;
const lineFeed = 0x0a;

/**
 * Returns as much text from the start of a range as the bounds allow. A range that extends beyond the document ends at
 * the end of the document.
 * @throws RlmError `input-missing` for an unknown document, `usage` for a range that is invalid or begins outside of
 *   the document; the error of `read`.
 */
export function peek(store: ContextStore, range: PeekRange, bounds: PeekBounds = {}): Peek {
  const document = findDocument(store, range.document);
  const wanted = 'startLine' in range ? bytesOfLines(store, document, range) : wholeCharacters(store, document, range);
  const shown = readWithin(store, document, wanted, bounds);
  const endByte = wanted.startByte + shown.bytes;
  const lines = createLineFinder(store);
  const lineOf = (byte: number) => lines.around(document, byte)?.line ?? 0;
  return {
    source: range.document,
    startLine: lineOf(wanted.startByte),
    endLine: lineOf(Math.max(wanted.startByte, endByte - 1)),
    startByte: wanted.startByte,
    endByte,
    text: shown.text,
    leftOutBytes: wanted.endByte - endByte,
    documentLines: store.documents[document]!.lines,
  };
}

function outside(document: string, has: string): RlmError {
  return new RlmError('usage', `the range begins outside of '${document}', which has ${has}`, {
    hint: 'The first line is 1, and the first byte is 0. The end must not be before the start.',
  });
}

const isCount = (value: number, least: number) => Number.isInteger(value) && value >= least;

function bytesOfLines(store: ContextStore, document: number, range: LineRange): ByteRange {
  const { startLine, endLine } = range;
  const { name, lines: count, bytes } = store.documents[document]!;
  const lines = createLineFinder(store);
  const first = isCount(startLine, 1) && isCount(endLine, startLine) ? lines.at(document, startLine) : null;
  if (first === null) throw outside(name, counted(count, 'line'));
  return { startByte: first.startByte, endByte: lines.at(document, endLine)?.endByte ?? bytes };
}

function wholeCharacters(store: ContextStore, document: number, range: ByteRange): ByteRange {
  const { name, bytes } = store.documents[document]!;
  const { startByte, endByte } = range;
  if (!isCount(startByte, 0) || !isCount(endByte, startByte) || startByte >= bytes)
    throw outside(name, counted(bytes, 'byte'));
  const end = Math.min(endByte, bytes);
  const stray = strayBytes(readBuffer(store, document, startByte, Math.min(bytes, startByte + 3)));
  const start = Math.min(end, startByte + stray);
  return { startByte: start, endByte: Math.max(start, beforeCut(store, document, end)) };
}

/** Returns the end of the last whole character up to `end`. */
function beforeCut(store: ContextStore, document: number, end: number): number {
  const from = Math.max(0, end - 3);
  const around = readBuffer(store, document, from, Math.min(end + 1, store.documents[document]!.bytes));
  let cut = end;
  while (cut > from && ((around[cut - from] ?? 0) & 0xc0) === 0x80) cut--;
  return cut;
}

/** Returns as many whole lines of the range as the bounds allow; for an overlong first line, its beginning. */
function readWithin(store: ContextStore, document: number, { startByte, endByte }: ByteRange, bounds: PeekBounds) {
  const { maxLines = defaultLines, maxCharacters = defaultCharacters } = bounds;
  const bytes = readBuffer(store, document, startByte, Math.min(endByte, startByte + maxCharacters * 3));
  const end = endOfLines(bytes, maxLines);
  const text = bytes.toString('utf8', 0, end);
  const isWhole = text.length <= maxCharacters && (end < bytes.length || startByte + end === endByte);
  if (isWhole) return { text, bytes: end };
  const kept = text.slice(0, maxCharacters);
  const length = kept.lastIndexOf('\n') + 1 || wholeLength(kept);
  return { text: kept.slice(0, length), bytes: byteOffset(bytes.subarray(0, end), text, length) };
}

/** Returns the length of a text. Leaves out the last character if it is, or might be, incomplete. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return (last >= 0xd800 && last <= 0xdbff) || last === 0xfffd ? text.length - 1 : text.length;
}

function endOfLines(bytes: Buffer, maxLines: number): number {
  let end = 0;
  for (let lines = 0; lines < maxLines && end < bytes.length; lines++) {
    const feed = bytes.indexOf(lineFeed, end);
    end = feed === -1 ? bytes.length : feed + 1;
  }
  return end;
}
