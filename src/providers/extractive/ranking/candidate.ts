import type { Sentence } from '../../../context/sentences/sentences.ts';
import type { MatchFeatures } from './features.ts';

/** A sentence with how well it answers a clause. */
export interface Candidate {
  /** Its number among the sentences. */
  readonly index: number;
  readonly sentence: Sentence;
  /** What words speak for it. */
  readonly matched: MatchFeatures;
  /** How likely it answers by that alone: 0 to 1. */
  readonly match: number;
  /** How strongly it looks like the kind of answer that is asked for: 0 to 1. */
  readonly sign: number;
  /** How much it takes up what earlier answers say: 0 to 1. */
  readonly related: number;
  readonly score: number;
  /** Numbers of the sentences that are shown below it: the list that it leads to. */
  readonly also: readonly number[];
}
