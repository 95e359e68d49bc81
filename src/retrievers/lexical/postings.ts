import { createCounts } from '../../base/growing-array.ts';
import { createSpool, type Spool, type StoredBytes } from '../../context/store/spool.ts';
import { createSegmentBuilder, findTerm, readPostings, type Segment, type TermEntry } from './segment.ts';
import { type Analysis, createTermCounter } from './terms/term-counter.ts';
import { keyOf, termKey } from './terms/term-key.ts';

/** Which chunks hold a term, and how often. Chunks are counted from 0. */
export interface Postings {
  readonly chunkCount: number;
  /** How many terms each chunk has. */
  readonly lengths: Uint32Array;
  readonly averageLength: number;
  /** The chunks that hold a term, each once, with how often each does; empty when none does. */
  lookUp(term: string): { readonly chunks: Uint32Array; readonly frequencies: Uint32Array };
}

/** What chunks hold. */
export interface CountedPostings {
  /** How many terms each chunk has. */
  readonly lengths: Uint32Array;
  readonly segments: readonly Segment[];
}

/** What chunks hold, encoded. */
export interface EncodedPostings extends CountedPostings {
  /** Where the segments lie. */
  readonly bytes: StoredBytes;
}

/** Gathers postings chunk by chunk, so that the caller can rest in between. */
interface ChunkCounter {
  /** Counts the terms of a part of the chunk, as UTF-8. */
  count(bytes: Uint8Array): void;
  endChunk(): void;
}

/** Gathers the postings of an index, here or elsewhere. */
export interface IndexBuilder extends ChunkCounter {
  /** To be awaited between chunks; undefined where there is nothing to wait for. */
  room?(): Promise<void> | undefined;
  /** What was gathered, valid until `close`; nothing may be added after it. */
  finish(): EncodedPostings | Promise<EncodedPostings>;
  close(): void;
}

/** Gathers them here, so that nobody has to wait. */
interface LocalBuilder extends IndexBuilder {
  finish(): EncodedPostings;
}

/** Gathers postings into bytes that somebody else keeps. */
export interface PostingsBuilder extends ChunkCounter {
  /** What was gathered; nothing may be added after it. */
  finish(): CountedPostings;
}

/** A segment is made of so many bytes of text: enough that a term which returns is written seldom. */
const segmentBytes = 16 * 1024 * 1024;
/** Larger indexes lie in a temporary file. */
export const memoryBytes = 128 * 1024 * 1024;
/** Terms are forgotten between segments when they are more: in logs, most of them never return. */
const mostTerms = 500_000;

/** A builder without chunks. Time is in proportion to the text; memory is not, beyond 128 MB and 4 bytes a chunk. */
export function createIndexBuilder(analysis: Analysis): LocalBuilder {
  const spool = createSpool(memoryBytes);
  const { count, endChunk, finish } = createPostingsBuilder(analysis, spool);
  return { count, endChunk, finish: () => ({ ...finish(), bytes: spool }), close: spool.close };
}

/** As `createIndexBuilder`, but segments are written to that spool. */
export function createPostingsBuilder(analysis: Analysis, spool: Pick<Spool, 'append'>): PostingsBuilder {
  const counter = createTermCounter(analysis);
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

/** Looks terms up in what was gathered. */
export function createPostings({ lengths, segments, bytes }: EncodedPostings): Postings {
  const entriesOf = (term: string): TermEntry[] => {
    const key = keyOf(...termKey(term));
    return segments.map((segment) => findTerm(segment, key, bytes)).filter((entry) => entry !== null);
  };
  return {
    chunkCount: lengths.length,
    lengths,
    averageLength: averageOf(lengths),
    lookUp: (term) => {
      const entries = entriesOf(term);
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

/** Postings of a part of the chunks, which are counted there from 0. */
export interface PartOfPostings {
  readonly postings: Postings;
  /** What each chunk of the part is called in the whole; -1 for one that is left out. */
  readonly numbers: Int32Array;
}

/** Postings that lie in parts, as if they had been gathered together, without the chunks that are left out. */
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
