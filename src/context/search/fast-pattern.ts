/** Faster ways to find lines that may match a pattern (decision 0018). */

/** A text that every match contains. */
export interface Literal {
  readonly text: string;
  /** Whether the pattern matches every line that contains the text. */
  readonly isWhole: boolean;
}

/** A pattern as a native regular expression with a bounded number of steps. */
export interface NativePattern {
  /** Matches every line that the pattern matches, and possibly other lines. */
  readonly source: string;
  readonly flags: 'u' | 'iu';
  /** Whether the number of steps from one start position grows with the length of the line. */
  readonly hasLoop: boolean;
  /** Whether, in ASCII text, the expression matches the same lines as the pattern. */
  readonly isExact: boolean;
}

/** Faster ways to search for a pattern; a way is null if the pattern does not allow it. */
export interface FastPattern {
  readonly literal: Literal | null;
  readonly native: NativePattern | null;
  readonly ignoreCase: boolean;
}

interface Part {
  readonly source: string;
  /** Number of ways to match the part, not counting the iterations of its loops. Infinity if there is no bound. */
  readonly ways: number;
  readonly loops: boolean;
  readonly backtracks: boolean;
  /** Maximum number of characters that the part reads, if each unbounded loop runs once more than its minimum. */
  readonly length: number;
  readonly isExact: boolean;
  /** The character, if the part is one literal character; otherwise null. */
  readonly character: string | null;
  /** For a loop over single characters, the source that matches one character; else null. */
  readonly repeated: string | null;
}

const plain = { ways: 1, loops: false, backtracks: false, length: 1, isExact: true, character: null, repeated: null };

/** Thrown for syntax that only the regular expression library handles. */
class NotUnderstood extends Error {}

const escaped = String.raw`\\(?:x(?:\{[0-9a-fA-F]{1,6}\}|[0-9a-fA-F]{2})|[tnvfra!-/:-@[-\x60{-~])`;
const property = String.raw`\\[pP](?:\{[^}]*\}|[^{])`;

const opening = /\((?:\?:|\?P?<\w+>|(?!\?))/uy;
const bracketed = new RegExp(
  String.raw`\[(?<negated>\^?)(?<items>\]?(?:${property}|\\[^pP]|\[:\^?\w+:\]|[^\]\\])*)\]`,
  'uy',
);
const classItem = new RegExp(
  String.raw`(?<unknown>${property}|\\[DSW]|\[:\^?\w+:\])|\\(?<set>[dsw])|(?<from>${escaped}|[^\\])(?:-(?<to>${escaped}|[^\\]))?`,
  'uy',
);
const atom = new RegExp(
  String.raw`(?<edge>\\[bBAz]|[.^$])|\\(?<set>[dswDSW])|(?<property>${property})|(?<character>${escaped}|[^\\()|[*+?])`,
  'uy',
);
const bounds = /(?:(?<sign>[*+?])|\{(?<min>\d{1,4})(?<comma>,?)(?<max>\d{0,4})\})(?<lazy>\??)/uy;

/** The characters that these escapes match in RE2, without the line feed, so that a native match stays in one line. */
const sets: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\f\\r ', w: '0-9A-Z_a-z' };
const edges: Readonly<Record<string, string>> = { '\\A': '^', '\\z': '$', '.': '[^\\n]' };
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7 };
const anything = '[^\\n]';

function codeOf(written: string): number {
  const last = written.slice(1);
  if (last === '' || !written.startsWith('\\')) return written.codePointAt(0)!;
  if (Object.hasOwn(controls, last)) return controls[last]!;
  const code = last.startsWith('x') ? Number.parseInt(last.replace(/[x{}]/g, ''), 16) : last.codePointAt(0)!;
  if (code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)) throw new NotUnderstood();
  return code;
}

const escapeOf = (code: number): string => `\\u{${code.toString(16)}}`;

/** Returns the source for a range of characters, without the line feed. */
function rangeSource(from: number, to: number): string {
  if (to < from) throw new NotUnderstood();
  if (from > 0x0a || to < 0x0a) return `${escapeOf(from)}-${escapeOf(to)}`;
  return `${from < 0x0a ? `${escapeOf(from)}-\\t` : ''}${to > 0x0a ? `\\v-${escapeOf(to)}` : ''}`;
}

