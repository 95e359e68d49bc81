import type { Postings } from './postings.ts';
import type { Ranking } from './ranking.ts';

/** The terms of a query with their weights. */
type Weights = ReadonlyMap<string, number>;

/** Adds to the score of every chunk that contains a term. */
export type AddScores = (scores: Float64Array, weights: Weights) => void;

/**
 * Creates BM25 scoring over postings (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
 * Beyond", 2009).
 */
export function createBm25(postings: Postings, { k1, b }: Pick<Ranking, 'k1' | 'b'>): AddScores {
  const { chunkCount, lengths, averageLength } = postings;
  const penalties = Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / averageLength));
  const addTerm = (scores: Float64Array, term: string, weight: number) => {
    const { chunks, frequencies } = postings.lookUp(term);
    const factor = weight * inverseFrequency(chunks.length, chunkCount) * (k1 + 1);
    for (let entry = 0; entry < chunks.length; entry++) {
      const chunk = chunks[entry]!;
      const frequency = frequencies[entry]!;
      scores[chunk]! += (factor * frequency) / (frequency + penalties[chunk]!);
    }
  };
  return (scores, weights) => {
    for (const [term, weight] of weights) addTerm(scores, term, weight);
  };
}

/** Returns the inverse document frequency of a term in `holders` of `all` chunks; always above 0. */
export function inverseFrequency(holders: number, all: number): number {
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}
