import type { Strength } from './chunkers/boundaries.ts';
import type { Chunker, Emit } from './chunkers/chunker.ts';
import { createLinePacker } from './chunkers/line-packer.ts';
import type { Chunk, Document } from './document.ts';

/** How text can be cut. */
export type ChunkKind = 'lines';

/** How large chunks are. */
export interface ChunkOptions {
  /** In bytes, at least 4; 1,500 when not given. A chunk is longer only by the end of its line. */
  readonly chunkBytes?: number | undefined;
}

const afterBlankLines = (_text: Buffer, _start: number, _end: number, afterBlank: boolean): Strength =>
  afterBlank ? 1 : 0;

/**
 * A chunker for one document. Chunks are given as soon as a few more bytes than their own have come. Together they are
 * every byte of the document, none twice. Takes time in proportion to the bytes, and holds the text of a few chunks.
 *
 * - `lines`: whole lines; a chunk ends at a blank line where one lies in its second half. A line longer than a chunk
 *   becomes chunks of its own, cut between characters and at a space where one is near.
 */
export function createChunker(_kind: ChunkKind, { chunkBytes = 1500 }: ChunkOptions, emit: Emit): Chunker {
  return createLinePacker(Math.max(4, chunkBytes), afterBlankLines, emit);
}

/** Documents as chunks, numbered from 1 through all documents. */
export function chunkDocuments(documents: readonly Document[], options: ChunkOptions = {}): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [document, { bytes }] of documents.entries()) {
    const chunker = createChunker('lines', options, (place) => {
      chunks.push({ number: chunks.length + 1, document, ...place });
    });
    chunker.write(bytes);
    chunker.end();
  }
  return chunks;
}

/** How many lines there are; a trailing line feed does not begin another. */
export function countLines(bytes: Uint8Array): number {
  const chunker = createChunker('lines', {}, () => {});
  chunker.write(bytes);
  return chunker.end();
}
