/** Kinds of bytes of a word, which separate the parts of identifiers. */
const small = 0;
const capital = 1;
const digit = 2;

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return digit;
  return byte >= 0x41 && byte <= 0x5a ? capital : small;
});

const underscore = 0x5f;

/**
 * Finds the parts of an ASCII identifier, as `identifierParts` does, without creating strings.
 * @param bounds receives the start and the end of each part; it has room for twice as many as there are bytes.
 * @returns the number of parts.
 */
export function findIdentifierParts(bytes: Uint8Array, start: number, end: number, bounds: Uint32Array): number {
  const tail = digitTail(bytes, start, end);
  let count = 0;
  let from = start;
  for (let at = start; at <= end; at++) {
    const isUnderscore = at < end && bytes[at] === underscore;
    if (at < end && at !== tail && !isUnderscore && !beginsWithCapital(bytes, at, start, end)) continue;
    if (at > from) {
      bounds[2 * count] = from;
      bounds[2 * count + 1] = at;
      count++;
    }
    from = isUnderscore ? at + 1 : at;
  }
  return count;
}

/** Returns where the final digits begin, or the end when there are digits before them. */
function digitTail(bytes: Uint8Array, start: number, end: number): number {
  let tail = start;
  while (tail < end && kinds[bytes[tail]!] !== digit) tail++;
  for (let at = tail; at < end; at++) if (kinds[bytes[at]!] !== digit) return end;
  return tail;
}

function beginsWithCapital(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  if (at === start || kinds[bytes[at]!] !== capital) return false;
  if (kinds[bytes[at - 1]!] !== capital) return true;
  return at + 1 < end && kinds[bytes[at + 1]!] === small;
}
