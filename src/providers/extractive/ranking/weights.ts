import type { Features, MatchFeatures } from './features.ts';

/**
 * Weights of the features in the rank of a sentence. Fitted by `scripts/fit-extractive.ts` (a conditional logit: how
 * much likelier the sentence with the answer is than the others) on the answerable questions of four of the eight
 * articles in `squad2` (SQuAD 2.0's development set, CC BY-SA 4.0); `docs/decisions/0037-match.md` has the results on
 * the other four and on MuSiQue.
 */
export const rankWeights: Readonly<Record<keyof Features, number>> = {
  own: 6.04,
  frequency: 2.44,
  passage: 3.92,
  near: 1.13,
  sign: 0.75,
  beside: 1.4,
  named: 2.71,
  fresh: 1.51,
};

/**
 * Weights for the probability that the first quoted sentence contains the answer: a logistic curve with Platt's
 * targets, fitted by the same script on the same four articles, with their unanswerable questions and with questions
 * asked of the other articles. Only words support such a sentence: even with all of them, it contains the answer in
 * fewer than 80 of 100 cases.
 */
export const matchWeights = { constant: -5.34, own: 3.34, named: 1.28, words: 0.33, fresh: 0.44, negated: -1.2 };
const mostWords = 6;

/** The least probability of an answer. */
export const leastMatch = 0.05;

/** Returns the probability that a sentence contains the answer, 0–1. */
export function matchOf({ own, named, words, fresh, negated }: MatchFeatures): number {
  const { constant, ...weights } = matchWeights;
  const ofWords = weights.own * own + weights.named * named + weights.words * Math.min(words, mostWords);
  const sum = constant + ofWords + weights.fresh * fresh + weights.negated * negated;
  return 1 / (1 + Math.exp(-sum));
}
