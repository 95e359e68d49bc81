import { isUtf8 } from 'node:buffer';
import { isBinaryFileSync } from 'isbinaryfile';

/** Bytes from the start of a file that `isBinary` and `createDecoder` read. */
export const headBytes = 515;

/** The encoding of text without a byte order mark. */
export type Encoding = 'utf-8' | 'latin1';

/**
 * Whether bytes are not text, judged by their first `headBytes`. UTF-8, UTF-16 with a byte order mark and single-byte
 * encodings that are mostly ASCII are text; UTF-32 is not.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const head = asBuffer(bytes.subarray(0, headBytes));
  return startsWith(head, [0xff, 0xfe, 0, 0]) || startsWith(head, [0, 0, 0xfe, 0xff]) || isBinaryFileSync(head);
}

/** Converts text to UTF-8, piece by piece, wherever it is cut. */
export interface Decoder {
  /** Returns the UTF-8 of these bytes, with what was left of the ones before. */
  write(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
  /** How many invalid sequences there were. Those of UTF-8 stay as they are and become U+FFFD when they are read. */
  invalid(): number;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Latin-1';
}

/**
 * Creates a decoder for text that begins with `head`, whose byte order mark gives the encoding. UTF-8 is passed on
 * unchanged, including the mark, so that offsets are those of the file. Never throws on content.
 * @param encoding encoding of text without a mark.
 */
export function createDecoder(head: Uint8Array, encoding: Encoding): Decoder {
  if (startsWith(head, [0xff, 0xfe])) return createUtf16Decoder('utf-16le');
  if (startsWith(head, [0xfe, 0xff])) return createUtf16Decoder('utf-16be');
  return encoding === 'latin1' && !startsWith(head, [0xef, 0xbb, 0xbf]) ? createLatin1Decoder() : createUtf8Checker();
}

const nothing = new Uint8Array(0);

function createUtf16Decoder(encoding: 'utf-16le' | 'utf-16be'): Decoder {
  const decoder = new TextDecoder(encoding);
  let invalid = 0;
  const toUtf8 = (text: string) => {
    invalid += countReplaced(text);
    return Buffer.from(text);
  };
  return {
    write: (bytes) => toUtf8(decoder.decode(bytes, { stream: true })),
    end: () => toUtf8(decoder.decode()),
    invalid: () => invalid,
    encoding: 'UTF-16',
  };
}

const createLatin1Decoder = (): Decoder => ({
  write: (bytes) => Buffer.from(asBuffer(bytes).toString('latin1')),
  end: () => nothing,
  invalid: () => 0,
  encoding: 'Latin-1',
});

/** Checks text and hands it on. A character that two pieces share is checked with the second one. */
function createUtf8Checker(): Decoder {
  let open: Uint8Array = nothing;
  let invalid = 0;
  const check = (bytes: Uint8Array) => {
    if (!isUtf8(bytes)) invalid += countReplaced(new TextDecoder().decode(bytes)) - countGenuine(asBuffer(bytes));
  };
  /** Checks all bytes but an incomplete character at the end, and returns that. */
  const checkWhole = (bytes: Uint8Array): Uint8Array => {
    const whole = bytes.length - openTail(bytes);
    check(bytes.subarray(0, whole));
    return Uint8Array.from(bytes.subarray(whole));
  };
  return {
    write: (bytes) => {
      const head = open.length === 0 ? 0 : continuations(bytes, 4 - open.length);
      if (open.length === 0) open = checkWhole(bytes);
      else if (head === bytes.length) open = checkWhole(Buffer.concat([open, bytes]));
      else {
        check(Buffer.concat([open, bytes.subarray(0, head)]));
        open = checkWhole(bytes.subarray(head));
      }
      return bytes;
    },
    end: () => {
      check(open);
      open = nothing;
      return nothing;
    },
    invalid: () => invalid,
    encoding: 'UTF-8',
  };
}

/** Returns how many bytes at the start continue a character of the piece before. */
function continuations(bytes: Uint8Array, most: number): number {
  let count = 0;
  while (count < most && count < bytes.length && (bytes[count]! & 0xc0) === 0x80) count++;
  return count;
}

/** Returns how many bytes at the end belong to an incomplete character. */
function openTail(bytes: Uint8Array): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > length ? length : 0;
  }
  return 0;
}

const countReplaced = (text: string): number => text.split('\uFFFD').length - 1;

const replacement = Buffer.from('\uFFFD');

function countGenuine(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(replacement); at !== -1; at = bytes.indexOf(replacement, at + 3)) count++;
  return count;
}

/** The warning for a text with invalid sequences. */
export function invalidWarning(name: string, decoder: Decoder): string {
  const invalid = decoder.invalid();
  const many = invalid === 1 ? 'one invalid sequence is' : `${invalid} invalid sequences are`;
  const hint = decoder.encoding === 'UTF-8' ? '; if it is Latin-1, use --encoding latin1' : '';
  return `'${name}' is not valid ${decoder.encoding}: ${many} shown as \uFFFD${hint}`;
}

/** Whether a text is nothing but a byte order mark. */
export const isOnlyMark = (bytes: Uint8Array): boolean => bytes.length === 3 && startsWith(bytes, [0xef, 0xbb, 0xbf]);

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
