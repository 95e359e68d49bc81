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
const keyRange = 2 ** (32 + lowBits);

/** Returns the upper 32 bits of a key, from the result of the first lane. */
export const highOf = (first: number): number => mix(first) >>> 0;

/** Returns the lower 21 bits, from the result of the second lane. */
export const lowOf = (second: number): number => mix(second) >>> (32 - lowBits);

export const termKeyOf = (high: number, low: number): number => high * lowRange + low;

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

export interface KeyOrder {
  readonly terms: Uint32Array;
  readonly keys: Float64Array;
}

/** Sorts terms by key: each key's position is estimated from its hash and then corrected, three times as fast. */
export function orderByKey(terms: Uint32Array, keyOf: (term: number) => number): KeyOrder {
  const buckets = 2 ** Math.ceil(Math.log2(terms.length + 1));
  const ends = new Uint32Array(buckets + 1);
  const bucketOf = (key: number): number => Math.floor(key * (buckets / keyRange));
  for (let at = 0; at < terms.length; at++) ends[bucketOf(keyOf(terms[at]!)) + 1]!++;
  for (let bucket = 0; bucket < buckets; bucket++) ends[bucket + 1]! += ends[bucket]!;
  const ordered = { terms: new Uint32Array(terms.length), keys: new Float64Array(terms.length) };
  for (let at = 0; at < terms.length; at++) {
    const key = keyOf(terms[at]!);
    const place = ends[bucketOf(key)]!++;
    ordered.terms[place] = terms[at]!;
    ordered.keys[place] = key;
  }
  sortNearly(ordered);
  return ordered;
}

/** Sorts by insertion, in time linear in the distances that keys have to move. */
function sortNearly({ terms, keys }: KeyOrder): void {
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!;
    if (keys[at - 1]! <= key) continue;
    const term = terms[at]!;
    let hole = at;
    for (; hole > 0 && keys[hole - 1]! > key; hole--) {
      keys[hole] = keys[hole - 1]!;
      terms[hole] = terms[hole - 1]!;
    }
    keys[hole] = key;
    terms[hole] = term;
  }
}

/** Numbers keys in the order of their addition, from 0. */
export interface KeyTable {
  /** Returns the number of a key, or -1 when it is missing. */
  find(high: number, low: number): number;
  /** Adds a missing key, and returns its number. */
  add(high: number, low: number): number;
  count(): number;
  key(number: number): number;
  clear(): void;
}

const firstSize = 0x4000;

/** Creates a table with open addressing, at most half full. */
export function createKeyTable(): KeyTable {
  let mask = 0;
  let places = new Int32Array(0);
  let highs = new Uint32Array(0);
  let lows = new Uint32Array(0);
  let count = 0;

  /** Returns the slot of a key, or the empty slot where it belongs. */
  const placeOf = (high: number, low: number): number => {
    let place = high & mask;
    for (;;) {
      const number = places[place]! - 1;
      if (number < 0 || (highs[number] === high && lows[number] === low)) return place;
      place = (place + 1) & mask;
    }
  };
  const enlarge = () => {
    mask = mask * 2 + 1;
    places = new Int32Array(mask + 1);
    highs = enlarged(highs, (mask + 1) / 2);
    lows = enlarged(lows, (mask + 1) / 2);
    for (let number = 0; number < count; number++) places[placeOf(highs[number]!, lows[number]!)] = number + 1;
  };
  const clear = () => {
    mask = firstSize - 1;
    places = new Int32Array(firstSize);
    highs = new Uint32Array(firstSize / 2);
    lows = new Uint32Array(firstSize / 2);
    count = 0;
  };
  clear();
  return {
    find: (high, low) => places[placeOf(high, low)]! - 1,
    add: (high, low) => {
      if (count === highs.length) enlarge();
      const place = placeOf(high, low);
      highs[count] = high;
      lows[count] = low;
      places[place] = count + 1;
      return count++;
    },
    count: () => count,
    key: (number) => termKeyOf(highs[number]!, lows[number]!),
    clear,
  };
}

/** Returns a copy of the numbers with room for `length`. */
export function enlarged(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(numbers);
  return larger;
}
