import type { Features, MatchFeatures } from './features.ts';

/**
 * What each sign of an answer counts in the rank of a sentence. Fitted by `scripts/fit-extractive.ts` (a conditional
 * logit: how much likelier the sentence with the answer is than the others) on the answerable questions of four of the
 * eight articles in `squad2` (SQuAD 2.0's development set, CC BY-SA 4.0); `docs/decisions/0037-match.md` has what the
 * other four and MuSiQue show.
 */
export const rankWeights: Readonly<Record<keyof Features, number>> = {
  own: 3.69,
  frequency: 1.49,
  passage: 3.43,
  near: 0.75,
  sign: 0.67,
  beside: 1.85,
  named: 2.79,
  fresh: 1.51,
  letters: 4.37,
};

/**
 * How likely the first quoted sentence holds the answer: a logistic curve with Platt's targets, fitted by the same
 * script on the same four articles, with their unanswerable questions and with questions asked of the other articles.
 * Nothing but words speaks for such a sentence: even when it has all of them, it holds the answer in less than 80 of
 * 100 cases.
 */
export const matchWeights = { constant: -5.16, own: 3.32, named: 1.24, words: 0.29, fresh: 0.45, negated: -1.33 };
const mostWords = 6;

/** Below this, a sentence is no answer. */
export const leastMatch = 0.05;

/** How likely a sentence holds the answer, 0–1. */
export function matchOf({ own, named, words, fresh, negated }: MatchFeatures): number {
  const { constant, ...weights } = matchWeights;
  const ofWords = weights.own * own + weights.named * named + weights.words * Math.min(words, mostWords);
  const sum = constant + ofWords + weights.fresh * fresh + weights.negated * negated;
  return 1 / (1 + Math.exp(-sum));
}
