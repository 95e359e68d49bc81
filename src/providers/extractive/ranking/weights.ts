import type { Features, MatchFeatures } from './features.ts';

/**
 * What each sign of an answer counts in the rank of a sentence. Fitted by `scripts/fit-extractive.ts` (a conditional
 * logit: how much likelier the sentence with the answer is than the others) on the answerable questions of four of the
 * eight articles in `squad2` (SQuAD 2.0's development set, CC BY-SA 4.0); `docs/decisions/0037-match.md` has what the
 * other four and MuSiQue show.
 */
export const rankWeights: Readonly<Record<keyof Features, number>> = {
  own: 6.39,
  frequency: 2.18,
  passage: 4.42,
  near: 1.32,
  sign: 1.43,
  beside: 1.48,
};

/**
 * How likely the first quoted sentence holds the answer: a logistic curve with Platt's targets, fitted by the same
 * script on the same four articles, with their unanswerable questions and with questions asked of the other articles.
 * Nothing but words speaks for such a sentence: even when it has all of them, it holds the answer in less than 80 of
 * 100 cases.
 */
export const matchWeights = { constant: -3.95, own: 2.58, named: 0.77, words: 0.28 };
const mostWords = 6;

/** Below this, a sentence is no answer. */
export const leastMatch = 0.08;

/** How likely a sentence holds the answer, 0–1. */
export function matchOf({ own, named, words }: MatchFeatures): number {
  const { constant, ...weights } = matchWeights;
  const sum = constant + weights.own * own + weights.named * named + weights.words * Math.min(words, mostWords);
  return 1 / (1 + Math.exp(-sum));
}
