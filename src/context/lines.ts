import { firstWhere } from '../base/arrays.ts';
import type { Chunk, ContextStore } from './document.ts';

export interface LineBytes {
  /** From 1. */
  readonly line: number;
  readonly startByte: number;
  /** Exclusive; behind the line's end. */
  readonly endByte: number;
}

/** Finds lines through the table of chunks, without reading the text before them. */
export interface LineFinder {
  /** Returns the line of that number; null behind the last one. */
  at(document: number, line: number): LineBytes | null;
  /** Returns the line of a byte; null behind the last one. */
  around(document: number, byte: number): LineBytes | null;
}

const lineFeed = 0x0a;

/** Finds lines of a store's documents. Takes time linear in a chunk. Throws what reading throws. */
export function createLineFinder(store: ContextStore): LineFinder {
  const { chunkCount } = store;

  /** Returns the first chunk of the document for which the test holds, or null. */
  function firstChunk(document: number, test: (chunk: Chunk) => boolean): Chunk | null {
    const index = firstWhere(0, chunkCount, (at) => {
      const chunk = store.chunk(at);
      return chunk.document > document || (chunk.document === document && test(chunk));
    });
    const chunk = index < chunkCount ? store.chunk(index) : null;
    return chunk?.document === document ? chunk : null;
  }

  function endOf(document: number, line: number, startByte: number): number {
    const chunk = firstChunk(document, ({ endLine }) => endLine > line);
    if (chunk === null) return store.documents[document]!.bytes;
    if (chunk.startLine > line) return chunk.startByte;
    const from = Math.max(startByte, chunk.startByte);
    return from + store.read(document, from, chunk.endByte).indexOf(lineFeed) + 1;
  }

  function at(document: number, line: number): LineBytes | null {
    const chunk = firstChunk(document, ({ endLine }) => endLine >= line);
    if (chunk === null || line < 1) return null;
    let startByte = chunk.startByte;
    if (chunk.startLine < line) {
      const bytes = store.read(document, chunk.startByte, chunk.endByte);
      let offset = 0;
      for (let before = chunk.startLine; before < line; before++) offset = bytes.indexOf(lineFeed, offset) + 1;
      startByte += offset;
    }
    return { line, startByte, endByte: endOf(document, line, startByte) };
  }

  function around(document: number, byte: number): LineBytes | null {
    const chunk = firstChunk(document, ({ endByte }) => endByte > byte);
    if (chunk === null) return null;
    const bytes = store.read(document, chunk.startByte, Math.max(chunk.startByte, byte));
    let line = chunk.startLine;
    for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, feed + 1)) line++;
    return at(document, line);
  }

  return { at, around };
}

/** Returns the index of the chunk that holds a byte of a document; at the document's end, of the last chunk. */
export function chunkAt(store: ContextStore, document: number, byte: number): number {
  const index = firstWhere(0, store.chunkCount, (at) => {
    const chunk = store.chunk(at);
    return chunk.document > document || (chunk.document === document && chunk.endByte > byte);
  });
  return index < store.chunkCount && store.chunk(index).document === document ? index : index - 1;
}