/** Returns the source of the items of a class; null if an item is unknown. */
function readItems(items: string): string | null {
  let source: string | null = '';
  for (let at = 0; at < items.length; at = classItem.lastIndex) {
    classItem.lastIndex = at;
    const { set, unknown, from, to } = classItem.exec(items)?.groups ?? {};
    if (set === undefined && unknown === undefined && from === undefined) throw new NotUnderstood();
    if (unknown !== undefined) source = null;
    if (source !== null) source += set === undefined ? rangeSource(codeOf(from!), codeOf(to ?? from!)) : sets[set];
  }
  return source;
}

const deepest = 50;

interface PatternCursor {
  readonly pattern: string;
  readonly flags: NativePattern['flags'];
  at: number;
}

function take(cursor: PatternCursor, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = cursor.at;
  const found = expression.exec(cursor.pattern);
  if (found !== null) cursor.at = expression.lastIndex;
  return found;
}

function takeCharacter(cursor: PatternCursor, wanted: string): boolean {
  const isThere = cursor.pattern[cursor.at] === wanted;
  if (isThere) cursor.at++;
  return isThere;
}

/** @param depth the number of groups around the alternatives. */
function readAlternatives(cursor: PatternCursor, depth: number): readonly (readonly Part[])[] {
  const alternatives: Part[][] = [];
  do {
    const parts: Part[] = [];
    while (!['|', ')', undefined].includes(cursor.pattern[cursor.at])) parts.push(readRepeated(cursor, depth));
    alternatives.push(parts);
  } while (takeCharacter(cursor, '|'));
  return alternatives;
}

function readRepeated(cursor: PatternCursor, depth: number): Part {
  const part = readAtom(cursor, depth);
  const { sign, min, max, comma, lazy } = take(cursor, bounds)?.groups ?? {};
  if (sign === undefined && min === undefined) return part;
  if (take(cursor, bounds) !== null) throw new NotUnderstood();
  const least = sign === undefined ? Number(min) : sign === '+' ? 1 : 0;
  const listed = comma ? Number(max || Number.POSITIVE_INFINITY) : least;
  const most = sign === undefined ? listed : sign === '?' ? 1 : Number.POSITIVE_INFINITY;
  if (most < least) throw new NotUnderstood();
  return repeat(part, least, most, lazy!);
}

function readAtom(cursor: PatternCursor, depth: number): Part {
  if (take(cursor, opening) !== null) {
    if (depth === deepest) throw new NotUnderstood();
    const group = anyOf(readAlternatives(cursor, depth + 1), cursor.flags, false);
    if (!takeCharacter(cursor, ')')) throw new NotUnderstood();
    return group;
  }
  const brackets = take(cursor, bracketed)?.groups;
  if (brackets) {
    const items = readItems(brackets['items']!);
    const source = items === null ? anything : brackets['negated'] ? `[^\\n${items}]` : `[${items}]`;
    return { ...plain, source, isExact: items !== null };
  }
  const { edge, set, property, character } = take(cursor, atom)?.groups ?? {};
  if (edge) return { ...plain, source: edges[edge] ?? edge };
  if (set) return { ...plain, source: /[dsw]/.test(set) ? `[${sets[set]}]` : `[^\\n${sets[set.toLowerCase()]}]` };
  if (property) return { ...plain, source: anything, isExact: false };
  if (character === undefined) throw new NotUnderstood();
  const code = codeOf(character);
  return { ...plain, source: code === 0x0a ? '[]' : escapeOf(code), character: String.fromCodePoint(code) };
}

function anyOf(alternatives: readonly (readonly Part[])[], flags: NativePattern['flags'], isEnd: boolean): Part {
  const parts = alternatives.map((sequence) => sequenceOf(sequence, flags, isEnd));
  return {
    ...plain,
    source: `(?:${parts.map(({ source }) => source).join('|')})`,
    ways: parts.reduce((sum, { ways }) => sum + ways, 0),
    loops: parts.some(({ loops }) => loops),
    backtracks: parts.some(({ backtracks }) => backtracks),
    length: Math.max(...parts.map(({ length }) => length)),
    isExact: parts.every(({ isExact }) => isExact),
  };
}

