/** Measures of ranked lists of document names. */
type Relevant = ReadonlyMap<string, number>;

const discounted = (gains: readonly number[]): number =>
  gains.reduce((total, gain, place) => total + gain / Math.log2(place + 2), 0);

/** Returns the gain of the first `depth` documents relative to the best possible order, 0–1. */
export function ndcg(ranked: readonly string[], relevant: Relevant, depth: number): number {
  const best = discounted([...relevant.values()].sort((a, b) => b - a).slice(0, depth));
  return best === 0 ? 0 : discounted(ranked.slice(0, depth).map((name) => relevant.get(name) ?? 0)) / best;
}

/** Returns the share of the relevant documents that are among the first `depth`, 0–1. */
export function recall(ranked: readonly string[], relevant: Relevant, depth: number): number {
  if (relevant.size === 0) return 0;
  return new Set(ranked.slice(0, depth).filter((name) => relevant.has(name))).size / relevant.size;
}

/** Returns 1 if all relevant documents are among the first `depth`, else 0. */
export const allFound = (ranked: readonly string[], relevant: Relevant, depth: number): number =>
  Math.floor(recall(ranked, relevant, depth));

export const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);

/** Returns the value below which this share of all values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/**
 * Returns half of the 95 % interval of the mean difference between paired values.
 */
export function pairedMargin(values: readonly number[], others: readonly number[]): number {
  const differences = values.map((value, index) => value - others[index]!);
  const middle = mean(differences);
  const variance = mean(differences.map((difference) => (difference - middle) ** 2));
  return 1.96 * Math.sqrt(variance / differences.length);
}
