import { isAscii } from 'node:buffer';
import type { Literal, NativePattern } from './fast-pattern.ts';

export type SearchBlock = ReturnType<typeof createBlock>;

/** Skips the lines of one block that cannot match. */
export interface OpenFilter {
  /**
   * Returns an offset within, or at the end of, the first line that may match; -1 if no further line can match. The
   * search starts at `from`, which must be the start of a line and must not decrease between calls.
   */
  next(from: number): number;
  /** Returns the end, including the line feed, of the line at an offset that `next` returned. */
  lineEnd(byte: number): number;
  /** Whether every line that `next` finds matches. */
  readonly isExact: boolean;
}

/** Opens a filter on a block; null if this kind of filter does not work for the block. */
export type LineFilter = (block: SearchBlock) => OpenFilter | null;

const lineFeed = 0x0a;

/**
 * Creates a block of text to search. Computes each property on demand, because the computation takes nearly as long as
 * a search.
 */
export function createBlock(bytes: Buffer) {
  let [ascii, carriageReturn]: [boolean?, boolean?] = [];
  return {
    bytes,
    get isAscii(): boolean {
      ascii ??= isAscii(bytes);
      return ascii;
    },
    get hasReturn(): boolean {
      carriageReturn ??= bytes.includes(0x0d);
      return carriageReturn;
    },
  };
}

/** Returns the end, including the line feed, of the line that holds a byte. */
export function lineEndIn(bytes: Buffer, at: number): number {
  const feed = bytes.indexOf(lineFeed, at);
  return feed === -1 ? bytes.length : feed + 1;
}

/** Creates a filter for lines that contain a text. */
export function filterByLiteral({ text, isWhole }: Literal, ignoreCase: boolean): LineFilter {
  if (!ignoreCase) {
    const wanted = Buffer.from(text);
    return ({ bytes }) => ({
      isExact: isWhole,
      next: (from) => bytes.indexOf(wanted, from),
      lineEnd: (at) => lineEndIn(bytes, at),
    });
  }
  const expression = new RegExp(sourceOf(text), 'g');
  return ({ bytes }) => openNative(expression, bytes.toString('latin1'), isWhole);
}

const byteSource = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;

/** K and S have a third form besides upper and lower case: the Kelvin sign and the long s. */
const thirdForms: Readonly<Record<string, string>> = { k: '\\xe2\\x84\\xaa', s: '\\xc5\\xbf' };

function letterSource(letter: string): string {
  const forms = `[${letter}${letter.toUpperCase()}]`;
  return Object.hasOwn(thirdForms, letter) ? `(?:${forms}|${thirdForms[letter]})` : forms;
}

/** Returns the source of a pattern for the bytes of a text. The pattern ignores the case of ASCII letters. */
function sourceOf(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte).toLowerCase();
      return /^[a-z]$/.test(letter) ? letterSource(letter) : byteSource(byte);
    })
    .join('');
}

/** Returns the end of the next match; -1 if there is none. A match after the final line feed does not count. */
function endOfMatch(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  if (!expression.test(text)) return -1;
  const end = expression.lastIndex;
  return end === text.length && text.endsWith('\n') ? -1 : end;
}

/** @param text the bytes decoded as Latin-1: one character for each byte. */
function openNative(expression: RegExp, text: string, isExact: boolean): OpenFilter {
  return {
    isExact,
    next: (from) => endOfMatch(expression, text, from),
    lineEnd(at) {
      const feed = text.indexOf('\n', at);
      return feed === -1 ? text.length : feed + 1;
    },
  };
}

/** Characters besides line feed and carriage return that are line ends for native `^` and `$`. */
const otherLineEnds = /[\u2028\u2029]/;

/**
 * Length in bytes from which a line is too long for a pattern with a loop. The number of steps of such a pattern grows
 * with the square of the length.
 */
const longestLoopedLine = 1_024;

export function filterByNative({ source, flags, hasLoop, isExact }: NativePattern): LineFilter {
  const expression = new RegExp(source, `gm${flags}`);
  return (block) => {
    const { bytes } = block;
    if (hasLoop && hasLongLine(bytes)) return null;
    if (block.isAscii) return openNative(expression, bytes.toString('latin1'), isExact && !block.hasReturn);
    // Native expressions and RE2 ignore the case of letters beyond ASCII in different ways.
    if (flags === 'iu') return null;
    const text = bytes.toString('utf8');
    return openDecoded(expression, bytes, text, isExact && !block.hasReturn && !otherLineEnds.test(text));
  };
}

function hasLongLine(bytes: Buffer): boolean {
  for (let at = longestLoopedLine; at < bytes.length; ) {
    const feed = bytes.lastIndexOf(lineFeed, at);
    if (feed <= at - longestLoopedLine) return true;
    at = feed + longestLoopedLine;
  }
  return false;
}

/** Steps through the lines of the text and of its bytes side by side, because their offsets differ. */
function openDecoded(expression: RegExp, bytes: Buffer, text: string, isExact: boolean): OpenFilter {
  let index = 0;
  let byte = 0;
  const step = (feed: number) => {
    index = feed + 1;
    byte = bytes.indexOf(lineFeed, byte) + 1;
  };
  return {
    isExact,
    next(from) {
      while (byte < from) {
        const feed = text.indexOf('\n', index);
        if (feed === -1) return -1;
        step(feed);
      }
      const found = endOfMatch(expression, text, index);
      if (found === -1) return -1;
      for (let feed = text.indexOf('\n', index); feed !== -1 && feed < found; feed = text.indexOf('\n', index))
        step(feed);
      return byte;
    },
    lineEnd: (at) => lineEndIn(bytes, at),
  };
}
