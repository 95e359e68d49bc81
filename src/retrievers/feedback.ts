import { type Bm25, inverseFrequency, type Weights } from './bm25.ts';
import type { FeedbackChoices } from './ranking.ts';

/**
 * The terms that the best chunks of a first search have in common with what is looked for, weighed by how much they
 * tell: pseudo-relevance feedback (after RM3: Abdul-Jaleel and others, "UMass at TREC 2004"). So a second search
 * finds what says the same in other words, or goes on where the best chunks end. A term of one chunk alone would only
 * repeat what was found.
 * @param termsOf the terms of a chunk.
 */
export function feedbackWeights(
  query: Weights,
  scores: Float64Array,
  bm25: Bm25,
  termsOf: (chunk: number) => readonly string[],
  { chunks, terms, weight, mostHolders }: FeedbackChoices,
): Weights {
  const told = new Map<string, number>();
  for (const chunk of highest(scores, chunks)) {
    for (const [term, frequency] of countTerms(termsOf(chunk))) {
      const worth = termWorth(bm25, term, mostHolders) * bm25.match(chunk, frequency) * scores[chunk]!;
      if (worth > 0) told.set(term, (told.get(term) ?? 0) + worth);
    }
  }
  const best = [...told].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, terms);
  const share = (weight * sum(query.values())) / sum(best.map(([, worth]) => worth));
  return new Map(best.map(([term, worth]) => [term, worth * share]));
}

function termWorth(bm25: Bm25, term: string, mostHolders: number): number {
  const holders = bm25.holders(term);
  return holders < 2 || holders > mostHolders * bm25.chunkCount ? 0 : inverseFrequency(holders, bm25.chunkCount);
}

/** The places of the highest scores above 0, the first among equals. */
function highest(scores: Float64Array, count: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    if (scores[at] === 0 || (found.length >= count && scores[at]! <= scores[found.at(-1)!]!)) continue;
    found.push(at);
    found.sort((a, b) => scores[b]! - scores[a]! || a - b);
    found.length = Math.min(found.length, count);
  }
  return found;
}

/** How often each term stands there. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
