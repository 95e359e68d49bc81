import { createNumbers } from '../../base/arrays.ts';

/**
 * Returns 53 bits of a hash, so that an index stores no strings. Among ten million different terms, a collision has a
 * probability of 0.6 %. Combines two hashes of FNV-1a (draft-eastlake-fnv), each mixed at the end as in MurmurHash3.
 */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let first = 0x811c9dc5 | 0;
  let second = 0x9747b28c | 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    first = Math.imul(first ^ byte, 0x01000193);
    second = Math.imul(second ^ byte, 0x01000baf);
  }
  return (mix(first) >>> 0) * lowRange + (mix(second) >>> (32 - lowBits));
}

const lowBits = 21;
const lowRange = 2 ** lowBits;

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const scratch = Buffer.alloc(1_024);

/** Returns the key of a term: the hash of its bytes in UTF-8. */
export function termKey(term: string): number {
  const bytes = 3 * term.length > scratch.length ? Buffer.from(term) : scratch;
  return hashBytes(bytes, 0, bytes === scratch ? scratch.write(term) : bytes.length);
}

const firstSize = 0x4000;

/** Creates a table that numbers keys from 0. It uses open addressing, and is at most half full. */
export function createKeyTable() {
  let places = new Int32Array(firstSize);
  const keys = createNumbers();

  const placeOf = (key: number): number => {
    const mask = places.length - 1;
    for (let place = (key / lowRange) & mask; ; place = (place + 1) & mask) {
      const number = places[place]! - 1;
      if (number < 0 || keys.at(number) === key) return place;
    }
  };
  const enlarge = () => {
    places = new Int32Array(places.length * 2);
    for (let number = 0; number < keys.length(); number++) places[placeOf(keys.at(number))] = number + 1;
  };
  return {
    /** Returns the number of a key; -1 if the key is missing. */
    find: (key: number): number => places[placeOf(key)]! - 1,
    /** Adds a key, which must be missing. Returns its number. */
    add: (key: number): number => {
      if (keys.length() === places.length / 2) enlarge();
      places[placeOf(key)] = keys.length() + 1;
      keys.push(key);
      return keys.length() - 1;
    },
    count: keys.length,
    key: keys.at,
    clear: () => {
      places = new Int32Array(firstSize);
      keys.truncate(0);
    },
  };
}
