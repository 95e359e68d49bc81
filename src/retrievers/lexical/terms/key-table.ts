import { keyOf } from './term-key.ts';

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
    key: (number) => keyOf(highs[number]!, lows[number]!),
    clear,
  };
}

/** Returns a copy of the numbers with room for `length`. */
export function enlarged(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(numbers);
  return larger;
}
