import { createCounts } from '../../base/arrays.ts';
import { createSpool, type Spool, type StoredBytes } from '../../context/store/spool.ts';
import { termKey } from './key-table.ts';
import { createSegmentBuilder, findTerm, readPostings, type Segment } from './segment.ts';
import { type Analyse, createTermCounter } from './term-counter.ts';

/** Finds the chunks that contain a term, and how often each contains it. Chunks are numbered from 0. */
export interface Postings {
  readonly chunkCount: number;
  /** The length of each chunk, in terms. */
  readonly lengths: Uint32Array;
  readonly averageLength: number;
  lookUp(term: string): { readonly chunks: Uint32Array; readonly frequencies: Uint32Array };
}

export interface CountedPostings {
  /** The length of each chunk, in terms. */
  readonly lengths: Uint32Array;
  readonly segments: readonly Segment[];
}

export interface EncodedPostings extends CountedPostings {
  readonly bytes: StoredBytes;
}

/** Collects the postings of an index chunk by chunk. */
export interface IndexBuilder<Finished = EncodedPostings | Promise<EncodedPostings>> {
  /** Counts the terms of a part of the current chunk, in UTF-8. */
  count(bytes: Uint8Array): void;
  endChunk(): void;
  /** Waits until the builder can take more chunks. Await the result between chunks. */
  room?(): Promise<void> | undefined;
  /** Returns the postings, which are valid until `close`. Nothing may be added after this call. */
  finish(): Finished;
  close(): void;
}

/** Size of a segment, in bytes of text. Segments are large, because each segment stores its terms again. */
const segmentBytes = 16 * 1024 * 1024;
/** Maximum size of an index in memory, in bytes. A larger index is written to a temporary file. */
export const memoryBytes = 128 * 1024 * 1024;
/** If more terms than this are known after a segment, all are forgotten, because most terms of logs never recur. */
const mostTerms = 500_000;

/** Creates an empty builder. It works in this thread. */
export function createIndexBuilder(analyse: Analyse): IndexBuilder<EncodedPostings> {
  const spool = createSpool(memoryBytes);
  const { count, endChunk, finish } = createPostingsBuilder(analyse, spool);
  return { count, endChunk, finish: () => ({ ...finish(), bytes: spool }), close: spool.close };
}

/** Creates a builder that writes segments to a spool, which the caller owns. */
export function createPostingsBuilder(
  analyse: Analyse,
  spool: Pick<Spool, 'append'>,
): Omit<IndexBuilder<CountedPostings>, 'room' | 'close'> {
  const counter = createTermCounter(analyse);
  const builder = createSegmentBuilder();
  const segments: Segment[] = [];
  const lengths = createCounts();
  let bytesInSegment = 0;
  const endSegment = () => {
    if (builder.chunks() > 0) segments.push(builder.finish(counter, spool));
    if (counter.known() > mostTerms) counter.clear();
    bytesInSegment = 0;
  };
  return {
    count: (bytes) => {
      counter.count(bytes);
      bytesInSegment += bytes.length;
    },
    endChunk: () => {
      lengths.push(counter.length());
      builder.addChunk(counter);
      if (bytesInSegment >= segmentBytes) endSegment();
    },
    finish: () => {
      endSegment();
      counter.clear();
      return { lengths: lengths.values(), segments };
    },
  };
}

export function createPostings({ lengths, segments, bytes }: EncodedPostings): Postings {
  return {
    chunkCount: lengths.length,
    lengths,
    averageLength: averageOf(lengths),
    lookUp: (term) => {
      const key = termKey(term);
      const entries = segments.map((segment) => findTerm(segment, key, bytes)).filter((entry) => entry !== null);
      const count = entries.reduce((total, { holders }) => total + holders, 0);
      const found = { chunks: new Uint32Array(count), frequencies: new Uint32Array(count) };
      let at = 0;
      for (const entry of entries) {
        readPostings(entry, bytes, found.chunks, found.frequencies, at);
        at += entry.holders;
      }
      return found;
    },
  };
}

const averageOf = (lengths: Uint32Array): number =>
  lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);

/** Postings of a part of the chunks. Within the part, chunks are numbered from 0. */
export interface PartOfPostings {
  readonly postings: Postings;
  /** For each chunk of the part, its number in the whole; -1 if the whole lacks the chunk. */
  readonly numbers: Int32Array;
}

export function joinPostings(parts: readonly PartOfPostings[], chunkCount: number): Postings {
  const lengths = new Uint32Array(chunkCount);
  for (const { postings, numbers } of parts) {
    for (const [chunk, number] of numbers.entries()) if (number >= 0) lengths[number] = postings.lengths[chunk]!;
  }
  return {
    chunkCount,
    lengths,
    averageLength: averageOf(lengths),
    lookUp: (term) => {
      const found = { chunks: createCounts(), frequencies: createCounts() };
      for (const { postings, numbers } of parts) {
        const { chunks, frequencies } = postings.lookUp(term);
        for (const [entry, chunk] of chunks.entries()) {
          if (numbers[chunk]! < 0) continue;
          found.chunks.push(numbers[chunk]!);
          found.frequencies.push(frequencies[entry]!);
        }
      }
      return { chunks: found.chunks.values(), frequencies: found.frequencies.values() };
    },
  };
}
