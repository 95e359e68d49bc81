import type { Pacer } from '../../base/pacer.ts';
import type { LineMatcher } from '../../context/search/line-matcher.ts';
import { createLineSearch, type LineSink } from '../../context/search/line-search.ts';
import { type ByteRange, showAround } from '../../context/shown-text.ts';
import { asSource, type FileText } from '../files/walls/file-text.ts';
import { countFeeds, skipLines } from './lines-of.ts';

/** A line that matches. */
export interface MatchedLine {
  /** From 1. */
  readonly line: number;
  readonly startByte: number;
  /** The byte behind its end. */
  readonly endByte: number;
  /** The line, or of a long one what stands around the match. */
  readonly text: string;
  /** Range of the match in `text`, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Receives the lines that match. */
export interface MatchSink extends Pick<LineSink, 'isCounted'> {
  add(match: MatchedLine): void;
}

/** Characters of a long line that are kept around a match. */
export const keptCharacters = 1_500;

/** Searches a text block by block and hands on the lines that match. Throws what `rest` throws. */
export async function searchText(text: FileText, matcher: LineMatcher, sink: MatchSink, rest: Pacer): Promise<void> {
  const source = asSource(text);
  const counter = createLineCounter(text);
  const lineEnd = async (_: number, __: number, { endByte }: ByteRange) =>
    (await skipLines(text, endByte, 1, rest)).byte;
  const search = createLineSearch({ source, matcher, lineEnd, rest });
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

/** Counts lines on demand, for bytes that only grow. */
function createLineCounter(text: FileText) {
  let byte = 0;
  let line = 1;
  return {
    /** Returns the number of the line that begins at a byte. */
    at(startByte: number): number {
      line += countFeeds(text.read(byte, startByte));
      byte = startByte;
      return line;
    },
    /** Called for each block of a text that is not in memory, so that it is not read again. */
    pass(startByte: number, bytes: Buffer): void {
      line += countFeeds(bytes.subarray(byte - startByte));
      byte = startByte + bytes.length;
    },
    /** Called for each line that is longer than a block. */
    passLine({ startByte, endByte }: ByteRange): void {
      line += countFeeds(text.read(byte, startByte)) + 1;
      byte = endByte;
    },
  };
}
