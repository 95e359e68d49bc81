import { stopwords } from '../context/stopwords.ts';
import { contentTerms } from '../context/terms.ts';
import type { Analysis } from './term-counter.ts';

/** How the lexical retriever reads and ranks. `docs/decisions/0012-lexical-retrieval.md` says what each choice brings. */
export interface Ranking extends Analysis {
  /** How slowly a term that stands in a chunk more often comes to count no more. */
  readonly k1: number;
  /** How much a long chunk is held to be only that, 0–1. */
  readonly b: number;
  /** A match in a document's name counts this part of one in its text. */
  readonly nameWeight: number;
  /** How often more a document's first line counts, where other lines follow it: it mostly is its title. */
  readonly titleRepeats: number;
  /** Whether a term that stands in the query twice weighs more than one that stands there once. */
  readonly weighsRepeats: boolean;
}

/** What is shipped. */
export const shippedRanking: Ranking = {
  analyse: contentTerms,
  readsIdentifiers: true,
  leftOut: stopwords,
  k1: 1.2,
  b: 0.75,
  nameWeight: 0.25,
  titleRepeats: 2,
  weighsRepeats: true,
};

/** Each term of a query with its weight: a term that stands there twice weighs more than once, and less than double. */
export function queryWeights(query: string, { analyse, weighsRepeats }: Ranking): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of analyse(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].map(([term, count]) => [term, weighsRepeats ? 1 + Math.log(count) : 1]));
}
