import { NotUnderstood, next, type PatternCursor, peekCharacter, take, until } from './pattern-cursor.ts';

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
export function readClass(cursor: PatternCursor): CharacterClass {
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
export function readProperty(cursor: PatternCursor): CharacterClass {
  if (next(cursor) === '{') until(cursor, '}');
  return anything;
}

/** Returns the class that a letter stands for after a backslash, such as `\d` or `\D`; null for other letters. */
export function perlClass(letter: string): CharacterClass | null {
  const lower = letter.toLowerCase();
  return Object.hasOwn(perl, lower) ? { kind: 'class', ranges: perl[lower]!, negated: letter !== lower } : null;
}

/** Reads the rest of an escape sequence and returns its character code. Throws NotUnderstood. */
export function readCode(cursor: PatternCursor, letter: string): number {
  if (Object.hasOwn(controls, letter)) return controls[letter]!;
  if (punctuation.test(letter)) return letter.codePointAt(0)!;
  const digits = letter !== 'x' ? '' : take(cursor, '{') ? until(cursor, '}') : next(cursor) + next(cursor);
  const code = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  // Half a surrogate pair is no character of a text.
  if (!(code <= 0x10_ffff) || (code >= 0xd800 && code <= 0xdfff)) throw new NotUnderstood();
  return code;
}
