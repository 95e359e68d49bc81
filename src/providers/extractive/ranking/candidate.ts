import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { MatchFeatures } from './features.ts';

/** A sentence with its ratings as an answer to a clause. */
export interface Candidate {
  /** Its index among the sentences. */
  readonly index: number;
  readonly sentence: Sentence;
  /** Features of its matching words. */
  readonly matched: MatchFeatures;
  /** Probability by these features that it answers, 0–1. */
  readonly match: number;
  /** How strongly it looks like the requested kind of answer, 0–1. */
  readonly sign: number;
  /** How strongly it relates to earlier answers, 0–1. */
  readonly related: number;
  readonly score: number;
  /** Indexes of the sentences that are shown below it: the list that it introduces. */
  readonly also: readonly number[];
}
