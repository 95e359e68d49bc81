/** A pattern, and how far it has been read. */
interface PatternCursor {
  /** The characters of the pattern, one for each code point. */
  readonly characters: readonly string[];
  readonly ignoreCase: boolean;
  /** Index of the next character. */
  at: number;
}

/** Thrown for syntax that is left to the regular expression library. */
class NotUnderstood extends Error {}

/** Returns the next character without reading it; undefined at the end of the pattern. */
const peekCharacter = ({ characters, at }: PatternCursor): string | undefined => characters[at];

/** Reads the wanted text if it comes next. Returns whether it does. */
function take(cursor: PatternCursor, wanted: string): boolean {
  const isThere = [...wanted].every((character, index) => cursor.characters[cursor.at + index] === character);
  if (isThere) cursor.at += wanted.length;
  return isThere;
}

/** Reads the next character. Throws NotUnderstood at the end of the pattern. */
function next(cursor: PatternCursor): string {
  const character = cursor.characters[cursor.at++];
  if (character === undefined) throw new NotUnderstood();
  return character;
}

/** Reads up to a character and past it, and returns the text before it. Throws NotUnderstood where it is missing. */
function until(cursor: PatternCursor, end: string): string {
  const stop = cursor.characters.indexOf(end, cursor.at);
  if (stop === -1) throw new NotUnderstood();
  const text = cursor.characters.slice(cursor.at, stop).join('');
  cursor.at = stop + 1;
  return text;
}

export interface CharacterClass {
  readonly kind: 'class';
  /** Code points, both ends included; null: any character may be in it. */
  readonly ranges: readonly CodeRange[] | null;
  readonly negated: boolean;
}

export type CodeRange = readonly [from: number, to: number];

