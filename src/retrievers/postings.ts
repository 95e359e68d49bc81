import { createMemo, detached } from '../context/memo.ts';
import { forEachWord, isRecurring } from '../context/terms.ts';
import { createGrowingArray } from './growing-array.ts';

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
  add(text: string): void;
  finish(): Postings;
}

/**
 * A builder without chunks. Time and memory are in proportion to the text.
 * @param analyse the terms of a word.
 */
export function createPostingsBuilder(analyse: (word: string) => readonly string[]): PostingsBuilder {
  const termIds = createTermIds(analyse);
  const ids = createGrowingArray();
  const frequencies = createGrowingArray();
  const ends = createGrowingArray();
  const lengths = createGrowingArray();
  let entries = 0;
  const add = (text: string) => {
    const counts = termIds.count(text);
    lengths.push(counts.length);
    for (const id of counts.ids) {
      ids.push(id);
      frequencies.push(counts.take(id));
    }
    entries += counts.ids.length;
    ends.push(entries);
  };
  return {
    add,
    finish: () => invert(termIds.all(), ids.values(), frequencies.values(), ends.values(), lengths.values()),
  };
}

interface Counts {
  readonly ids: readonly number[];
  readonly length: number;
  /** How often a term was counted, which sets it back to 0. */
  take(id: number): number;
}

function createTermIds(analyse: (word: string) => readonly string[]) {
  const byTerm = new Map<string, number>();
  let counts = new Uint32Array(1024);
  const idOf = (term: string) => {
    const known = byTerm.get(term);
    if (known !== undefined) return known;
    byTerm.set(detached(term), byTerm.size);
    return byTerm.size - 1;
  };
  const idsOf = (word: string) => analyse(word).map(idOf);
  const knownIds = createMemo(50_000, idsOf);
  const take = (id: number) => {
    const count = counts[id]!;
    counts[id] = 0;
    return count;
  };
  const count = (text: string): Counts => {
    const ids: number[] = [];
    let length = 0;
    forEachWord(text, (word) => {
      for (const id of isRecurring(word) ? knownIds(word) : idsOf(word)) {
        if (id >= counts.length) counts = enlarged(counts, byTerm.size);
        if (counts[id]!++ === 0) ids.push(id);
        length++;
      }
    });
    return { ids, length, take };
  };
  return { count, all: () => byTerm };
}

function enlarged(counts: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size * 2);
  larger.set(counts);
  return larger;
}

/** From the terms of every chunk to the chunks of every term. */
function invert(
  termIds: ReadonlyMap<string, number>,
  ids: Uint32Array,
  frequencies: Uint32Array,
  ends: Uint32Array,
  lengths: Uint32Array,
): Postings {
  const starts = startsOf(ids, termIds.size);
  const next = starts.slice();
  const chunks = new Uint32Array(ids.length);
  const inTerms = new Uint32Array(ids.length);
  for (let entry = 0, chunk = 0; entry < ids.length; entry++) {
    while (entry >= ends[chunk]!) chunk++;
    const place = next[ids[entry]!]!++;
    chunks[place] = chunk;
    inTerms[place] = frequencies[entry]!;
  }
  const range = (values: Uint32Array, id: number | undefined) =>
    id === undefined ? values.subarray(0, 0) : values.subarray(starts[id], starts[id + 1]);
  return {
    chunkCount: lengths.length,
    lengths,
    averageLength: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
    lookUp: (term) => ({ chunks: range(chunks, termIds.get(term)), frequencies: range(inTerms, termIds.get(term)) }),
  };
}

function startsOf(ids: Uint32Array, termCount: number): Uint32Array {
  const starts = new Uint32Array(termCount + 1);
  for (const id of ids) starts[id + 1]!++;
  for (let id = 0; id < termCount; id++) starts[id + 1]! += starts[id]!;
  return starts;
}
