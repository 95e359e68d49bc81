import { isAscii } from 'node:buffer';
import type { RE2JS } from 're2js';
import { cutText } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import { type FastPattern, readPattern } from './fast-pattern.ts';
import { filterByLiteral, filterByNative, lineEndIn, type OpenFilter, type SearchBlock } from './line-filter.ts';

export type LineMatcher = Awaited<ReturnType<typeof createLineMatcher>>;

const longestPattern = 1_000;
const mostInstructions = 1_200;
const mostSteps = 2_000_000;
const smallestBlock = 8 * 1024;
const largestBlock = 64 * 1024;
/** Searching for the literal first is faster if a block has at least this many bytes per candidate line. */
const bytesPerRareLine = 1_000;
const supported =
  'Supported are literals, ., [classes], \\d \\w \\s \\b \\p{L}, groups, |, ^, $ and * + ? {n,m}; not supported are lookaround ((?=, (?!, (?<=, (?<!) and backreferences (\\1).';

function invalidPattern(pattern: string, why: string): RlmError {
  const shown = JSON.stringify(cutText(pattern, 100));
  return new RlmError('pattern-invalid', `the regular expression ${shown} cannot be used: ${why}`, {
    hint: `${supported} To find such characters themselves, put a \\ before each.`,
  });
}

const noBlocks = /\\[AzQCG]|\(\?\w*-/;

/**
 * Compiles a pattern to a matcher of lines.
 * @throws RlmError `pattern-invalid` if the pattern does not compile or is too large.
 */
export async function createLineMatcher(pattern: string, ignoreCase: boolean) {
  if (pattern.length > longestPattern) throw invalidPattern(pattern, `it is longer than ${longestPattern} characters`);
  const compile = await loadCompiler(pattern, ignoreCase);
  const whole = compile(false);
  const size = whole.programSize();
  if (size > mostInstructions) throw invalidPattern(pattern, 'it is too large; use smaller {n,m}');
  const fast = readPattern(pattern, ignoreCase);
  const blocks = noBlocks.test(pattern) ? null : compile(true);
  return {
    ...matchLines(fast, whole, blocks),
    /** Size of a block that is searched without blocking the event loop for long. */
    blockBytes: blockBytesFor(size),
    /** Whether a match may depend on the text after it. If so, a piece of a line can match though the line does not. */
    looksBeyond: /\$|\\[bBz]/.test(pattern),
  };
}

const blockBytesFor = (size: number): number =>
  Math.max(smallestBlock, Math.min(largestBlock, Math.floor(mostSteps / size)));

async function loadCompiler(pattern: string, ignoreCase: boolean) {
  const { RE2JS: library, RE2JSException: invalid } = await import('re2js');
  return (overLines: boolean): RE2JS => {
    const flags = (ignoreCase ? library.CASE_INSENSITIVE : 0) | (overLines ? library.MULTILINE : 0);
    try {
      return library.compile(pattern, flags);
    } catch (error) {
      if (!(error instanceof invalid)) throw error;
      throw invalidPattern(pattern, error.message.replace(/^error parsing regexp: /, ''));
    }
  };
}

function matchLines(fast: FastPattern | null, whole: RE2JS, blocks: RE2JS | null) {
  const pattern = fast?.native;
  const byLiteral = fast?.literal && filterByLiteral(fast.literal, fast.ignoreCase);
  const line = pattern && new RegExp(pattern.source, pattern.flags);
  const native = pattern && filterByNative(pattern);
  let isRare = true;
  const isLineNative = (bytes: Buffer) => pattern?.isExact === true && bytes.length < 1_024 && isAscii(bytes);
  return {
    filter(block: SearchBlock): OpenFilter {
      const [first, second] = isRare ? [byLiteral, native] : [native, byLiteral];
      return first?.(block) ?? second?.(block) ?? filterByLibrary(blocks, block);
    },
    /** Whether a line matches. `bytes`: the line without its line end. */
    test: (bytes: Buffer): boolean =>
      isLineNative(bytes) ? line!.test(bytes.toString('latin1')) : whole.test(decodeLine(bytes)),
    matches: (text: string): boolean => whole.test(text),
    /** Returns the range of the first match from `from` on, in UTF-16 units; the end is exclusive. */
    find(text: string, from: number) {
      const matcher = whole.matcher(text);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : null;
    },
    /** Takes the number of candidate lines in a block, to choose the faster filter for the next blocks. */
    learn(bytes: number, lines: number): void {
      if (lines > bytes / bytesPerRareLine) isRare = false;
    },
  };
}

/** Decodes a line. Decoding ASCII text as Latin-1 takes half the time. */
export const decodeLine = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');

/** Skips all lines of a block in which nothing matches. In other blocks, every line is a candidate. */
function filterByLibrary(blocks: RE2JS | null, { bytes, hasReturn }: SearchBlock): OpenFilter {
  const text = decodeLine(bytes);
  const mayMatch = blocks === null || blocks.test(hasReturn ? text.replaceAll('\r\n', '\n') : text);
  return {
    isExact: false,
    next: (from) => (mayMatch && from < bytes.length ? from : -1),
    lineEnd: (at) => lineEndIn(bytes, at),
  };
}
