/** 95 % confidence intervals for one arm, and for two arms on the same samples. Scores are 0–1. */

/** The 0.975 quantile of the standard normal distribution. */
const z95 = 1.959963984540054;

/**
 * Returns the two-sided p of Student's t for whole degrees of freedom: a finite series in cos θ with θ = atan(t/√n)
 * (Abramowitz & Stegun 26.7.3 and 26.7.4).
 */
function tTest(t: number, degrees: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(degrees));
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = 0;
  for (let k = isOdd ? 3 : 2; k <= degrees; k += 2) {
    sum += term;
    term *= ((k - 1) / k) * Math.cos(angle) ** 2;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
  return Math.max(0, 1 - within);
}

/** Returns the 0.975 quantile of Student's t, by bisection. */
export function t95(degrees: number): number {
  let [low, high] = [z95 - 0.001, 13];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (tTest(middle, degrees) > 0.05) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Returns Wilson's interval (1927) for a share of `n` > 0 samples. For graded scores, it is wider than necessary. */
export function wilson(share: number, n: number) {
  const z2 = z95 * z95;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z95 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return { low: clamp(centre - half, 0, 1), high: clamp(centre + half, 0, 1) };
}

/**
 * Returns McNemar's mid-p: 2·P(X ≤ k) − P(X = k), with X ~ Bin(b + c, ½) and k = min(b, c). In b pairs only the first
 * answer is right, and in c pairs only the second (Fagerland, Lydersen & Laake 2013).
 */
export function mcnemarMidP(b: number, c: number): number {
  const [n, k] = [b + c, Math.min(b, c)];
  if (n === 0) return 1;
  // The logarithm of P(X = i), beginning with i = 0. P(X = 0) = ½ⁿ itself may be too small for a floating-point number.
  let log = -n * Math.LN2;
  let below = 0;
  for (let i = 0; i < k; i++) {
    below += Math.exp(log);
    log += Math.log((n - i) / (i + 1));
  }
  return Math.min(1, 2 * below + Math.exp(log));
}

/** Adds two pairs, one in each direction, with the typical nonzero difference. */
function withAddedPairs(differences: readonly number[]) {
  const n = differences.length + 2;
  const differing = differences.filter((d) => d !== 0).length;
  const squares = differences.reduce((sum, d) => sum + d * d, 0);
  const added = differing === 0 ? 1 : squares / differing;
  const middle = differences.reduce((sum, d) => sum + d, 0) / n;
  return { n, middle, variance: Math.max(0, (squares + 2 * added) / n - middle * middle) };
}

/**
 * Returns the interval of Bonett and Price (2012) for a difference of paired shares:
 * d̃ ± z·√((p̃₁₂ + p̃₂₁ − d̃²)/(n + 2)), with p̃ = (count + 1)/(n + 2). Graded scores follow the same rule.
 */
export function bonettPrice(differences: readonly number[]) {
  const { n, middle, variance } = withAddedPairs(differences);
  const half = z95 * Math.sqrt(variance / n);
  return { low: clamp(middle - half, -1, 1), high: clamp(middle + half, -1, 1) };
}

/** Returns the standard error of a mean of values that depend on each other in clusters (Miller, arXiv 2411.00640). */
export function clusteredError(values: readonly number[], clusters: readonly string[]): number {
  const centre = mean(values);
  const sums = new Map<string, number>();
  for (const [at, value] of values.entries()) {
    const cluster = clusters[at]!;
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - centre);
  }
  const count = sums.size;
  const square = [...sums.values()].reduce((sum, one) => sum + one * one, 0);
  return count < 2 ? 0 : Math.sqrt((square * count) / (count - 1)) / values.length;
}

/** With fewer differing pairs, a t interval is too short. Then the rule with added pairs is used. */
const fewestDifferent = 10;
const fewestClusters = 5;

/** (z for 0.975 + z for 0.8)², for a power of 80 % at a significance level of 5 %. */
const powerFactor = 7.85;
const worthShowing = 0.1;

/** Returns the number of samples that show a difference of δ = 0.1: 7.85·σ²/δ². The added pairs keep σ² above 0. */
export const samplesNeeded = (differences: readonly number[]): number =>
  Math.ceil((powerFactor * withAddedPairs(differences).variance) / worthShowing ** 2);

function byT(differences: readonly number[], clusters: readonly string[], method: 't' | 'clustered t') {
  const difference = mean(differences);
  const error = clusteredError(differences, clusters);
  const degrees = new Set(clusters).size - 1;
  const p = error === 0 ? Number(difference === 0) : tTest(difference / error, degrees);
  const half = t95(degrees) * error;
  return { low: clamp(difference - half, -1, 1), high: clamp(difference + half, -1, 1), p, method };
}

/**
 * Compares two arms on the same samples. Uses a t test only if at least 10 pairs differ: clustered t if samples share
 * texts and there are at least 5 texts, else t if scores are graded. In all other cases, p is McNemar's mid-p, or 1
 * for a single sample.
 * @param differences for each sample, the score of one arm minus the score of the other; at least one.
 * @param clusters for each sample, its text. Samples may share a text.
 */
export function comparePaired(differences: readonly number[], clusters: readonly string[]) {
  const [n, groups] = [differences.length, new Set(clusters).size];
  const wins = differences.filter((d) => d > 0).length;
  const losses = differences.filter((d) => d < 0).length;
  const isEnough = wins + losses >= fewestDifferent;
  const isGraded = differences.some((d) => ![-1, 0, 1].includes(d));
  const test = () => {
    if (n === 1) return { low: -1, high: 1, p: 1, method: 'mcnemar' as const };
    if (isEnough && groups >= fewestClusters && groups < n) return byT(differences, clusters, 'clustered t');
    if (isEnough && isGraded) return byT(differences, [...differences.keys()].map(String), 't');
    return { ...bonettPrice(differences), p: mcnemarMidP(wins, losses), method: 'mcnemar' as const };
  };
  return {
    ...{ n, wins, losses, ties: n - wins - losses },
    difference: mean(differences),
    ...test(),
    /** Samples needed to show a difference of 10 points with a power of 80 %. */
    samplesNeeded: samplesNeeded(differences),
  };
}
