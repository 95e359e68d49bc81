import type { QuoteSignals } from './signals.ts';

/**
 * A logistic curve with Platt's targets, fitted by `npm run fit:evidence` on four of the eight articles of `squad2`, their
 * unanswerable questions included, on questions asked of the other articles, and on every other question of MuSiQue.
 * docs/confidence.md has what it reaches on the rest.
 */
export const quoteWeights: Readonly<Record<keyof QuoteSignals | 'constant', number>> = {
  constant: -2.88,
  match: 3.01,
  ahead: 1.15,
  kind: 0.55,
  polarity: -1.1,
  first: 2.06,
  dense: 0.82,
};

/** The probability that the first quote holds the answer, 0–1. */
export function rightOf(signals: QuoteSignals): number {
  const names = Object.keys(signals) as (keyof QuoteSignals)[];
  const sum = names.reduce((total, name) => total + quoteWeights[name] * signals[name], quoteWeights.constant);
  return 1 / (1 + Math.exp(-sum));
}
