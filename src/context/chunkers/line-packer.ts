import {
  type Boundary,
  type BoundaryFinder,
  bestBoundary,
  contentEnd,
  cutBefore,
  isBlank,
  judgedBytes,
} from './boundaries.ts';
import { type Chunker, createTextWindow, type Emit } from './chunker.ts';

const lineFeed = 0x0a;

/** Creates a chunker that packs whole lines and ends each chunk at the best boundary; `chunkBytes` is 4 or more. */
export function createLinePacker(chunkBytes: number, strengthOf: BoundaryFinder, emit: Emit): Chunker {
  /** The chunk's start, and the number of lines before it. */
  let [startByte, startLine] = [0, 0];
  let [nextByte, nextLine] = [0, 0];
  let boundaries: Boundary[] = [];
  let afterBlank = false;
  let inLongLine = false;

  function endChunk(endByte: number, endLine: number): void {
    emit({ startLine: startLine + 1, endLine, startByte, endByte });
    [startByte, startLine] = [endByte, endLine];
    if (boundaries.length > 0) boundaries = boundaries.filter(({ byte }) => byte > endByte);
  }

  /** Rates the start of a line. Ends chunks until the line fits into the current chunk or begins a new chunk. */
  function makeRoom(text: Buffer, from: number, end: number): void {
    const strength = strengthOf(text, from, Math.min(end, from + judgedBytes), afterBlank);
    if (strength > 0 && nextByte > startByte) boundaries.push({ byte: nextByte, line: nextLine, strength });
    while (nextByte > startByte && nextByte + end - from - startByte > chunkBytes) {
      const best = bestBoundary(boundaries, startByte, chunkBytes);
      endChunk(best?.byte ?? nextByte, best?.line ?? nextLine);
    }
  }

  /** Takes a line. If the end of a long line has not arrived, takes only complete chunks. Returns where to continue. */
  function takeLine(text: Buffer, from: number, end: number, hasEnded: boolean): number {
    if (!inLongLine) makeRoom(text, from, end);
    let at = from;
    const least = hasEnded ? chunkBytes : lookahead - 1;
    while (end - at > least && contentEnd(text, at, end) - at > chunkBytes) {
      inLongLine = true;
      const cut = cutBefore(text, at, at + chunkBytes);
      nextByte += cut - at;
      emit({ startLine: startLine + 1, endLine: startLine + 1, startByte, endByte: nextByte });
      [startByte, at] = [nextByte, cut];
    }
    if (!hasEnded) return at;
    nextByte += end - at;
    nextLine++;
    afterBlank = !inLongLine && isBlank(text, from, end);
    if (inLongLine) endChunk(nextByte, nextLine);
    inLongLine = false;
    return end;
  }

  // A line is taken before its end arrives if it is as long as a chunk, a line break and `judgedBytes` together.
  const lookahead = chunkBytes + 3 + judgedBytes;
  const window = createTextWindow(lookahead, (text, isLast) => {
    for (let at = 0; ; ) {
      const feed = text.indexOf(lineFeed, at);
      const hasEnded = feed !== -1 || isLast;
      if (at === text.length || (!hasEnded && text.length - at < lookahead)) return at;
      at = takeLine(text, at, feed === -1 ? text.length : feed + 1, hasEnded);
    }
  });
  return {
    write: window.add,
    end() {
      window.end();
      if (nextByte > startByte) endChunk(nextByte, nextLine);
      return nextLine;
    },
  };
}
