import { isUtf8 } from 'node:buffer';
import { firstWhere } from '../base/arrays.ts';
import { contentEnd } from './chunkers/boundaries.ts';
import type { ContextStore } from './document.ts';

/** Text of a document for display. `…` marks left-out text. */
export interface ShownText {
  readonly text: string;
  readonly isCut: boolean;
}

/** A range of lines, from 1; both ends are included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** A range of a document, in bytes; the end is exclusive. */
export interface ByteRange {
  readonly startByte: number;
  readonly endByte: number;
}

/** Documents with their bytes, but without chunks. */
export type TextSource = Pick<ContextStore, 'documents' | 'read'>;

const bytesPerCharacter = 4;

/** Returns bytes of a document as a Buffer; see `ContextStore.read`. */
export function readBuffer(store: TextSource, document: number, startByte: number, endByte: number, room?: Uint8Array) {
  const { buffer, byteOffset, byteLength } = store.read(document, startByte, endByte, room);
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Returns the bytes of a line without its line end. */
export function withoutEnd(line: Buffer): Buffer {
  return line.subarray(0, contentEnd(line, 0, line.length));
}

/** Returns the number of bytes at the start that continue a character, at most 3. */
export function strayBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && (bytes[count]! & 0xc0) === 0x80) count++;
  return count;
}

/** Returns at most `count` characters, without half of a surrogate pair at the end. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const last = text.charCodeAt(count - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? count - 1 : count);
}

/** Shows the beginning of a line. */
export function showLine(store: TextSource, document: number, line: ByteRange, maxCharacters: number): ShownText {
  const end = Math.min(line.endByte, line.startByte + (maxCharacters + 1) * bytesPerCharacter);
  const text = withoutEnd(readBuffer(store, document, line.startByte, end)).toString('utf8');
  const shown = firstCharacters(text, maxCharacters);
  return shown === text ? { text, isCut: false } : { text: `${shown}…`, isCut: true };
}

/** Shows the part of a line around a range. `start` and `end`: the range in the shown text, in UTF-16 units. */
export function showAround(
  store: TextSource,
  document: number,
  line: ByteRange,
  range: ByteRange,
  maxCharacters: number,
): ShownText & { readonly start: number; readonly end: number } {
  const room = Math.max(Math.floor(maxCharacters / 4), maxCharacters - (range.endByte - range.startByte));
  const isWhole = line.endByte - line.startByte <= maxCharacters;
  let from = isWhole ? line.startByte : Math.max(line.startByte, range.startByte - Math.floor(room / 2));
  if (from > line.startByte) from += strayBytes(readBuffer(store, document, from, Math.min(from + 3, range.startByte)));
  const textOf = (start: number, end: number) => readBuffer(store, document, start, end).toString('utf8');
  const { startByte, endByte } = range;
  const before = textOf(from, startByte);
  const left = maxCharacters - before.length;
  const { text, isCut } = showLine(store, document, { startByte, endByte: line.endByte }, left);
  const shownEnd = Math.min(endByte, startByte + maxCharacters * bytesPerCharacter);
  const match = firstCharacters(textOf(startByte, shownEnd), left);
  const lead = from > line.startByte ? '…' : '';
  const start = lead.length + before.length;
  return { text: `${lead}${before}${text}`, isCut: isCut || lead !== '', start, end: start + match.length };
}

/** Returns the offset in `bytes` of the character at `index` in `text`, which is the decoded `bytes`. */
export function byteOffset(bytes: Buffer, text: string, index: number): number {
  if (isUtf8(bytes)) return Buffer.byteLength(text.slice(0, index));
  // Decoding turns each invalid sequence of one to three bytes into U+FFFD, which has three bytes.
  return firstWhere(0, bytes.length + 1, (end) => bytes.toString('utf8', 0, end).length > index) - 1;
}
