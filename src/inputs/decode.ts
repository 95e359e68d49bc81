import { isBinaryFileSync } from 'isbinaryfile';

/** Number of bytes at the start of a file that `isBinary` reads. `chooseReader` and `createDecoder` need no more. */
export const headBytes = 515;

/** The encoding of text without a byte order mark. */
export type Encoding = 'utf-8' | 'latin1';

/** Highest share of accented letters in Latin-1 text; texts in other single-byte alphabets have a higher share. */
const mostAccents = 0.3;

/** Bytes of Windows-1252 that occur in text: € … • ™, quotation marks and dashes. */
const marks = Buffer.from([0x80, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99]);
const controls: readonly number[] = [9, 10, 12, 13];

function isAccented(head: Buffer): boolean {
  const isBeyond = (byte: number) => byte >= 0xa0 || marks.includes(byte);
  const accents = head.filter(isBeyond).length;
  const isPlain = (byte: number) => (byte < 0x20 ? controls.includes(byte) : byte < 0x7f || isBeyond(byte));
  return head.every(isPlain) && accents > 0 && accents <= mostAccents * head.length;
}

/**
 * Whether bytes are binary data, not text. Judges only the first `headBytes`. Text is UTF-8, UTF-16 with a mark, mostly
 * ASCII, or Latin-1 with accents. When `encoding` is Latin-1, bytes without a NUL are always text.
 */
export function isBinary(bytes: Uint8Array, encoding: Encoding = 'utf-8'): boolean {
  const head = asBuffer(bytes.subarray(0, headBytes));
  if (startsWith(head, [0xff, 0xfe, 0, 0]) || startsWith(head, [0, 0, 0xfe, 0xff])) return true;
  return isBinaryFileSync(head) && (encoding === 'utf-8' ? !isAccented(head) : head.includes(0));
}

/** Converts text to UTF-8 piece by piece; a piece may end inside a character. */
export interface Decoder {
  /** Returns the bytes that earlier calls held back, then `bytes`, as UTF-8. May hold back the end of `bytes`. */
  write(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
  /** Number of invalid sequences so far. Invalid UTF-8 is passed on unchanged and becomes U+FFFD when it is read. */
  invalid(): number;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Latin-1';
  /** Whether the decoder chose Latin-1 because of the bytes alone, without a setting. */
  readonly isGuessed: boolean;
}

/**
 * Creates a decoder for text that begins with `head`. A byte order mark decides the encoding. Without a mark, text is
 * decoded as Latin-1 if `encoding` is Latin-1; otherwise the decoder guesses UTF-8 or Latin-1. UTF-8 is passed on
 * unchanged, including the mark, so that offsets in the text are also offsets in the file.
 */
export function createDecoder(head: Uint8Array, encoding: Encoding): Decoder {
  if (startsWith(head, [0xff, 0xfe])) return createOtherDecoder('utf-16le');
  if (startsWith(head, [0xfe, 0xff])) return createOtherDecoder('utf-16be');
  return encoding === 'latin1' && !startsWith(head, [0xef, 0xbb, 0xbf])
    ? createOtherDecoder('windows-1252')
    : createGuessingDecoder();
}

const nothing = new Uint8Array(0);

/** Creates a decoder of one encoding. Latin-1 is read as Windows-1252, which also has quotation marks and dashes. */
function createOtherDecoder(label: 'utf-16le' | 'utf-16be' | 'windows-1252'): Decoder {
  const decoder = new TextDecoder(label);
  let invalid = 0;
  const toUtf8 = (text: string) => {
    invalid += countReplaced(text);
    return Buffer.from(text);
  };
  return {
    write: (bytes) => toUtf8(decoder.decode(bytes, { stream: true })),
    end: () => toUtf8(decoder.decode()),
    invalid: () => invalid,
    encoding: label === 'windows-1252' ? 'Latin-1' : 'UTF-16',
    isGuessed: false,
  };
}

/** The encoding is guessed from this many bytes, beginning with the first that is not ASCII. */
const guessBytes = 1024;

/** Whether bytes look like Latin-1, not like UTF-8. `asciiBefore`: how many bytes of ASCII precede these bytes. */
function looksLatin1(bytes: Uint8Array, asciiBefore: number): boolean {
  if (asciiBefore === 0 && startsWith(bytes, [0xef, 0xbb, 0xbf])) return false;
  const beyond = bytes.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0);
  const hasCharacter = countGenuine(asBuffer(bytes)) > 0 || /[^\0-\x7f\ufffd]/.test(new TextDecoder().decode(bytes));
  const isCutCharacter = bytes.length > 0 && new TextDecoder().decode(bytes, { stream: true }) === '';
  // In a short text, the ASCII before the first accent is also counted when the share of accents is computed.
  const judged = bytes.length + (bytes.length < guessBytes ? Math.min(asciiBefore, guessBytes) : 0);
  return !hasCharacter && !isCutCharacter && beyond <= judged * mostAccents;
}

