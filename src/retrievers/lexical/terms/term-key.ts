/**
 * Terms are identified by 53 bits of a hash, so that an index stores no strings: among ten million different terms, a
 * collision has a probability of 0.6 %. Two lanes of FNV-1a (draft-eastlake-fnv) with different primes, each mixed at
 * the end as in MurmurHash3.
 */
export const seeds = [0x811c9dc5 | 0, 0x9747b28c | 0] as const;
export const primes = [0x01000193, 0x01000baf] as const;

const lowBits = 21;
const lowRange = 2 ** lowBits;
/** Keys are whole numbers below this. */
export const keyRange = 2 ** (32 + lowBits);

/** Returns the upper 32 bits of a key, from the result of the first lane. */
export const highOf = (first: number): number => mix(first) >>> 0;

/** Returns the lower 21 bits, from the result of the second lane. */
export const lowOf = (second: number): number => mix(second) >>> (32 - lowBits);

export const keyOf = (high: number, low: number): number => high * lowRange + low;

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Returns both parts of a term's key, from its bytes in UTF-8. */
export function termKey(term: string): readonly [high: number, low: number] {
  let first: number = seeds[0];
  let second: number = seeds[1];
  for (const byte of Buffer.from(term)) {
    first = Math.imul(first ^ byte, primes[0]);
    second = Math.imul(second ^ byte, primes[1]);
  }
  return [highOf(first), lowOf(second)];
}
