import { stopwords } from '../../context/words/stopwords.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Query } from '../retriever.ts';
import type { Analysis } from './terms/term-counter.ts';

/**
 * How the lexical retriever reads and ranks text. `docs/decisions/0012-lexical-retrieval.md` gives the effect of each
 * choice.
 */
export interface Ranking extends Analysis {
  /** How slowly further occurrences of a term in a chunk stop counting. */
  readonly k1: number;
  /** How strongly scores are normalised by chunk length, 0–1. */
  readonly b: number;
  /** Weight of a match in a document's name, relative to one in its text. */
  readonly nameWeight: number;
  /** Additional times that a document's first line counts, where other lines follow: it is usually the title. */
  readonly titleRepeats: number;
  /** Whether the document's name and the enclosing definitions count as text of a chunk of program code. */
  readonly countsSurroundings: boolean;
  /** Whether a term that occurs twice in the query weighs more than one that occurs once. */
  readonly weighsRepeats: boolean;
  /** Weight of a term that only the query's focus contains; a term of its text weighs 1. */
  readonly focusWeight: number;
}

/** The ranking that the program uses. */
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
 * Returns each term of a query with its weight: a term that occurs twice weighs more than once and less than double;
 * one that only the focus contains weighs little.
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
