/**
 * Returns the first index from `from` up to `to`, exclusive, for which the test holds; `to` if there is none. Uses
 * binary search: if the test holds for an index, it must hold for all later indexes.
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

/** Interleaves groups: the first of each, then the second of each, and so on. */
export function inTurns<T>(groups: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1))).flat();
}

type Numbers = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Creates an empty list of unsigned 32-bit numbers. */
export const createCounts = () => grow((length) => new Uint32Array(length));

/** Creates an empty list of numbers that may exceed 32 bits. */
export const createNumbers = () => grow((length) => new Float64Array(length));

function grow<Values extends Numbers>(create: (length: number) => Values) {
  let values = create(256);
  let length = 0;
  return {
    push: (value: number): void => {
      if (length === values.length) {
        const larger = create(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (index: number): number => values[index]!,
    length: (): number => length,
    truncate: (to: number): void => {
      length = to;
    },
    /** Returns a view of the numbers, which is valid until the next push. */
    values: () => values.subarray(0, length) as Values,
  };
}
