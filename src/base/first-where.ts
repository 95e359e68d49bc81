/**
 * Returns the first index from which on the test holds, among `from` to `to`; `to` where it never does. The test has to
 * hold for all indexes behind the first one for which it does.
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