const perl: Readonly<Record<string, readonly CodeRange[]>> = {
  d: [[0x30, 0x39]],
  s: [
    [0x09, 0x0a],
    [0x0c, 0x0d],
    [0x20, 0x20],
  ],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
};
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7 };
const anything: CharacterClass = { kind: 'class', ranges: null, negated: false };
const punctuation = /^[!-/:-@[-`{-~]$/;

/** Reads a class after its opening bracket. Throws NotUnderstood. */
function readClass(cursor: PatternCursor): CharacterClass {
  const negated = take(cursor, '^');
  const ranges: CodeRange[] = [];
  let isKnown = true;
  for (let first = true; first || peekCharacter(cursor) !== ']'; first = false) {
    const item = readClassItem(cursor);
    if (item === null) isKnown = false;
    else ranges.push(...item);
  }
  cursor.at++;
  return isKnown ? { kind: 'class', ranges, negated } : anything;
}

/** Returns the ranges of a class item; null: unknown characters. */
function readClassItem(cursor: PatternCursor): readonly CodeRange[] | null {
  const character = next(cursor);
  if (character === '[' && peekCharacter(cursor) === ':') {
    until(cursor, ']');
    return null;
  }
  if (character === '\\' && /[dswDSWpP]/.test(peekCharacter(cursor) ?? '')) return readClassEscape(cursor);
  const from = readRangeEnd(cursor, character);
  if (peekCharacter(cursor) !== '-' || cursor.characters[cursor.at + 1] === ']') return [[from, from]];
  cursor.at++;
  const to = readRangeEnd(cursor, next(cursor));
  if (to < from) throw new NotUnderstood();
  return [[from, to]];
}

function readRangeEnd(cursor: PatternCursor, character: string): number {
  return character === '\\' ? readCode(cursor, next(cursor)) : character.codePointAt(0)!;
}

function readClassEscape(cursor: PatternCursor): readonly CodeRange[] | null {
  const letter = next(cursor);
  if (letter === 'p' || letter === 'P') {
    readProperty(cursor);
    return null;
  }
  if (letter === letter.toLowerCase()) return perl[letter]!;
  // Without case, characters outside \w would be folded into it.
  return cursor.ignoreCase ? null : complement(perl[letter.toLowerCase()]!);
}

/** Returns every code point outside the sorted ranges. */
function complement(ranges: readonly CodeRange[]): CodeRange[] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)];
  const ends = [...ranges.map(([from]) => from - 1), 0x10_ffff];
  return starts.flatMap((from, index): CodeRange[] => (from <= ends[index]! ? [[from, ends[index]!]] : []));
}

/** Reads a Unicode property after its `p`; it is taken for any character. Throws NotUnderstood. */
function readProperty(cursor: PatternCursor): CharacterClass {
  if (next(cursor) === '{') until(cursor, '}');
  return anything;
}

/** Returns the class that a letter stands for after a backslash, such as `\d` or `\D`; null for other letters. */
function perlClass(letter: string): CharacterClass | null {
  const lower = letter.toLowerCase();
  return Object.hasOwn(perl, lower) ? { kind: 'class', ranges: perl[lower]!, negated: letter !== lower } : null;
}

/** Reads the rest of an escape sequence and returns its character code. Throws NotUnderstood. */
function readCode(cursor: PatternCursor, letter: string): number {
  if (Object.hasOwn(controls, letter)) return controls[letter]!;
  if (punctuation.test(letter)) return letter.codePointAt(0)!;
  const digits = letter !== 'x' ? '' : take(cursor, '{') ? until(cursor, '}') : next(cursor) + next(cursor);
  const code = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  // Half a surrogate pair is no character of a text.
  if (!(code <= 0x10_ffff) || (code >= 0xd800 && code <= 0xdfff)) throw new NotUnderstood();
  return code;
}

/** A node of a parsed pattern, as far as the search needs it. */
export type PatternNode =
  | { readonly kind: 'character'; readonly code: number }
  | CharacterClass
  | { readonly kind: 'edge'; readonly at: Edge }
  | { readonly kind: 'sequence' | 'either'; readonly nodes: readonly PatternNode[] }
  | Repeat;

export interface Repeat {
  readonly kind: 'repeat';
  readonly node: PatternNode;
  readonly min: number;
  /** Infinity: without a bound. */
  readonly max: number;
  readonly lazy: boolean;
}

type Edge = 'start' | 'end' | 'boundary' | 'inside';

/** A parsed pattern. */
export interface PatternTree {
  readonly root: PatternNode;
  readonly ignoreCase: boolean;
}

/** Groups inside one another, at most. */
const deepest = 50;

const edges: Readonly<Record<string, Edge>> = { b: 'boundary', B: 'inside', A: 'start', z: 'end' };
const empty: PatternNode = { kind: 'sequence', nodes: [] };

/**
 * Parses a pattern into a tree, or returns null for syntax outside the supported subset. Null does not mean invalid:
 * only supported patterns can be searched for faster.
 */
export function parsePattern(pattern: string, ignoreCase: boolean): PatternTree | null {
  const flagged = pattern.startsWith('(?i)');
  const characters = [...pattern.slice(flagged ? '(?i)'.length : 0)];
  const cursor: PatternCursor = { characters, ignoreCase: ignoreCase || flagged, at: 0 };
  try {
    return { root: readWhole(cursor), ignoreCase: cursor.ignoreCase };
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

function readWhole(cursor: PatternCursor): PatternNode {
  const node = cursor.characters.length === 0 ? empty : readEither(cursor, 0);
  if (peekCharacter(cursor) !== undefined) throw new NotUnderstood();
  return node;
}

/** @param depth the number of groups around it. */
function readEither(cursor: PatternCursor, depth: number): PatternNode {
  const nodes = [readSequence(cursor, depth)];
  while (take(cursor, '|')) nodes.push(readSequence(cursor, depth));
  return nodes.length === 1 ? nodes[0]! : { kind: 'either', nodes };
}

function readSequence(cursor: PatternCursor, depth: number): PatternNode {
  const nodes: PatternNode[] = [];
  while (![undefined, '|', ')'].includes(peekCharacter(cursor))) nodes.push(readRepeated(cursor, depth));
  return nodes.length === 1 ? nodes[0]! : { kind: 'sequence', nodes };
}

function readRepeated(cursor: PatternCursor, depth: number): PatternNode {
  const node = readAtom(cursor, depth);
  const bounds = readBounds(cursor);
  if (bounds === null) return node;
  const repeated: Repeat = { kind: 'repeat', node, ...bounds, lazy: take(cursor, '?') };
  if (['*', '+', '?'].includes(peekCharacter(cursor)!) || readBounds(cursor) !== null) throw new NotUnderstood();
  return repeated;
}

function readBounds(cursor: PatternCursor): { min: number; max: number } | null {
  if (take(cursor, '*')) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (take(cursor, '+')) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (take(cursor, '?')) return { min: 0, max: 1 };
  const counted = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(cursor.characters.slice(cursor.at, cursor.at + 12).join(''));
  if (counted === null) return null;
  cursor.at += counted[0].length;
  const [, min, comma, max] = counted;
  const most = comma === '' ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max);
  if (most < Number(min)) throw new NotUnderstood();
  return { min: Number(min), max: most };
}

function readAtom(cursor: PatternCursor, depth: number): PatternNode {
  const character = next(cursor);
  if (character === '(') return readGroup(cursor, depth);
  if (character === '[') return readClass(cursor);
  if (character === '\\') return readEscape(cursor);
  if (character === '.') return { kind: 'class', ranges: [[0x0a, 0x0a]], negated: true };
  if (character === '^') return { kind: 'edge', at: 'start' };
  if (character === '$') return { kind: 'edge', at: 'end' };
  if (character === '*' || character === '+' || character === '?') throw new NotUnderstood();
  return { kind: 'character', code: character.codePointAt(0)! };
}

function readGroup(cursor: PatternCursor, depth: number): PatternNode {
  if (depth === deepest) throw new NotUnderstood();
  if (take(cursor, '?') && !take(cursor, ':')) {
    if (!take(cursor, 'P<') && !take(cursor, '<')) throw new NotUnderstood();
    if (!/^\w+$/.test(until(cursor, '>'))) throw new NotUnderstood();
  }
  const node = readEither(cursor, depth + 1);
  if (!take(cursor, ')')) throw new NotUnderstood();
  return node;
}

function readEscape(cursor: PatternCursor): PatternNode {
  const letter = next(cursor);
  if (Object.hasOwn(edges, letter)) return { kind: 'edge', at: edges[letter]! };
  if (letter === 'p' || letter === 'P') return readProperty(cursor);
  return perlClass(letter) ?? { kind: 'character', code: readCode(cursor, letter) };
}
