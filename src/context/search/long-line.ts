import type { Pacer } from '../../base/pacer.ts';
import { type ByteRange, byteOffset, readBuffer, strayBytes, type TextSource, withoutEnd } from '../shown-text.ts';
import { createBlock } from './line-filter.ts';
import { decodeLine, type LineMatcher } from './line-matcher.ts';

/** What a long line came to. */
interface LongLine {
  /** The first match, or null. */
  readonly match: ByteRange | null;
  /** Where the search stopped: behind the line when there is no match. */
  readonly reachedByte: number;
}

const smallestPiece = 4 * 1024;

/** Pieces overlap by this share of their length, so that a match on a border is found in the next one. */
const overlapShare = 4;

const lineFeed = 0x0a;

/** A piece of a long line. */
interface LinePart {
  readonly startByte: number;
  /** What stands before the piece, so that no beginning of a line is seen there. */
  readonly before: string;
  readonly bytes: Buffer;
  readonly isLast: boolean;
  /** Behind the piece; for the last one behind the end of the line. */
  readonly endByte: number;
}

/** Looks for the first match in a line that is too long to be looked at in one go: in pieces that overlap. */
export async function searchLongLine(
  store: TextSource,
  document: number,
  startByte: number,
  matcher: LineMatcher,
  pace: Pacer,
): Promise<LongLine> {
  const pieceBytes = Math.max(smallestPiece, Math.floor(matcher.blockBytes / 2));
  for (let at = startByte; ; ) {
    const piece = readPiece(store, document, { startByte, at, pieceBytes });
    const match = searchPiece(piece, matcher);
    if (match !== null || piece.isLast) return { match, reachedByte: piece.endByte };
    const next = at + pieceBytes - Math.floor(pieceBytes / overlapShare);
    at = next + strayBytes(readBuffer(store, document, next, piece.endByte));
    await pace();
  }
}

interface LinePartRange {
  /** Of the line. */
  readonly startByte: number;
  readonly at: number;
  readonly pieceBytes: number;
}

function readPiece(store: TextSource, document: number, { startByte, at, pieceBytes }: LinePartRange): LinePart {
  const size = store.documents[document]!.bytes;
  const bytes = readBuffer(store, document, at, Math.min(size, at + pieceBytes));
  const feed = bytes.indexOf(lineFeed);
  const endByte = feed === -1 ? at + bytes.length : at + feed + 1;
  const isLast = feed !== -1 || endByte >= size;
  const earlier = readBuffer(store, document, Math.max(startByte, at - 4), at);
  const before = earlier.subarray(strayBytes(earlier)).toString('utf8');
  const content = bytes.subarray(0, endByte - at);
  return { startByte: at, before, bytes: isLast ? withoutEnd(content) : content, isLast, endByte };
}

function searchPiece(piece: LinePart, matcher: LineMatcher): ByteRange | null {
  const { before, bytes, isLast } = piece;
  if (matcher.filter(createBlock(bytes)).next(0) === -1) return null;
  const content = decodeLine(bytes);
  // What follows is not the end of the line: a line feed is what fewest patterns go over.
  const text = `${before}${content}${isLast ? '' : '\n'}`;
  if (!matcher.matches(text)) return null;
  const range = matcher.find(text, before.length);
  const limit = before.length + content.length;
  if (range === null || range.end > limit || (!isLast && matcher.looksBeyond && range.end === limit)) return null;
  const byteAt = (index: number) => piece.startByte + byteOffset(bytes, content, index - before.length);
  return { startByte: byteAt(range.start), endByte: byteAt(range.end) };
}
