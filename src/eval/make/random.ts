/** Random numbers that depend on the seed alone, on every machine. */
export interface Random {
  /** Returns a whole number from 0 to n − 1. */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** Returns a new list in random order. */
  shuffle<T>(items: readonly T[]): T[];
  /** Returns a number of `count` digits. */
  digits(count: number): string;
}

/** Creates a generator with 32 bits of state (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (n: number) => Math.floor(next() * n);
  function shuffle<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let at = result.length - 1; at > 0; at--) {
      const other = below(at + 1);
      [result[at], result[other]] = [result[other]!, result[at]!];
    }
    return result;
  }
  const digits = (count: number) =>
    Array.from({ length: count }, (_, at) => String(at === 0 ? 1 + below(9) : below(10))).join('');
  return { below, pick: (items) => items[below(items.length)]!, shuffle, digits };
}
