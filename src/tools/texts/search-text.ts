import { createPacer, type Pacer } from '../../base/time.ts';
import { countFeeds } from '../../context/lines.ts';
import { createLineMatcher, type LineMatcher } from '../../context/search/line-matcher.ts';
import { createLineSearch, type LineSink } from '../../context/search/line-search.ts';
import { type ByteRange, showAround } from '../../context/shown-text.ts';
import { RlmError } from '../../errors.ts';
import { asSource, type FileText } from '../files/walls/file-text.ts';
import type { ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

const lineFeed = 0x0a;
const pieceBytes = 256 * 1024;

const sliceMs = 20;

/** Creates a pacer that throws the signal's reason if the signal is aborted. */
export function pacerOf({ signal }: Pick<ToolWorld, 'signal'>): Pacer {
  const pace = createPacer(sliceMs);
  return () => {
    signal.throwIfAborted();
    return pace();
  };
}

/** Creates the matcher of a model's pattern. Throws ToolError for an invalid pattern. */
export async function matcherOf(pattern: string, caseSensitive: boolean): Promise<LineMatcher> {
  try {
    return await createLineMatcher(pattern, !caseSensitive);
  } catch (error) {
    if (error instanceof RlmError) throw new ToolError(`${error.message}. ${error.hint}`);
    throw error;
  }
}

/**
 * Skips `lines` lines, the first of which begins at `startByte`.
 * @returns `byte`: where the next line begins, or the end of the text; `linesBefore`: the number of skipped lines.
 * @param pace called from time to time, to yield.
 */
export async function skipLines(text: FileText, startByte: number, lines: number, pace: Pacer) {
  let linesBefore = 0;
  for (let at = startByte; at < text.bytes; at += pieceBytes) {
    await pace();
    const piece = text.read(at, Math.min(text.bytes, at + pieceBytes));
    const feeds = countFeeds(piece);
    if (linesBefore + feeds >= lines) {
      let offset = 0;
      for (let left = lines - linesBefore; left > 0; left--) offset = piece.indexOf(lineFeed, offset) + 1;
      return { byte: at + offset, linesBefore: lines };
    }
    linesBefore += feeds;
  }
  const isOpen = startByte < text.bytes && text.read(text.bytes - 1, text.bytes)[0] !== lineFeed;
  return { byte: text.bytes, linesBefore: linesBefore + (isOpen ? 1 : 0) };
}

export interface MatchedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly startByte: number;
  /** The byte after the end of the line. */
  readonly endByte: number;
  /** The line; if the line is long, only the part around the match. */
  readonly text: string;
  /** Range of the match in `text`, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface MatchSink extends Pick<LineSink, 'isCounted'> {
  add(match: MatchedLine): void;
}

/** Characters of a long line that are kept around a match. */
export const keptCharacters = 1_500;

/** Searches a text block by block and passes the matching lines to `sink`. */
export async function searchText(text: FileText, matcher: LineMatcher, sink: MatchSink, pace: Pacer): Promise<void> {
  const source = asSource(text);
  const counter = createLineCounter(text);
  const lineEnd = async (_: number, __: number, { endByte }: ByteRange) =>
    (await skipLines(text, endByte, 1, pace)).byte;
  const search = createLineSearch({ source, matcher, lineEnd, rest: pace });
  await search(0, {
    isCounted: () => sink.isCounted(),
    add(line, match) {
      const { text: shown, start, end } = showAround(source, 0, line, match, keptCharacters);
      sink.add({ ...line, line: counter.at(line.startByte), text: shown, start, end });
    },
    searched(lines) {
      if (lines.bytes === null) counter.passLine(lines);
      else if (!text.isWhole) counter.pass(lines.startByte, lines.bytes);
      return true;
    },
  });
}

/** Creates a counter that returns the line number at a position. Positions must ascend. */
function createLineCounter(text: FileText) {
  let byte = 0;
  let line = 1;
  return {
    at(startByte: number): number {
      line += countFeeds(text.read(byte, startByte));
      byte = startByte;
      return line;
    },
    /** Counts the lines in a block that the search has read, so that the block is not read again for counting. */
    pass(startByte: number, bytes: Buffer): void {
      line += countFeeds(bytes.subarray(byte - startByte));
      byte = startByte + bytes.length;
    },
    /** Counts the lines up to the end of a line that is longer than a block. */
    passLine({ startByte, endByte }: ByteRange): void {
      line += countFeeds(text.read(byte, startByte)) + 1;
      byte = endByte;
    },
  };
}
