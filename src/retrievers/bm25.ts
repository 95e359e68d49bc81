import type { Postings } from './postings.ts';
import type { Ranking } from './ranking.ts';

/** The terms of a query with what each counts. */
export type Weights = ReadonlyMap<string, number>;

/** BM25 over postings (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). */
export interface Bm25 {
  readonly chunkCount: number;
  /** Adds to the score of every chunk that holds one of the terms. */
  score(scores: Float64Array, weights: Weights): void;
  /** The same for those chunks alone that have a score already. */
  raise(scores: Float64Array, weights: Weights): void;
  /** How many chunks hold the term. */
  holders(term: string): number;
  /** How well a chunk that holds a term so often matches it, 0–1, whatever the term tells. */
  match(chunk: number, frequency: number): number;
}

export function createBm25(postings: Postings, { k1, b }: Pick<Ranking, 'k1' | 'b'>): Bm25 {
  const { chunkCount, lengths, averageLength } = postings;
  const penalties = Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / averageLength));
  const addTerm = (scores: Float64Array, term: string, weight: number, isRaise: boolean) => {
    const { chunks, frequencies } = postings.lookUp(term);
    const factor = weight * inverseFrequency(chunks.length, chunkCount) * (k1 + 1);
    for (let entry = 0; entry < chunks.length; entry++) {
      const chunk = chunks[entry]!;
      if (isRaise && scores[chunk] === 0) continue;
      const frequency = frequencies[entry]!;
      scores[chunk]! += (factor * frequency) / (frequency + penalties[chunk]!);
    }
  };
  return {
    chunkCount,
    score: (scores, weights) => {
      for (const [term, weight] of weights) addTerm(scores, term, weight, false);
    },
    raise: (scores, weights) => {
      for (const [term, weight] of weights) addTerm(scores, term, weight, true);
    },
    holders: postings.holders,
    match: (chunk, frequency) => frequency / (frequency + penalties[chunk]!),
  };
}

/** What a term that this many of all chunks hold tells; always above 0. */
export function inverseFrequency(holders: number, all: number): number {
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}
