import { type Boundary, type BoundaryFinder, bestBoundary, judgedBytes } from './boundaries.ts';
import type { Chunker, Emit } from './chunker.ts';
import { contentEnd, cutBefore, isBlank } from './cut.ts';
import { createTextWindow } from './text-window.ts';

const lineFeed = 0x0a;
const empty = Buffer.alloc(0);

/**
 * Creates a chunker that packs whole lines, and ends each chunk at the best boundary that `strengthOf` rates. A line
 * longer than a chunk becomes separate chunks, cut between characters and at a space where one is near.
 * @param chunkBytes at least 4. A chunk is longer only by the end of its line.
 */
export function createLinePacker(chunkBytes: number, strengthOf: BoundaryFinder, emit: Emit): Chunker {
  /** The unprocessed rest of the text, which begins at byte `base` of the document. */
  let text: Buffer = empty;
  let base = 0;
  let isLast = false;
  /** Start of the chunk, and the number of lines before it. */
  let startByte = 0;
  let startLine = 0;
  /** Start of the next line, the number of lines before it, and whether its start was rated. */
  let nextByte = 0;
  let nextLine = 0;
  let isJudged = false;
  /** Boundaries from the chunk's start to there. */
  let boundaries: Boundary[] = [];
  let afterBlank = false;
  let inLongLine = false;
  /** Last line feed that was searched for; infinite when the text did not contain one. */
  let feed = -1;

  /** Returns the end of the line at `from`; infinite until it has arrived. */
  function lineEnd(from: number): number {
    if (feed < from) {
      const found = text.indexOf(lineFeed, from - base);
      feed = found === -1 ? Number.POSITIVE_INFINITY : base + found;
    }
    return feed === Number.POSITIVE_INFINITY && isLast ? base + text.length : feed + 1;
  }

  const contentBytes = (end: number) =>
    end === Number.POSITIVE_INFINITY ? end : contentEnd(text, startByte - base, end - base) + base - startByte;

  function judge(end: number): void {
    if (isJudged) return;
    isJudged = true;
    const from = nextByte - base;
    const strength = strengthOf(text, from, Math.min(end - base, from + judgedBytes), afterBlank);
    if (strength > 0 && nextByte > startByte) boundaries.push({ byte: nextByte, line: nextLine, strength });
  }

  function passLine(end: number, isBlankLine: boolean): void {
    afterBlank = isBlankLine;
    nextByte = end;
    nextLine++;
    isJudged = false;
  }

  function endChunk(endByte: number, endLine: number): void {
    emit({ startLine: startLine + 1, endLine, startByte, endByte });
    startByte = endByte;
    startLine = endLine;
    if (boundaries.length > 0) boundaries = boundaries.filter(({ byte }) => byte > endByte);
  }

  function endAtBestBoundary(): void {
    const { byte, line } = bestBoundary(boundaries, startByte, chunkBytes) ?? { byte: nextByte, line: nextLine };
    endChunk(byte, line);
  }

  function endLongLine(end: number): void {
    passLine(end, false);
    inLongLine = false;
    endChunk(nextByte, nextLine);
  }

  function cutLongLine(): void {
    const cut = cutBefore(text, startByte - base, startByte - base + chunkBytes) + base;
    emit({ startLine: startLine + 1, endLine: startLine + 1, startByte, endByte: cut });
    startByte = cut;
  }

  function goOnInLongLine(): void {
    const end = lineEnd(startByte);
    if (contentBytes(end) > chunkBytes) cutLongLine();
    else endLongLine(end);
  }

  /** Skips the lines that fit. Returns whether a line is left that does not. */
  function passLines(): boolean {
    while (nextByte < base + text.length) {
      const end = lineEnd(nextByte);
      judge(end);
      const isFirst = nextByte === startByte;
      if ((isFirst ? contentBytes(end) : end - startByte) > chunkBytes) return true;
      passLine(end, isBlank(text, nextByte - base, end - base));
    }
    return false;
  }

  function pack(): void {
    if (inLongLine) goOnInLongLine();
    else if (!passLines()) endChunk(nextByte, nextLine);
    else if (nextByte === startByte) inLongLine = true;
    else endAtBestBoundary();
  }

  // A chunk with its line end, and the rated bytes of the next line.
  const lookahead = chunkBytes + 3 + judgedBytes;
  const window = createTextWindow(lookahead, (rest, last) => {
    text = rest;
    isLast = last;
    if (feed === Number.POSITIVE_INFINITY) feed = -1;
    const end = base + text.length;
    while (startByte < end && (isLast || end - startByte >= lookahead)) pack();
    const used = startByte - base;
    base = startByte;
    text = empty;
    return used;
  });
  return {
    write: (bytes) => window.add(bytes),
    end() {
      window.end();
      return startLine;
    },
  };
}
