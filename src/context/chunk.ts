import type { Chunk, Document } from './document.ts';

/** How large chunks are. */
export interface ChunkOptions {
  /** In bytes; 1,500 when not given. A chunk is longer only by the end of its line, or by a character that needs more. */
  readonly chunkBytes?: number | undefined;
}

const lineFeed = 0x0a;
const space = 0x20;

/**
 * Documents as chunks of whole lines, numbered from 1 through all documents. A chunk ends at a blank line where one lies
 * in its second half; a line longer than a chunk becomes chunks of its own, cut between characters and at a space where
 * one is near. Together the chunks are every byte of every document. Takes time in proportion to the bytes.
 */
export function chunkDocuments(documents: readonly Document[], { chunkBytes = 1500 }: ChunkOptions = {}): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [index, { bytes }] of documents.entries()) {
    chunkBytesOf(bytes, Math.max(1, chunkBytes), (place) => {
      chunks.push({ number: chunks.length + 1, document: index, ...place });
    });
  }
  return chunks;
}

/** How many lines there are; a trailing line feed does not begin another. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let start = 0; start < bytes.length; start = lineEnd(bytes, start)) lines++;
  return lines;
}

export type Place = Omit<Chunk, 'number' | 'document'>;
type Emit = (place: Place) => void;

/** A position between two lines: `line` counts those before it. */
interface Boundary {
  readonly byte: number;
  readonly line: number;
}

function chunkBytesOf(bytes: Uint8Array, chunkBytes: number, emit: Emit): void {
  for (let start: Boundary = { byte: 0, line: 0 }; start.byte < bytes.length; ) {
    const firstEnd = lineEnd(bytes, start.byte);
    const long = contentEnd(bytes, start.byte, firstEnd) - start.byte > chunkBytes;
    const end = long ? { byte: firstEnd, line: start.line + 1 } : packLines(bytes, start, firstEnd, chunkBytes);
    if (long) cutLine(bytes, start, firstEnd, chunkBytes, emit);
    else emit(placeBetween(start, end));
    start = end;
  }
}

/** Where the chunk that begins at `start` ends: the last blank line in its second half, or else the last line that fits. */
function packLines(bytes: Uint8Array, start: Boundary, firstEnd: number, chunkBytes: number): Boundary {
  let end: Boundary = { byte: firstEnd, line: start.line + 1 };
  let afterBlank: Boundary | null = null;
  while (end.byte < bytes.length) {
    const next = lineEnd(bytes, end.byte);
    if (next - start.byte > chunkBytes) return afterBlank ?? end;
    const blank = isBlank(bytes, end.byte, next);
    end = { byte: next, line: end.line + 1 };
    if (blank && (end.byte - start.byte) * 2 >= chunkBytes) afterBlank = end;
  }
  return end;
}

function cutLine(bytes: Uint8Array, { byte, line }: Boundary, end: number, chunkBytes: number, emit: Emit): void {
  const content = contentEnd(bytes, byte, end);
  let start = byte;
  while (content - start > chunkBytes) {
    const cut = cutBefore(bytes, start, start + chunkBytes, content);
    if (cut >= content) break;
    emit({ startLine: line + 1, endLine: line + 1, startByte: start, endByte: cut });
    start = cut;
  }
  emit({ startLine: line + 1, endLine: line + 1, startByte: start, endByte: end });
}

/** The last place to cut that is not after `limit`: behind a space in the last quarter, or else between two characters. */
function cutBefore(bytes: Uint8Array, start: number, limit: number, end: number): number {
  const quarter = limit - Math.floor((limit - start) / 4);
  for (let cut = limit; cut > quarter; cut--) if (bytes[cut - 1] === space) return cut;
  let cut = limit;
  while (limit - cut < 3 && isContinuation(bytes[cut])) cut--;
  if (isContinuation(bytes[cut])) cut = limit;
  if (cut > start) return cut;
  for (cut = start + 1; cut < end && isContinuation(bytes[cut]); ) cut++;
  return cut;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lineEnd(bytes: Uint8Array, start: number): number {
  const feed = bytes.indexOf(lineFeed, start);
  return feed === -1 ? bytes.length : feed + 1;
}

function contentEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end > start && bytes[end - 1] === lineFeed) end--;
  return end > start && bytes[end - 1] === 0x0d ? end - 1 : end;
}

/** Whether a line holds nothing but spaces, tabs and its end. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (bytes[index]! > space) return false;
  return true;
}

function placeBetween(start: Boundary, end: Boundary): Place {
  return { startLine: start.line + 1, endLine: end.line, startByte: start.byte, endByte: end.byte };
}

/** SHIM until the streaming chunker is merged. */
export function createChunker({ chunkBytes = 1500 }: ChunkOptions, emit: Emit) {
  const parts: Uint8Array[] = [];
  return {
    write: (bytes: Uint8Array) => {
      parts.push(Uint8Array.from(bytes));
    },
    end: () => chunkBytesOf(Buffer.concat(parts), Math.max(1, chunkBytes), emit),
  };
}
