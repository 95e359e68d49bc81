import type { Pacer } from '../../base/pacer.ts';
import type { FileText } from '../files/walls/file-text.ts';

const lineFeed = 0x0a;
const pieceBytes = 256 * 1024;

/** Counts the line feeds; a search for each takes a third of the time of a loop over all bytes. */
export function countFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** The beginning of a line, and the number of lines before it: fewer than asked for behind the last line. */
export interface LineStart {
  readonly byte: number;
  readonly linesBefore: number;
}

/**
 * Skips `lines` lines from the beginning of a line, or all up to the end of the text.
 * @param rest called from time to time, to yield.
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

/** Returns the offset after `feeds` line feeds. */
function offsetBehind(piece: Buffer, feeds: number): number {
  let offset = 0;
  for (let left = feeds; left > 0; left--) offset = piece.indexOf(lineFeed, offset) + 1;
  return offset;
}
