import type { Pacer } from '../../base/pacer.ts';
import { readBlock } from '../../context/search/blocks.ts';
import { createBlock } from '../../context/search/line-filter.ts';
import type { LineMatcher } from '../../context/search/line-matcher.ts';
import { searchLongLine } from '../../context/search/long-line.ts';
import { rangeIn } from '../../context/search/search.ts';
import { createWorkTimer } from '../../context/search/work-timer.ts';
import { type ByteRange, showAround, withoutEnd } from '../../context/shown-text.ts';
import { countFeeds, skipLines } from './lines-of.ts';
import { asSource, type FileText } from './walls/file-text.ts';

/** A line that matches. */
export interface MatchedLine {
  /** From 1. */
  readonly line: number;
  readonly startByte: number;
  /** Behind its end. */
  readonly endByte: number;
  /** Shortened, around the match. */
  readonly shown: string;
}

/** What is done with the lines that match. */
export interface MatchSink {
  /** Whether lines are still wanted, or only counted. */
  wants(): boolean;
  add(match: MatchedLine): void;
  count(): void;
}

const shownCharacters = 300;
const lineFeed = 0x0a;

/** Goes through a text block by block and hands on the lines that match. */
export async function searchText(text: FileText, matcher: LineMatcher, sink: MatchSink, rest: Pacer): Promise<void> {
  const source = asSource(text);
  const counter = createLineCounter(text);
  const timer = createWorkTimer();
  let shownLines = 0;

  function hit(startByte: number, endByte: number, match: () => ByteRange): void {
    if (!sink.wants()) {
      sink.count();
      return;
    }
    const line = { startByte, endByte };
    const shown = showAround(source, 0, line, match(), shownCharacters).text;
    shownLines++;
    sink.add({ ...line, line: counter.at(startByte), shown });
  }

  function searchLines(blockStart: number, bytes: Buffer): void {
    const filter = matcher.filter(createBlock(bytes));
    timer.begin();
    const shownBefore = shownLines;
    let lines = 0;
    for (let from = 0; from < bytes.length; lines++) {
      const found = filter.next(from);
      if (found === -1) break;
      const start = found === 0 ? 0 : bytes.lastIndexOf(lineFeed, found - 1) + 1;
      from = filter.lineEnd(found);
      const line = withoutEnd(bytes.subarray(start, from));
      if (!filter.isExact && !matcher.test(line)) continue;
      hit(blockStart + start, blockStart + from, () => rangeIn(line, blockStart + start, matcher));
    }
    // Where lines were shown, the time says nothing of the filter.
    matcher.learn({ bytes: bytes.length, lines, ms: shownLines === shownBefore ? timer.spentMs() : 0 });
  }

  /** @returns the byte behind the line. */
  async function searchLong(startByte: number): Promise<number> {
    const { match, reachedByte } = await searchLongLine(source, 0, startByte, matcher, rest);
    if (match === null) return reachedByte;
    const { byte: endByte } = await skipLines(text, match.endByte, 1, rest);
    hit(startByte, endByte, () => match);
    return endByte;
  }

  for (let at = 0; at < text.bytes; ) {
    await rest();
    const { bytes, isCut } = readBlock(source, 0, at, matcher.blockBytes);
    const end = isCut ? await searchLong(at) : at + bytes.length;
    if (!isCut) searchLines(at, bytes);
    if (isCut) counter.passLine({ startByte: at, endByte: end });
    else if (!text.isWhole) counter.pass(at, bytes);
    at = end;
  }
}

/** Counts the lines of a text as far as somebody wants to know; asked with growing bytes. */
function createLineCounter(text: FileText) {
  let byte = 0;
  let line = 1;
  return {
    /** The line that begins at a byte. */
    at(startByte: number): number {
      line += countFeeds(text.read(byte, startByte));
      byte = startByte;
      return line;
    },
    /** Told of every block where the text is not in memory, so that it need not be read again. */
    pass(startByte: number, bytes: Buffer): void {
      line += countFeeds(bytes.subarray(byte - startByte));
      byte = startByte + bytes.length;
    },
    /** Told of a line that is no block. */
    passLine({ startByte, endByte }: ByteRange): void {
      line += countFeeds(text.read(byte, startByte)) + 1;
      byte = endByte;
    },
  };
}
