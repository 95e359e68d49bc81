import { createCounts, createNumbers } from '../../base/arrays.ts';
import type { ChunkPlace } from '../chunkers/chunker.ts';
import type { Chunk } from '../document.ts';

/** The places of chunks, in 20 bytes each: a large text has too many of them for objects. */
export interface ChunkTable {
  count(): number;
  add(document: number, place: ChunkPlace): void;
  at(index: number): Chunk;
  /** Removes the chunks from an index on. */
  truncate(count: number): void;
}

export function createChunkTable(): ChunkTable {
  const documents = createCounts();
  const startLines = createCounts();
  const endLines = createCounts();
  const startBytes = createNumbers();
  const endBytes = createNumbers();
  const columns = [documents, startLines, endLines, startBytes, endBytes];
  return {
    count: documents.length,
    add: (document, { startLine, endLine, startByte, endByte }) => {
      documents.push(document);
      startLines.push(startLine);
      endLines.push(endLine);
      startBytes.push(startByte);
      endBytes.push(endByte);
    },
    at: (index) => ({
      number: index + 1,
      document: documents.at(index),
      startLine: startLines.at(index),
      endLine: endLines.at(index),
      startByte: startBytes.at(index),
      endByte: endBytes.at(index),
    }),
    truncate: (count) => {
      for (const column of columns) column.truncate(count);
    },
  };
}
