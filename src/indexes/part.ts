/** A part of an index holds the text of documents, their chunks and postings, in one file. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createPacer } from '../base/time.ts';
import type { ChunkPlace } from '../context/chunkers/chunker.ts';
import type { ContextStore } from '../context/document.ts';
import type { StoredBytes } from '../context/store/spool.ts';
import { createChunkTable } from '../context/store/store.ts';
import { createSurroundings } from '../retrievers/lexical/chunk-bytes.ts';
import {
  createIndexBuilder,
  createPostings,
  type EncodedPostings,
  type Postings,
} from '../retrievers/lexical/postings.ts';
import { shippedRanking } from '../retrievers/lexical/ranking.ts';
import { countChunk } from '../retrievers/lexical/retriever.ts';
import { sparseCount } from '../retrievers/lexical/segment.ts';
import { type BlockWriter, createBlockFile, openBlockFile } from './block-file.ts';
import type { IndexedDocument, PartFacts } from './manifest.ts';

export interface Part {
  /** Returns the bytes of the text from `start` to `end`. Throws Damage. `postings.lookUp` throws Damage, too. */
  text(start: number, end: number): Buffer;
  place(chunk: number): ChunkPlace;
  readonly postings: Postings;
  close(): void;
}

export const partPrefix = 'part-';

const copyBytes = 1024 * 1024;

const sizes = { float: 8, count: 4 } as const;

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

async function appendPostings(file: BlockWriter, { bytes }: EncodedPostings, pace: () => Promise<void> | undefined) {
  for (let start = 0; start < bytes.size(); start += copyBytes) {
    file.append(bytes.read(start, Math.min(bytes.size(), start + copyBytes)));
    await pace();
  }
}

interface PartRequest {
  readonly folder: string;
  readonly store: ContextStore;
  /** The hash of each document's text, by the document's position in the store. */
  readonly documents: ReadonlyMap<number, string>;
  /** Called with the number of bytes of text that have been written so far. */
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

type DocumentDraft = { -readonly [Key in keyof IndexedDocument]: IndexedDocument[Key] };

/**
 * Writes documents as a part; after an error no file is left. Returns the facts of the part, and its documents by their
 * positions in the store. Throws `no-space`, `output-unwritable`, an error of the store, or the signal's reason.
 */
export async function writePart(request: PartRequest) {
  const name = `${partPrefix}${randomBytes(8).toString('hex')}`;
  const file = createBlockFile(join(request.folder, name));
  const builder = createIndexBuilder(shippedRanking.analyse);
  try {
    return await fillPart(request, name, file, builder);
  } catch (error) {
    file.abandon();
    throw error;
  } finally {
    builder.close();
  }
}

async function fillPart(
  { store, documents, onProgress, signal }: PartRequest,
  name: string,
  file: BlockWriter,
  builder: ReturnType<typeof createIndexBuilder>,
) {
  const written = new Map<number, DocumentDraft>();
  const chunks = createChunkTable();
  const around = createSurroundings(store);
  const pace = createPacer(25);
  const begin = (document: number, hash: string): DocumentDraft => {
    const info = store.documents[document]!;
    return { ...info, part: name, start: file.size(), firstChunk: chunks.count(), chunks: 0, hash };
  };
  for (let index = 0; index < store.chunkCount; index++) {
    const chunk = store.chunk(index);
    const hash = documents.get(chunk.document);
    if (hash === undefined) continue;
    const bytes = store.read(chunk.document, chunk.startByte, chunk.endByte);
    const draft = written.get(chunk.document) ?? begin(chunk.document, hash);
    written.set(chunk.document, draft);
    draft.chunks++;
    chunks.add(chunk.document, chunk);
    file.append(bytes);
    countChunk(builder, chunk, bytes, around(chunk, bytes));
    onProgress(file.size());
    await pace();
    signal.throwIfAborted();
  }
  const textBytes = file.size();
  const encoded = builder.finish();
  await appendPostings(file, encoded, pace);
  signal.throwIfAborted();
  const postingsBytes = file.size() - textBytes;
  for (const column of [...chunks.columns(), encoded.lengths]) file.append(bytesOf(column));
  for (const { sparse } of encoded.segments) file.append(bytesOf(sparse));
  const segments = encoded.segments.map(({ firstChunk, start, terms }) => ({ firstChunk, start, terms }));
  const facts: PartFacts = {
    file: name,
    textBytes,
    postingsBytes,
    chunks: chunks.count(),
    segments,
    bytes: file.finish(),
  };
  return { facts, documents: written as ReadonlyMap<number, IndexedDocument> };
}

/** Creates a reader of number columns. Copies each column, so that its numbers are aligned. */
function createColumnReader(file: StoredBytes, from: number) {
  let start = from;
  const next = (bytes: number): ArrayBuffer => {
    const column = new ArrayBuffer(bytes);
    new Uint8Array(column).set(file.read(start, start + bytes));
    start += bytes;
    return column;
  };
  return {
    floats: (count: number) => new Float64Array(next(count * sizes.float)),
    counts: (count: number) => new Uint32Array(next(count * sizes.count)),
  };
}

/** Opens a part. Throws Damage, or the system's error. */
export function openPart(folder: string, facts: PartFacts): Part {
  const file = openBlockFile(join(folder, facts.file), facts.bytes);
  const { textBytes, postingsBytes, chunks } = facts;
  try {
    const columns = createColumnReader(file, textBytes + postingsBytes);
    const [startBytes, endBytes] = [columns.floats(chunks), columns.floats(chunks)];
    const [startLines, endLines] = [columns.counts(chunks), columns.counts(chunks)];
    const lengths = columns.counts(chunks);
    const segments = facts.segments.map((segment) => ({
      ...segment,
      sparse: columns.floats(sparseCount(segment.terms)),
    }));
    const bytes: StoredBytes = {
      size: () => postingsBytes,
      read: (start, end) => file.read(textBytes + start, textBytes + end),
    };
    return {
      text: (start, end) => file.read(start, end),
      place: (chunk) => ({
        startByte: startBytes[chunk]!,
        endByte: endBytes[chunk]!,
        startLine: startLines[chunk]!,
        endLine: endLines[chunk]!,
      }),
      postings: createPostings({ lengths, segments, bytes }),
      close: file.close,
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
