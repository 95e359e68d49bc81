import { createCounts, createNumbers } from '../../base/arrays.ts';
import type { DocumentInfo, Passage } from '../../state.ts';
import { type ChunkKind, createChunker, defaultChunkBytes } from '../chunk.ts';
import type { ChunkPlace } from '../chunkers/chunker.ts';
import { createParseAllowance } from '../chunkers/code.ts';
import { chunkBytesOf } from '../chunkers/languages.ts';
import { textSource } from '../computed-passage.ts';
import { type Chunk, type ContextStore, type Document, indexOfNumber } from '../document.ts';
import { countFeeds } from '../lines.ts';
import { passageHash } from '../passage-id.ts';
import { strayBytes } from '../shown-text.ts';
import { createSpool } from './spool.ts';

const lineFeed = 0x0a;
const space = 0x20;

/** Returns where the overlap begins in the bytes before a chunk: at a line, else after a space, else at a character. */
function overlapStart(before: Uint8Array, mostBytes: number): number {
  if (before.length <= mostBytes) return 0;
  const feed = before.indexOf(lineFeed);
  if (feed !== -1 && feed < before.length - 1) return feed + 1;
  const gap = before.indexOf(space);
  if (gap !== -1 && gap < before.length - 1) return gap + 1;
  const start = before.length - mostBytes;
  return start + strayBytes(before.subarray(start));
}

/** Creates a table of chunk places that takes 28 bytes per chunk. One object per chunk would take too much memory. */
export function createChunkTable() {
  const documents = createCounts();
  const startLines = createCounts();
  const endLines = createCounts();
  const startBytes = createNumbers();
  const endBytes = createNumbers();
  const columns = [documents, startLines, endLines, startBytes, endBytes];
  return {
    count: documents.length,
    add: (document: number, { startLine, endLine, startByte, endByte }: ChunkPlace) => {
      documents.push(document);
      startLines.push(startLine);
      endLines.push(endLine);
      startBytes.push(startByte);
      endBytes.push(endByte);
    },
    at: (index: number): Chunk => ({
      number: index + 1,
      document: documents.at(index),
      startLine: startLines.at(index),
      endLine: endLines.at(index),
      startByte: startBytes.at(index),
      endByte: endBytes.at(index),
    }),
    columns: () => [startBytes, endBytes, startLines, endLines].map((column) => column.values()),
    truncate: (count: number) => {
      for (const column of columns) column.truncate(count);
    },
  };
}

export interface StoreOptions {
  /** Size of a chunk in bytes; default 1,500. Chunks of program code are a third as large. */
  readonly chunkBytes?: number | undefined;
  /** How text is cut into chunks; default: `lines`. */
  readonly kind?: ChunkKind;
  /** Maximum number of bytes that a passage includes from the text before its chunk; default 0. */
  readonly overlapBytes?: number;
  /** Maximum size of a text in memory, in bytes; default 64 MB. A larger text is in a temporary file. */
  readonly memoryBytes?: number;
}

interface DocumentWriter {
  /** Appends a copy of the text. Throws RlmError `no-space`. */
  write(bytes: Uint8Array): void;
  /** Await this after the last `write`. Otherwise, code may be cut within definitions. */
  prepare(): Promise<void>;
  /** Ends the document. Returns null for a document without text, which the store drops. */
  end(): DocumentInfo | null;
  abandon(): void;
}

/** A store that receives text, one document after the other. */
export interface GrowingStore extends ContextStore {
  /** Begins a document. The previous one must have ended or been abandoned. */
  begin(name: string, isExtracted?: boolean): DocumentWriter;
  close(): void;
}

const defaultMemoryBytes = 64 * 1024 * 1024;

/** Creates a store of chunked documents. Throws `no-space` if memory and the temporary folder are too small. */
export function createContextStore(documents: readonly Document[] = [], options: StoreOptions = {}): GrowingStore {
  const { memoryBytes = defaultMemoryBytes, kind = 'lines', overlapBytes = 0 } = options;
  const { chunkBytes = defaultChunkBytes } = options;
  const mayParse = createParseAllowance();
  const infos: DocumentInfo[] = [];
  const starts: number[] = [];
  const chunks = createChunkTable();
  const spool = createSpool(memoryBytes);
  let growing: string | null = null;

  const begin = (given: string, isExtracted?: boolean): DocumentWriter => {
    const name = textSource(given);
    growing = name;
    const start = spool.size();
    starts[infos.length] = start;
    const firstChunk = chunks.count();
    const about = { chunkBytes: chunkBytesOf(name, chunkBytes), name, mayParse };
    const chunker = createChunker(kind, about, (place) => chunks.add(infos.length, place));
    const abandon = () => {
      growing = null;
      spool.truncate(start);
      chunks.truncate(firstChunk);
    };
    const end = () => {
      chunker.end();
      growing = null;
      const last = chunks.count();
      if (last === firstChunk) return null;
      const info = { name, bytes: spool.size() - start, lines: chunks.at(last - 1).endLine, isExtracted };
      infos.push(info);
      return info;
    };
    const write = (bytes: Uint8Array) => {
      spool.append(bytes);
      chunker.write(bytes);
    };
    return { write, prepare: async () => chunker.prepare?.(), end, abandon };
  };

  const read = (document: number, startByte: number, endByte: number, room?: Uint8Array): Buffer =>
    spool.read(starts[document]! + startByte, starts[document]! + endByte, room);
  for (const { name, bytes } of documents) {
    const writer = begin(name);
    writer.write(bytes);
    writer.end();
  }
  return {
    documents: infos,
    get growing() {
      return growing;
    },
    get chunkCount() {
      return chunks.count();
    },
    chunk: chunks.at,
    indexOf: (id) => indexOfNumber(id, chunks.count()),
    get totalBytes() {
      return spool.size();
    },
    read,
    ...createTexts(infos, read, overlapBytes),
    begin,
    close: spool.close,
  };
}

/** Creates the readers of chunks. Passages begin with up to `overlapBytes` of the text before their chunk. */
export function createTexts(
  documents: readonly DocumentInfo[],
  read: (document: number, startByte: number, endByte: number) => Buffer,
  overlapBytes: number,
): Pick<ContextStore, 'text' | 'passageWithoutOverlap' | 'passage'> {
  const text = (chunk: Chunk): string => {
    const decoded = read(chunk.document, chunk.startByte, chunk.endByte).toString();
    return chunk.startByte === 0 && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  };
  const withOverlap = (chunk: Chunk): Chunk => {
    if (overlapBytes === 0) return chunk;
    const { document, startByte, startLine } = chunk;
    const before = read(document, Math.max(0, startByte - overlapBytes - 1), startByte);
    const taken = before.subarray(overlapStart(before, overlapBytes));
    return { ...chunk, startByte: startByte - taken.length, startLine: startLine - countFeeds(taken) };
  };
  const passageOf = (chunk: Chunk, score: number) =>
    toPassage(chunk, documents[chunk.document]!.name, text(chunk), score);
  return {
    text,
    passageWithoutOverlap: (chunk) => passageOf(chunk, 0),
    passage: (chunk, score) => passageOf(withOverlap(chunk), score),
  };
}

function toPassage(chunk: Chunk, source: string, text: string, score: number): Passage {
  const { number, startLine, endLine, startByte, endByte } = chunk;
  const hash = passageHash(text);
  return { id: `P${number}`, source, startLine, endLine, startByte, endByte, text, score, hash };
}