/** A loop after a part that backtracks makes `ways` infinite, because the loop runs again after each step back. */
function sequenceOf(parts: readonly Part[], flags: NativePattern['flags'], isEnd: boolean): Part {
  /** A loop over characters does not backtrack at the pattern's end, or before a character that it cannot match. */
  const mayBacktrack = ({ backtracks, repeated }: Part, next: Part | undefined): boolean => {
    if (repeated === null) return backtracks;
    return next === undefined ? !isEnd : next.character === null || new RegExp(repeated, flags).test(next.character);
  };
  let total: Part = { ...plain, source: '', length: 0 };
  for (const [index, part] of parts.entries()) {
    total = {
      ...total,
      source: total.source + part.source,
      ways: total.backtracks && part.loops ? Number.POSITIVE_INFINITY : total.ways * part.ways,
      loops: total.loops || part.loops,
      backtracks: total.backtracks || mayBacktrack(part, parts[index + 1]),
      length: total.length + part.length,
      isExact: total.isExact && part.isExact,
    };
  }
  return total;
}

const mostWays = 256;
const mostWaysWithLoop = 4;
const longestPattern = 500;

function repeat(part: Part, least: number, most: number, lazy: string): Part {
  const source = `(?:${part.source}){${least},${most === Number.POSITIVE_INFINITY ? '' : most}}${lazy}`;
  const repeated = { ...part, source, character: null, repeated: null };
  if (most === Number.POSITIVE_INFINITY) {
    const isSingle = part.character !== null || part.source.startsWith('[');
    if (!isSingle) return { ...repeated, ways: Number.POSITIVE_INFINITY };
    return { ...repeated, loops: true, length: least + 1, repeated: part.source };
  }
  if (most > 1 && part.loops) return { ...repeated, ways: Number.POSITIVE_INFINITY };
  let ways = 0;
  for (let times = least; times <= most && ways <= mostWays; times++) ways += part.ways ** times;
  return { ...repeated, ways, length: part.length * Math.max(1, most) };
}

const mostCharacters = 200;

/** Whether a search for the character's bytes finds all its occurrences. U+FFFD also represents invalid bytes. */
function hasOneForm(character: string, ignoreCase: boolean): boolean {
  if (/[\ufffd\n\r]/.test(character)) return false;
  return character < '\x80' || !ignoreCase || character.toLowerCase() === character.toUpperCase();
}

function longestRun(parts: readonly Part[], ignoreCase: boolean): Literal | null {
  let [best, run] = ['', ''];
  for (const { character } of parts) {
    const isPlain = character !== null && hasOneForm(character, ignoreCase) && run.length < mostCharacters;
    run = isPlain ? run + character : '';
    if (run.length > best.length) best = run;
  }
  return best.length < 2 ? null : { text: best, isWhole: [...best].length === parts.length };
}

/** Returns faster ways to search for a pattern; null for unsupported syntax, which may still be valid. */
export function readPattern(pattern: string, ignoresCase: boolean): FastPattern | null {
  const isFlagged = pattern.startsWith('(?i)');
  const ignoreCase = ignoresCase || isFlagged;
  const flags = ignoreCase ? 'iu' : 'u';
  try {
    const cursor: PatternCursor = { pattern, flags, at: isFlagged ? '(?i)'.length : 0 };
    const alternatives = readAlternatives(cursor, 0);
    if (cursor.at < pattern.length) throw new NotUnderstood();
    const { source, ways, loops: hasLoop, length, isExact } = anyOf(alternatives, flags, true);
    const isBounded = ways <= (hasLoop ? mostWaysWithLoop : mostWays) && length <= longestPattern;
    const native = isBounded ? ({ source, flags, hasLoop, isExact } as const) : null;
    return { native, literal: longestRun(alternatives.length === 1 ? alternatives[0]! : [], ignoreCase), ignoreCase };
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}
