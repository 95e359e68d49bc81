import { highOf, lowOf, primes, seeds } from './key-table.ts';

/** Kinds of bytes of a word, which separate the parts of identifiers. */
const small = 0;
const capital = 1;
const digit = 2;

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return digit;
  return byte >= 0x41 && byte <= 0x5a ? capital : small;
});

const underscore = 0x5f;

/** Finds the parts of an ASCII identifier. Writes starts and ends to `bounds` and returns their number. */
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

/** Splits bytes of UTF-8 into words, as `forEachWord` does; non-ASCII text is left to that function. */

const separator = 0;
const letter = 1;
const joiner = 2;
const beyondAscii = 3;

const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte > 0x7f) return beyondAscii;
  return /[./\\-]/.test(character) ? joiner : /\w/.test(character) ? letter : separator;
});

const hyphen = 0x2d;
const lowercase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

const digitBit = 1;
const otherBit = 2;
/** Bits that distinguish plain numbers (digits and small letters) and plain words (small letters) from identifiers. */
const bits = Uint8Array.from(classes, (kind, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return digitBit;
  return kind === letter && byte >= 0x61 ? 0 : otherBit;
});

/** A word in bytes. The object is reused, since a text has millions of words. */
interface FoundWord {
  start: number;
  end: number;
  /** Whether it consists of parts with joiners between them. */
  isJoined: boolean;
  isAscii: boolean;
}

/** Finds the first word from a position on; with other than ASCII it may be several. Returns whether there is one. */
export function findWord(bytes: Uint8Array, from: number, found: FoundWord): boolean {
  const { length } = bytes;
  const classAt = (at: number): number => (at < length ? classes[bytes[at]!]! : separator);
  let at = from;
  while (at < length && (classes[bytes[at]!] === separator || classes[bytes[at]!] === joiner)) at++;
  found.start = at;
  found.isJoined = false;
  let next = classAt(at);
  while (next === letter) {
    next = classAt(++at);
    if (next !== joiner) continue;
    // A joiner between two letters belongs to the word.
    next = classAt(at + 1);
    if (next !== letter) break;
    found.isJoined = true;
    at++;
  }
  found.isAscii = next !== beyondAscii;
  if (!found.isAscii) while (at < length && classes[bytes[at]!] !== separator) at++;
  found.end = at;
  return found.start < length;
}

/** The hash of a part of a word; the object is reused too. */
export interface HashedPart {
  /** Both parts of its key; see `termKey`. */
  high: number;
  low: number;
  end: number;
  /** Whether it begins with a digit, and has only digits and small letters. */
  isNumber: boolean;
  /** Whether it consists of small letters. */
  isPlain: boolean;
}

/** Hashes the part of a word that begins at `start`, up to a joiner. */
export function hashPart(bytes: Uint8Array, start: number, hashed: HashedPart): void {
  let first: number = seeds[0];
  let second: number = seeds[1];
  let kinds = 0;
  let at = start;
  for (; at < bytes.length && classes[bytes[at]!] === letter; at++) {
    const byte = bytes[at]!;
    first = Math.imul(first ^ byte, primes[0]);
    second = Math.imul(second ^ byte, primes[1]);
    kinds |= bits[byte]!;
  }
  hashed.high = highOf(first);
  hashed.low = lowOf(second);
  hashed.end = at;
  hashed.isNumber = kinds === digitBit && bits[bytes[start]!] === digitBit;
  hashed.isPlain = kinds === 0;
}

/** Hashes bytes as if they were in small letters. */
export function hashSmall(bytes: Uint8Array, start: number, end: number, hashed: HashedPart): void {
  let first: number = seeds[0];
  let second: number = seeds[1];
  hashed.isPlain = true;
  for (let at = start; at < end; at++) {
    const byte = lowercase[bytes[at]!]!;
    hashed.isPlain &&= isLetter(byte);
    first = Math.imul(first ^ byte, primes[0]);
    second = Math.imul(second ^ byte, primes[1]);
  }
  hashed.high = highOf(first);
  hashed.low = lowOf(second);
}

/** Whether a joined word consists of letters and hyphens alone. */
export function isHyphenated(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== hyphen && !isLetter(lowercase[bytes[at]!]!)) return false;
  }
  return true;
}

/** Decodes bytes of ASCII. */
export const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  asBuffer(bytes).toString('latin1', start, end);

/** Decodes bytes of UTF-8. */
export const utf8Encoder = (bytes: Uint8Array, start: number, end: number): string =>
  asBuffer(bytes).toString('utf8', start, end);

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
