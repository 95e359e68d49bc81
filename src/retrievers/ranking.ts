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
  readonly feedback: FeedbackChoices;
}

/** What the best chunks of a first search add to the query. */
export interface FeedbackChoices {
  /** So many chunks are taken to answer the query; 0: no second search. */
  readonly chunks: number;
  /** At most so many of their terms are added. */
  readonly terms: number;
  /** The weight of all added terms together, in those of the query's own. */
  readonly weight: number;
  /** A term that a larger share of all chunks hold tells too little for what looking it up takes. */
  readonly mostHolders: number;
}

/** What is shipped. */
export const shippedRanking: Ranking = {
  analyse: contentTerms,
  keepsJoined: true,
  k1: 1.2,
  b: 0.75,
  nameWeight: 0.25,
  titleRepeats: 2,
  weighsRepeats: true,
  feedback: { chunks: 3, terms: 40, weight: 0.5, mostHolders: 0.1 },
};
