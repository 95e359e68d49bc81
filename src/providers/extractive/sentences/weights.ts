import type { Features } from './features.ts';

/**
 * What each sign of an answer counts in the rank of a sentence. Fitted by `scripts/fit-extractive.ts` (a conditional
 * logit: how much likelier the sentence with the answer is than the others) on the answerable questions of four of the
 * eight articles in `squad2` (SQuAD 2.0's development set, CC BY-SA 4.0); `docs/decisions/0037-match.md` has what the
 * other four and MuSiQue show.
 */
export const rankWeights: Readonly<Record<keyof Features, number>> = {
  own: 6.29,
  frequency: 2.19,
  passage: 4.53,
  near: 1.3,
  sign: 1.42,
  beside: 1.3,
};

/**
 * How likely the best sentence of a question holds its answer: a logistic curve (Platt's targets) over the questions of
 * the same four articles, the unanswerable ones and questions asked of the other articles included. Nothing else that was
 * tried made it better on the other four.
 */
const matchWeights = { constant: -5.12, own: 2.84, named: 1.38, words: 0.39 };

const mostWords = 6;

/** Below this, a sentence is no answer: 5 % of right ones are, and 75 % of the best ones of a text on something else. */
export const leastMatch = 0.05;

/**
 * How likely a sentence answers, 0–1, where only words speak for it.
 * @param named share of the clause's names that its passage has.
 */
export function matchOf({ own }: Features, named: number, words: number): number {
  const { constant, ...weights } = matchWeights;
  return (
    1 /
    (1 + Math.exp(-(constant + weights.own * own + weights.named * named + weights.words * Math.min(words, mostWords))))
  );
}