/** Creates a decoder that guesses UTF-8 or Latin-1. Passes on leading ASCII at once, because both encode it alike. */
function createGuessingDecoder(): Decoder {
  let chosen: Decoder | null = null;
  let held = Buffer.alloc(0);
  let asciiBefore = 0;
  const choose = (): Uint8Array => {
    chosen = looksLatin1(held.subarray(0, guessBytes), asciiBefore)
      ? createOtherDecoder('windows-1252')
      : createUtf8Checker();
    return chosen.write(held);
  };
  return {
    write(bytes) {
      if (chosen !== null) return chosen.write(bytes);
      const all = asBuffer(bytes);
      const start = held.length > 0 ? 0 : all.findIndex((byte) => byte >= 0x80);
      asciiBefore += start < 0 ? bytes.length : start;
      if (start < 0) return bytes;
      held = Buffer.concat([held, all.subarray(start)]);
      const ascii = all.subarray(0, start);
      return held.length < guessBytes ? ascii : Buffer.concat([ascii, choose()]);
    },
    end() {
      const rest = chosen === null && held.length > 0 ? choose() : nothing;
      return chosen === null ? rest : Buffer.concat([rest, chosen.end()]);
    },
    invalid: () => chosen?.invalid() ?? 0,
    get encoding() {
      return chosen?.encoding ?? 'UTF-8';
    },
    get isGuessed() {
      return chosen?.encoding === 'Latin-1';
    },
  };
}

function createUtf8Checker(): Decoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The last two bytes of the previous piece, where a U+FFFD of three bytes may begin. */
  let last: Uint8Array = nothing;
  let invalid = 0;
  return {
    write: (bytes) => {
      const joined = Buffer.concat([last, bytes]);
      invalid += countReplaced(decoder.decode(bytes, { stream: true })) - countGenuine(joined);
      last = Uint8Array.from(joined.subarray(-2));
      return bytes;
    },
    end: () => {
      invalid += countReplaced(decoder.decode());
      return nothing;
    },
    invalid: () => invalid,
    encoding: 'UTF-8',
    isGuessed: false,
  };
}

const countReplaced = (text: string): number => text.split('\uFFFD').length - 1;

const replacement = Buffer.from('\uFFFD');

function countGenuine(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(replacement); at !== -1; at = bytes.indexOf(replacement, at + 3)) count++;
  return count;
}

export function decodingWarnings(name: string, decoder: Decoder): string[] {
  if (decoder.isGuessed) return [`'${name}' is not UTF-8; it is read as Latin-1, because its bytes look like Latin-1`];
  const invalid = decoder.invalid();
  if (invalid === 0) return [];
  const many = invalid === 1 ? 'one invalid sequence is' : `${invalid} invalid sequences are`;
  return [`'${name}' is not valid ${decoder.encoding}: ${many} shown as \uFFFD`];
}

export const isOnlyMark = (bytes: Uint8Array): boolean => bytes.length === 3 && startsWith(bytes, [0xef, 0xbb, 0xbf]);

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
