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

/** The text that has arrived and is in no chunk yet. */
interface RestOfText {
  bytes: Buffer;
  /** Byte of the document where it begins. */
  base: number;
  /** Whether no more text follows. */
  isLast: boolean;
  /** Last line feed that was searched for; infinite when the text did not contain one. */
  feed: number;
}

interface LineStart {
  byte: number;
  /** Number of lines before it. */
  line: number;
}

/** The state of a packer. Places are in bytes of the document. */
interface Packing {
  readonly chunkBytes: number;
  readonly strengthOf: BoundaryFinder;
  readonly emit: Emit;
  readonly text: RestOfText;
  /** Where the chunk begins: at a line, or within one that is longer than a chunk. */
  readonly start: LineStart;
  readonly next: LineStart;
  /** Whether the start of the next line was rated. */
  isJudged: boolean;
  /** Boundaries from the chunk's start to the next line. */
  boundaries: Boundary[];
  afterBlank: boolean;
  inLongLine: boolean;
}

const lineFeed = 0x0a;
const empty = Buffer.alloc(0);

/** Creates a chunker that packs whole lines and ends each chunk at the best boundary; `chunkBytes` is 4 or more. */
export function createLinePacker(chunkBytes: number, strengthOf: BoundaryFinder, emit: Emit): Chunker {
  const text: RestOfText = { bytes: empty, base: 0, isLast: false, feed: -1 };
  const start: LineStart = { byte: 0, line: 0 };
  const packing: Packing = {
    chunkBytes,
    strengthOf,
    emit,
    text,
    start,
    next: { byte: 0, line: 0 },
    isJudged: false,
    boundaries: [],
    afterBlank: false,
    inLongLine: false,
  };
  // A chunk with its line end, and the rated bytes of the next line.
  const lookahead = chunkBytes + 3 + judgedBytes;
  const window = createTextWindow(lookahead, (rest, isLast) => {
    text.bytes = rest;
    text.isLast = isLast;
    if (text.feed === Number.POSITIVE_INFINITY) text.feed = -1;
    const end = text.base + rest.length;
    while (start.byte < end && (isLast || end - start.byte >= lookahead)) pack(packing);
    const used = start.byte - text.base;
    text.base = start.byte;
    text.bytes = empty;
    return used;
  });
  return {
    write: (bytes) => window.add(bytes),
    end() {
      window.end();
      return start.line;
    },
  };
}

/** Ends the chunk, or passes the first line of a chunk that is too long for it. */
function pack(packing: Packing): void {
  const { start, next } = packing;
  if (packing.inLongLine) goOnInLongLine(packing);
  else if (!passLines(packing)) endChunk(packing, next.byte, next.line);
  else if (next.byte === start.byte) packing.inLongLine = true;
  else endAtBestBoundary(packing);
}

/** Skips the lines that fit. Returns whether a line is left that does not. */
function passLines(packing: Packing): boolean {
  const { text, start, next, chunkBytes } = packing;
  while (next.byte < text.base + text.bytes.length) {
    const end = lineEnd(text, next.byte);
    judge(packing, end);
    const isFirst = next.byte === start.byte;
    if ((isFirst ? contentBytes(text, start.byte, end) : end - start.byte) > chunkBytes) return true;
    passLine(packing, end, isBlank(text.bytes, next.byte - text.base, end - text.base));
  }
  return false;
}

/** Rates the start of the next line, once. */
function judge(packing: Packing, end: number): void {
  if (packing.isJudged) return;
  packing.isJudged = true;
  const { text, start, next } = packing;
  const from = next.byte - text.base;
  const to = Math.min(end - text.base, from + judgedBytes);
  const strength = packing.strengthOf(text.bytes, from, to, packing.afterBlank);
  if (strength > 0 && next.byte > start.byte) packing.boundaries.push({ byte: next.byte, line: next.line, strength });
}

function passLine(packing: Packing, end: number, isBlankLine: boolean): void {
  packing.afterBlank = isBlankLine;
  packing.next.byte = end;
  packing.next.line++;
  packing.isJudged = false;
}

function endAtBestBoundary(packing: Packing): void {
  const { byte, line } = bestBoundary(packing.boundaries, packing.start.byte, packing.chunkBytes) ?? packing.next;
  endChunk(packing, byte, line);
}

function endChunk(packing: Packing, endByte: number, endLine: number): void {
  const { start, boundaries } = packing;
  packing.emit({ startLine: start.line + 1, endLine, startByte: start.byte, endByte });
  start.byte = endByte;
  start.line = endLine;
  if (boundaries.length > 0) packing.boundaries = boundaries.filter(({ byte }) => byte > endByte);
}

function goOnInLongLine(packing: Packing): void {
  const { text, start } = packing;
  const end = lineEnd(text, start.byte);
  if (contentBytes(text, start.byte, end) > packing.chunkBytes) cutLongLine(packing);
  else endLongLine(packing, end);
}

function cutLongLine({ text, start, chunkBytes, emit }: Packing): void {
  const from = start.byte - text.base;
  const endByte = cutBefore(text.bytes, from, from + chunkBytes) + text.base;
  emit({ startLine: start.line + 1, endLine: start.line + 1, startByte: start.byte, endByte });
  start.byte = endByte;
}

function endLongLine(packing: Packing, end: number): void {
  passLine(packing, end, false);
  packing.inLongLine = false;
  endChunk(packing, packing.next.byte, packing.next.line);
}

/** Returns the end of the line at `from`; infinite until it has arrived. */
function lineEnd(text: RestOfText, from: number): number {
  if (text.feed < from) {
    const found = text.bytes.indexOf(lineFeed, from - text.base);
    text.feed = found === -1 ? Number.POSITIVE_INFINITY : text.base + found;
  }
  return text.feed === Number.POSITIVE_INFINITY && text.isLast ? text.base + text.bytes.length : text.feed + 1;
}

/** Returns the bytes from a place to the end of its line, without the characters that end it; infinite as `lineEnd`. */
function contentBytes({ bytes, base }: RestOfText, from: number, end: number): number {
  return end === Number.POSITIVE_INFINITY ? end : contentEnd(bytes, from - base, end - base) + base - from;
}
