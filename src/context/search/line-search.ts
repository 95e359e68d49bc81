import type { Pacer } from '../../base/time.ts';
import { type ByteRange, byteOffset, readBuffer, type TextSource, withoutEnd } from '../shown-text.ts';
import { createBlock } from './line-filter.ts';
import { decodeLine, type LineMatcher } from './line-matcher.ts';
import { searchLongLine } from './long-line.ts';

const lineFeed = 0x0a;

interface SearchedLines extends ByteRange {
  /** The bytes of the lines; null for a line that is longer than a block. */
  readonly bytes: Buffer | null;
}

export interface LineSink {
  /** Called once for each matching line. Returns true if the line is only counted; otherwise `add` receives it. */
  isCounted(): boolean;
  /** Takes a matching line and its first match. */
  add(line: ByteRange, match: ByteRange): Promise<void> | void;
  /** Called after each block and each long line, in text order. Returns whether to continue. */
  searched(lines: SearchedLines): boolean;
}

interface LineSearchOptions {
  readonly source: TextSource;
  readonly matcher: LineMatcher;
  /**
   * Buffer for the bytes of a block. Its size is at least the matcher's block size. Allocating memory for each block
   * would take longer than searching for a rare text.
   */
  readonly room?: Uint8Array;
  /** Returns the end of a line that is longer than a block and has a match. */
  lineEnd(document: number, startByte: number, match: ByteRange): Promise<number> | number;
  /** Called after each block and each piece of a long line; throws to end the search. */
  readonly rest: Pacer;
}

type LineSearch = (document: number, sink: LineSink) => Promise<void>;

/** Creates a block-by-block search of documents. */
export function createLineSearch({ source, matcher, room, lineEnd, rest }: LineSearchOptions): LineSearch {
  async function searchBlock(startByte: number, bytes: Buffer, sink: LineSink): Promise<void> {
    const filter = matcher.filter(createBlock(bytes));
    let candidates = 0;
    for (let from = 0; from < bytes.length; candidates++) {
      const hit = filter.next(from);
      if (hit === -1) break;
      from = filter.lineEnd(hit);
      if (filter.isExact && sink.isCounted()) continue;
      const start = hit === 0 ? 0 : bytes.lastIndexOf(lineFeed, hit - 1) + 1;
      const line = withoutEnd(bytes.subarray(start, from));
      if (!filter.isExact && (!matcher.test(line) || sink.isCounted())) continue;
      const place = { startByte: startByte + start, endByte: startByte + from };
      await sink.add(place, rangeIn(line, place.startByte, matcher));
    }
    matcher.learn(bytes.length, candidates);
  }

  /** Searches a line that is longer than a block. Returns where it ends. */
  async function searchLong(document: number, startByte: number, sink: LineSink): Promise<number> {
    const { match, reachedByte } = await searchLongLine(source, document, startByte, matcher, rest);
    if (match === null) return reachedByte;
    const endByte = await lineEnd(document, startByte, match);
    if (!sink.isCounted()) await sink.add({ startByte, endByte }, match);
    return endByte;
  }

  return async (document, sink) => {
    const { bytes: size } = source.documents[document]!;
    for (let at = 0, goesOn = true; at < size && goesOn; ) {
      const read = readBuffer(source, document, at, Math.min(size, at + matcher.blockBytes), room);
      const isLast = at + read.length >= size;
      const bytes = isLast ? read : read.subarray(0, read.lastIndexOf(lineFeed) + 1);
      // Without a line end, the block is the start of a longer line.
      const isCut = bytes.length === 0;
      const end = isCut ? await searchLong(document, at, sink) : at + bytes.length;
      if (!isCut) await searchBlock(at, bytes, sink);
      goesOn = sink.searched({ startByte: at, endByte: end, bytes: isCut ? null : bytes });
      at = end;
      await rest();
    }
  };
}

function rangeIn(line: Buffer, startByte: number, matcher: LineMatcher): ByteRange {
  const text = decodeLine(line);
  const { start, end } = matcher.find(text, 0)!;
  return { startByte: startByte + byteOffset(line, text, start), endByte: startByte + byteOffset(line, text, end) };
}
