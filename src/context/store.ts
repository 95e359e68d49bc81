import { createHash } from 'node:crypto';
import type { Passage } from '../state.ts';
import { type ChunkOptions, chunkDocuments, countLines } from './chunk.ts';
import type { Chunk, ContextStore, Document } from './document.ts';

/** The documents, chunked, in memory. Their bytes are not copied and must not change. Never throws. */
export function createContextStore(documents: readonly Document[], options: ChunkOptions = {}): ContextStore {
  const texts = documents.map(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const chunks = chunkDocuments(documents, options);
  const text = ({ document, startByte, endByte }: Chunk) => texts[document]!.toString('utf8', startByte, endByte);
  return {
    documents: documents.map(({ name, bytes }) => ({ name, bytes: bytes.length, lines: countLines(bytes) })),
    chunkCount: chunks.length,
    chunk: (index) => chunks[index]!,
    totalBytes: documents.reduce((total, { bytes }) => total + bytes.length, 0),
    read: (document, startByte, endByte) => texts[document]!.subarray(startByte, endByte),
    text,
    passage: (chunk, score) => toPassage(chunk, documents[chunk.document]!.name, text(chunk), score),
  };
}

function toPassage(chunk: Chunk, source: string, text: string, score: number): Passage {
  const { number, startLine, endLine, startByte, endByte } = chunk;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { id: `P${number}`, source, startLine, endLine, startByte, endByte, text, score, hash };
}
