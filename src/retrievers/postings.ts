import { createCounts } from '../context/growing-array.ts';
import { createSpool } from '../context/spool.ts';
import { createSegmentBuilder, findTerm, readPostings, type Segment, type TermEntry } from './segment.ts';
import { type Analysis, createTermCounter } from './term-counter.ts';
import { keyOf, termKey } from './term-key.ts';

/** Which chunks hold a term, and how often. Chunks are counted from 0. */
export interface Postings {
  readonly chunkCount: number;
  /** How many terms each chunk has. */
  readonly lengths: Uint32Array;
  readonly averageLength: number;
  /** The chunks that hold a term, in order, with how often each does; empty when none does. */
  lookUp(term: string): { readonly chunks: Uint32Array; readonly frequencies: Uint32Array };
}

/** Gathers postings chunk by chunk, so that the caller can rest in between. */
export interface PostingsBuilder {
  /** Counts the terms of a part of the chunk, as UTF-8. */
  count(bytes: Uint8Array): void;
  endChunk(): void;
  /** What was gathered; nothing may be added after it. */
  finish(): Postings;
  close(): void;
}

/** A segment is made of so many bytes of text: enough that a term which returns is written seldom. */
const segmentBytes = 16 * 1024 * 1024;
/** Larger indexes lie in a temporary file. */
const memoryBytes = 128 * 1024 * 1024;
/** Terms are forgotten between segments when they are more: in logs, most of them never return. */
const mostTerms = 500_000;

/** A builder without chunks. Time is in proportion to the text; memory is not, beyond 128 MB and 4 bytes a chunk. */
export function createPostingsBuilder(analysis: Analysis): PostingsBuilder {
  const counter = createTermCounter(analysis);
  const builder = createSegmentBuilder();
  const spool = createSpool(memoryBytes);
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
      const entriesOf = (term: string): TermEntry[] => {
        const key = keyOf(...termKey(term));
        return segments.map((segment) => findTerm(segment, key, spool)).filter((entry) => entry !== null);
      };
      return {
        chunkCount: lengths.length(),
        lengths: lengths.values(),
        averageLength: lengths.values().reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length()),
        lookUp: (term) => {
          const entries = entriesOf(term);
          const count = entries.reduce((total, { holders }) => total + holders, 0);
          const found = { chunks: new Uint32Array(count), frequencies: new Uint32Array(count) };
          let at = 0;
          for (const entry of entries) {
            readPostings(entry, spool, found.chunks, found.frequencies, at);
            at += entry.holders;
          }
          return found;
        },
      };
    },
    close: spool.close,
  };
}
