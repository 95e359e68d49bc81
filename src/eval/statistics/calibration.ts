/** Confidences and scores are 0–1. */

import { mean } from './intervals.ts';

type Known = { readonly confidence: number; readonly right: number };

/**
 * Returns, for each k, the share of wrong answers among the first k. Answers of equal confidence have no order, so
 * each of them gets the mean error of the group.
 * @param sorted the answers, by descending confidence.
 */
function risks(sorted: readonly Known[]): readonly number[] {
  const expected: number[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (end < sorted.length && sorted[end]!.confidence === sorted[at]!.confidence) end++;
    const wrong = mean(sorted.slice(at, end).map(({ right }) => 1 - right));
    for (; at < end; at++) expected.push(wrong);
  }
  let sum = 0;
  return expected.map((wrong, index) => {
    sum += wrong;
    return sum / (index + 1);
  });
}

/** Minimum number of answers in a bin. With fewer answers, the share of right ones is meaningless. */
const fewestInBin = 10;
const mostBins = 10;

/**
 * Returns the calibration error: √(Σ n_b/n·((p̄ − ȳ)² − ȳ(1 − ȳ)/(n_b − 1))), or 0 if the sum is negative.
 * A bin has n_b of the n answers, with the mean confidence p̄ and the mean score ȳ. Null for fewer than 2 full bins.
 */
export function debiasedError(known: readonly Known[]): number | null {
  const bins = Math.min(mostBins, Math.floor(known.length / fewestInBin));
  if (bins < 2) return null;
  const sorted = [...known].sort((a, b) => a.confidence - b.confidence);
  let total = 0;
  for (let bin = 0; bin < bins; bin++) {
    const part = sorted.slice(Math.round((bin * sorted.length) / bins), Math.round(((bin + 1) * sorted.length) / bins));
    const right = mean(part.map((one) => one.right));
    const gap = mean(part.map(({ confidence }) => confidence)) - right;
    total += (part.length / sorted.length) * (gap * gap - (right * (1 - right)) / (part.length - 1));
  }
  return Math.sqrt(Math.max(0, total));
}

/** Returns Mann and Whitney's U divided by the number of pairs; null without pairs. A score of 0.5 or more is right. */
function aurocOf(known: readonly Known[]): number | null {
  const rights = known.filter(({ right }) => right >= 0.5);
  const wrongs = known.filter(({ right }) => right < 0.5);
  if (rights.length === 0 || wrongs.length === 0) return null;
  const above = (a: number, b: number) => (a > b ? 1 : a === b ? 0.5 : 0);
  return mean(rights.map((one) => mean(wrongs.map((other) => above(one.confidence, other.confidence)))));
}

const coverages = [0.25, 0.5, 0.75, 1];

/** Measures how well confidences predict right answers. A confidence of null is unknown. */
export function calibrate(answers: readonly { readonly confidence: number | null; readonly right: number }[]) {
  const known = answers.flatMap(({ confidence, right }) => (confidence === null ? [] : [{ confidence, right }]));
  const byRisk = risks([...known].sort((a, b) => b.confidence - a.confidence));
  const isEmpty = known.length === 0;
  return {
    n: known.length,
    unknown: answers.length === 0 ? 0 : 1 - known.length / answers.length,
    /** Mean confidence minus the share of right answers; null without confidences. */
    bias: isEmpty ? null : mean(known.map(({ confidence }) => confidence)) - mean(known.map(({ right }) => right)),
    /** Root of the squared calibration error in bins of equal size, corrected for chance. */
    error: debiasedError(known),
    /**
     * Mean risk over all coverages; a risk is a share of wrong answers. 0 is best. Random confidences give, on average,
     * the share of wrong answers among all answers.
     */
    aurc: isEmpty ? null : mean(byRisk),
    /** The probability that a right answer has more confidence than a wrong one; null without answers of both kinds. */
    auroc: aurocOf(known),
    /** For each coverage c: the risk among the c·n answers with the highest confidence. Empty without confidences. */
    riskAt: isEmpty
      ? []
      : coverages.map((coverage) => ({ coverage, risk: byRisk[Math.ceil(coverage * byRisk.length) - 1]! })),
  };
}

export type Calibration = ReturnType<typeof calibrate>;

/** Returns Cohen's kappa of two judges of the same answers. Null without answers, or if all verdicts are the same. */
export function kappa(first: readonly boolean[], second: readonly boolean[]): number | null {
  const n = first.length;
  const agreed = first.filter((one, at) => one === second[at]).length / n;
  const [a, b] = [mean(first.map(Number)), mean(second.map(Number))];
  const chance = a * b + (1 - a) * (1 - b);
  return n === 0 || chance === 1 ? null : (agreed - chance) / (1 - chance);
}

const steps = 50;
/** Keeps the fit finite where all confidences are equal. */
const ridge = 1e-3;

/** Returns the value of a fitted curve: the probability that an answer with this confidence is right. */
export const onFittedCurve = ({ constant, slope }: ReturnType<typeof fitCurve>, confidence: number): number =>
  1 / (1 + Math.exp(-(constant + slope * confidence)));

/**
 * Fits a logistic curve by Newton's method. Its targets are those of Platt (1999): (n₊ + 1) / (n₊ + 2) for right
 * answers, 1 / (n₋ + 2) for wrong ones. They make the curve flatter if there are few answers.
 */
export function fitCurve(answers: readonly { readonly confidence: number; readonly isRight: boolean }[]) {
  const rights = answers.filter(({ isRight }) => isRight).length;
  const targets = [1 / (answers.length - rights + 2), (rights + 1) / (rights + 2)] as const;
  let [constant, slope] = [0, 0];
  for (let step = 0; step < steps; step++) {
    let [gradient0, gradient1, h00, h01, h11] = [0, ridge * slope, ridge, 0, ridge];
    for (const { confidence, isRight } of answers) {
      const predicted = onFittedCurve({ constant, slope }, confidence);
      const [error, weight] = [predicted - targets[isRight ? 1 : 0], predicted * (1 - predicted)];
      gradient0 += error;
      gradient1 += error * confidence;
      h00 += weight;
      h01 += weight * confidence;
      h11 += weight * confidence * confidence;
    }
    const determinant = h00 * h11 - h01 * h01;
    constant -= (h11 * gradient0 - h01 * gradient1) / determinant;
    slope -= (h00 * gradient1 - h01 * gradient0) / determinant;
  }
  return { constant, slope };
}
