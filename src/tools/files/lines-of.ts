import type { Pacer } from '../../base/pacer.ts';
import type { FileText } from './walls/file-text.ts';

const lineFeed = 0x0a;
const pieceBytes = 256 * 1024;

/** How many line feeds there are; a search for each takes a third of the time of a loop over all bytes. */
export function countFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/**
 * Where a line begins, and how many lines there are before it: fewer than asked for, where it lies behind the last
 * one.
 */
export interface LineStart {
  readonly byte: number;
  readonly linesBefore: number;
}

/**
 * Goes through a text, from the beginning of a line, over so many lines or to its end.
 * @param rest called now and then.
 */
export async function skipLines(text: FileText, startByte: number, lines: number, rest: Pacer): Promise<LineStart> {
  let linesBefore = 0;
  for (let at = startByte; at < text.bytes; at += pieceBytes) {
    await rest();
    const piece = text.read(at, Math.min(text.bytes, at + pieceBytes));
    const feeds = countFeeds(piece);
    if (linesBefore + feeds >= lines)
      return { byte: at + offsetBehind(piece, lines - linesBefore), linesBefore: lines };
    linesBefore += feeds;
  }
  const isOpen = startByte < text.bytes && text.read(text.bytes - 1, text.bytes)[0] !== lineFeed;
  return { byte: text.bytes, linesBefore: linesBefore + (isOpen ? 1 : 0) };
}

/** The offset behind so many line feeds. */
function offsetBehind(piece: Buffer, feeds: number): number {
  let offset = 0;
  for (let left = feeds; left > 0; left--) offset = piece.indexOf(lineFeed, offset) + 1;
  return offset;
}
