import { keyRange } from './term-key.ts';

/** Terms by ascending keys. */
export interface KeyOrder {
  readonly terms: Uint32Array;
  /** Of each of them. */
  readonly keys: Float64Array;
}

/**
 * Orders terms by their keys. Keys are hashes and so spread evenly: a place that is guessed from each is off by little,
 * which takes a third of the time of a general sort.
 */
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

/** Insertion sort: takes time in proportion to how far what is out of place has to go. */
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
