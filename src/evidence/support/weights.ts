/**
 * Weights of two logistic curves over a claim's signals, fitted by `npm run fit:evidence` on the 349 claims of WiCE's
 * development set (ryokamoi/wice, annotations ODC-BY) with Platt's targets. docs/decisions/0041-evidence.md has the
 * figures and what else was tried.
 */
import type { Signals } from './signals.ts';

export interface Curve {
  readonly constant: number;
  readonly weights: Readonly<Partial<Record<keyof Signals, number>>>;
}

/** For the probability that the evidence supports all of the claim. */
export const fullCurve: Curve = { constant: -7.37, weights: { near: 3.63, numbers: 3.48, names: 1.83 } };

/** For the probability that it supports any of it. */
export const anyCurve: Curve = { constant: -1.85, weights: { near: 2.52, wide: 6.88 } };

/** Returns the probability that a curve gives, 0–1. */
export function oddsOf({ constant, weights }: Curve, signals: Signals): number {
  const names = Object.keys(weights) as (keyof Signals)[];
  const sum = names.reduce((total, name) => total + weights[name]! * signals[name], constant);
  return 1 / (1 + Math.exp(-sum));
}
