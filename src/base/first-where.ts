/**
 * Returns the first index from `from` up to `to`, exclusive, for which the test holds; `to` where there is none. Binary
 * search: once the test holds for an index, it has to hold for all later ones.
 */
export function firstWhere(from: number, to: number, test: (index: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
