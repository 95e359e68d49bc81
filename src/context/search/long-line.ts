import type { Pacer } from '../../base/time.ts';
import { type ByteRange, byteOffset, readBuffer, strayBytes, type TextSource, withoutEnd } from '../shown-text.ts';
import { createBlock } from './line-filter.ts';
import { decodeLine, type LineMatcher } from './line-matcher.ts';

interface LongLine {
  readonly match: ByteRange | null;
  /** Where the search stopped; without a match, the end of the line. */
  readonly reachedByte: number;
}

const smallestPiece = 4 * 1024;

/** Pieces overlap by a quarter, so that the next piece contains a short match that crosses a border. */
const overlapDivisor = 4;

const lineFeed = 0x0a;

interface LinePart {
  readonly startByte: number;
  /** The last characters before the piece, so that `^` does not match at its start. */
  readonly before: string;
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Finds the first match in a line that is longer than a block. */
export async function searchLongLine(
  store: TextSource,
  document: number,
  startByte: number,
  matcher: LineMatcher,
  pace: Pacer,
): Promise<LongLine> {
  const pieceBytes = Math.max(smallestPiece, Math.floor(matcher.blockBytes / 2));
  const size = store.documents[document]!.bytes;
  for (let at = startByte; ; ) {
    const bytes = readBuffer(store, document, at, Math.min(size, at + pieceBytes));
    const feed = bytes.indexOf(lineFeed);
    const endByte = feed === -1 ? at + bytes.length : at + feed + 1;
    const isLast = feed !== -1 || endByte >= size;
    const earlier = readBuffer(store, document, Math.max(startByte, at - 4), at);
    const before = earlier.subarray(strayBytes(earlier)).toString('utf8');
    const content = bytes.subarray(0, endByte - at);
    const match = searchPiece(
      { startByte: at, before, bytes: isLast ? withoutEnd(content) : content, isLast },
      matcher,
    );
    if (match !== null || isLast) return { match, reachedByte: endByte };
    const next = at + pieceBytes - Math.floor(pieceBytes / overlapDivisor);
    at = next + strayBytes(readBuffer(store, document, next, endByte));
    await pace();
  }
}

function searchPiece(piece: LinePart, matcher: LineMatcher): ByteRange | null {
  const { before, bytes, isLast } = piece;
  if (matcher.filter(createBlock(bytes)).next(0) === -1) return null;
  const content = decodeLine(bytes);
  // If the line continues, a line feed stands for its rest, so that `$` does not match at the end of the piece.
  const text = `${before}${content}${isLast ? '' : '\n'}`;
  if (!matcher.matches(text)) return null;
  const range = matcher.find(text, before.length);
  const limit = before.length + content.length;
  if (range === null || range.end > limit || (!isLast && matcher.looksBeyond && range.end === limit)) return null;
  const byteAt = (index: number) => piece.startByte + byteOffset(bytes, content, index - before.length);
  return { startByte: byteAt(range.start), endByte: byteAt(range.end) };
}
