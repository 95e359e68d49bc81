/** Unsigned 32-bit numbers in a row that grows at its end. */
export interface GrowingArray {
  push(value: number): void;
  /** What was pushed so far; a view, valid until the next push. */
  values(): Uint32Array;
}

/** An empty row. */
export function createGrowingArray(): GrowingArray {
  let values = new Uint32Array(1024);
  let length = 0;
  return {
    push: (value) => {
      if (length === values.length) {
        const larger = new Uint32Array(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    values: () => values.subarray(0, length),
  };
}
