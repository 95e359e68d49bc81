import { stopwords } from '../../context/words/stopwords.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Query } from '../retriever.ts';
import type { Analysis } from './terms/term-counter.ts';

/**
 * How the lexical retriever reads and ranks. `docs/decisions/0012-lexical-retrieval.md` says what each choice brings.
 */
export interface Ranking extends Analysis {
  /** How slowly a term that stands in a chunk more often comes to count no more. */
  readonly k1: number;
  /** How much a long chunk is held to be only that, 0–1. */
  readonly b: number;
  /** A match in a document's name counts this part of one in its text. */
  readonly nameWeight: number;
  /** How often more a document's first line counts, where other lines follow it: it mostly is its title. */
  readonly titleRepeats: number;
  /** Whether with a chunk of program code the name of its document counts, and the definitions that it is in. */
  readonly countsSurroundings: boolean;
  /** Whether a term that stands in the query twice weighs more than one that stands there once. */
  readonly weighsRepeats: boolean;
  /** What a term weighs that only the query's focus has; one of its text weighs 1. */
  readonly focusWeight: number;
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
  countsSurroundings: true,
  weighsRepeats: true,
  focusWeight: 0.2,
};

/**
 * Each term of a query with its weight: a term that stands there twice weighs more than once, and less than double; one
 * that only the focus has weighs little.
 */
export function queryWeights(
  { text, focus = '' }: Pick<Query, 'text' | 'focus'>,
  ranking: Ranking,
): Map<string, number> {
  const { analyse, weighsRepeats, focusWeight } = ranking;
  const counts = new Map<string, number>();
  for (const term of analyse(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const own = [...counts].map(([term, count]) => [term, weighsRepeats ? 1 + Math.log(count) : 1] as const);
  return new Map([...analyse(focus).map((term) => [term, focusWeight] as const), ...own]);
}
