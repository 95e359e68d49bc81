/** A node of a parsed pattern, as far as the search needs it. */
export type PatternNode =
  | { readonly kind: 'character'; readonly code: number }
  | CharacterClass
  | { readonly kind: 'edge'; readonly at: Edge }
  | { readonly kind: 'sequence' | 'either'; readonly nodes: readonly PatternNode[] }
  | Repeat;

export interface CharacterClass {
  readonly kind: 'class';
  /** Code points, both ends included; null: any character may be in it. */
  readonly ranges: readonly Range[] | null;
  readonly negated: boolean;
}

export interface Repeat {
  readonly kind: 'repeat';
  readonly node: PatternNode;
  readonly min: number;
  /** Infinity: without a bound. */
  readonly max: number;
  readonly lazy: boolean;
}

type Edge = 'start' | 'end' | 'boundary' | 'inside';
export type Range = readonly [from: number, to: number];

/** A parsed pattern. */
export interface PatternTree {
  readonly root: PatternNode;
  readonly ignoreCase: boolean;
}

const deepest = 50;

const perl: Readonly<Record<string, readonly Range[]>> = {
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
const edges: Readonly<Record<string, Edge>> = { b: 'boundary', B: 'inside', A: 'start', z: 'end' };
const anything: CharacterClass = { kind: 'class', ranges: null, negated: false };
const empty: PatternNode = { kind: 'sequence', nodes: [] };
const punctuation = /^[!-/:-@[-`{-~]$/;

/** Thrown and caught here, for syntax that is left to the regular expression library. */
class NotUnderstood extends Error {}

/**
 * Parses a pattern into a tree, or returns null for syntax outside the supported subset. Null does not mean invalid:
 * only supported patterns can be searched for faster.
 */
export function parsePattern(pattern: string, ignoreCase: boolean): PatternTree | null {
  const flagged = pattern.startsWith('(?i)');
  const reader = createReader([...pattern.slice(flagged ? '(?i)'.length : 0)], ignoreCase || flagged);
  try {
    return { root: reader.readWhole(), ignoreCase: ignoreCase || flagged };
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

function createReader(source: readonly string[], ignoreCase: boolean) {
  let at = 0;
  let depth = 0;

  const take = (wanted: string): boolean => {
    const isThere = [...wanted].every((character, index) => source[at + index] === character);
    if (isThere) at += wanted.length;
    return isThere;
  };
  const next = (): string => {
    const character = source[at++];
    if (character === undefined) throw new NotUnderstood();
    return character;
  };
  const until = (end: string): string => {
    const stop = source.indexOf(end, at);
    if (stop === -1) throw new NotUnderstood();
    const text = source.slice(at, stop).join('');
    at = stop + 1;
    return text;
  };

  function readEither(): PatternNode {
    const nodes = [readSequence()];
    while (take('|')) nodes.push(readSequence());
    return nodes.length === 1 ? nodes[0]! : { kind: 'either', nodes };
  }

  function readSequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(readRepeated());
    return nodes.length === 1 ? nodes[0]! : { kind: 'sequence', nodes };
  }

  function readRepeated(): PatternNode {
    const node = readAtom();
    const bounds = readBounds();
    if (bounds === null) return node;
    const repeated: Repeat = { kind: 'repeat', node, ...bounds, lazy: take('?') };
    if (['*', '+', '?'].includes(source[at]!) || readBounds() !== null) throw new NotUnderstood();
    return repeated;
  }

  function readBounds(): { min: number; max: number } | null {
    if (take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (take('?')) return { min: 0, max: 1 };
    const counted = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(source.slice(at, at + 12).join(''));
    if (counted === null) return null;
    at += counted[0].length;
    const [, min, comma, max] = counted;
    const most = comma === '' ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    if (most < Number(min)) throw new NotUnderstood();
    return { min: Number(min), max: most };
  }

  function readAtom(): PatternNode {
    const character = next();
    if (character === '(') return readGroup();
    if (character === '[') return readClass();
    if (character === '\\') return readEscape();
    if (character === '.') return { kind: 'class', ranges: [[0x0a, 0x0a]], negated: true };
    if (character === '^') return { kind: 'edge', at: 'start' };
    if (character === '$') return { kind: 'edge', at: 'end' };
    if (character === '*' || character === '+' || character === '?') throw new NotUnderstood();
    return { kind: 'character', code: character.codePointAt(0)! };
  }

  function readGroup(): PatternNode {
    if (++depth > deepest) throw new NotUnderstood();
    if (take('?') && !take(':')) {
      if (!take('P<') && !take('<')) throw new NotUnderstood();
      if (!/^\w+$/.test(until('>'))) throw new NotUnderstood();
    }
    const node = readEither();
    if (!take(')')) throw new NotUnderstood();
    depth--;
    return node;
  }

  function readEscape(): PatternNode {
    const letter = next();
    if (Object.hasOwn(edges, letter)) return { kind: 'edge', at: edges[letter]! };
    if (letter === 'p' || letter === 'P') return readProperty();
    const lower = letter.toLowerCase();
    if (Object.hasOwn(perl, lower)) return { kind: 'class', ranges: perl[lower]!, negated: letter !== lower };
    return { kind: 'character', code: readCode(letter) };
  }

  function readProperty(): CharacterClass {
    if (next() === '{') until('}');
    return anything;
  }

  function readCode(letter: string): number {
    if (Object.hasOwn(controls, letter)) return controls[letter]!;
    if (punctuation.test(letter)) return letter.codePointAt(0)!;
    const digits = letter !== 'x' ? '' : take('{') ? until('}') : next() + next();
    const code = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    // Half a surrogate pair is no character of a text.
    if (!(code <= 0x10_ffff) || (code >= 0xd800 && code <= 0xdfff)) throw new NotUnderstood();
    return code;
  }

  function readClass(): PatternNode {
    const negated = take('^');
    const ranges: Range[] = [];
    let isKnown = true;
    for (let first = true; first || source[at] !== ']'; first = false) {
      const item = readClassItem();
      if (item === null) isKnown = false;
      else ranges.push(...item);
    }
    at++;
    return isKnown ? { kind: 'class', ranges, negated } : anything;
  }

  /** Returns the ranges of a class item; null: unknown characters. */
  function readClassItem(): readonly Range[] | null {
    const character = next();
    if (character === '[' && source[at] === ':') {
      until(']');
      return null;
    }
    if (character === '\\' && /[dswDSWpP]/.test(source[at] ?? '')) return readClassEscape();
    const from = character === '\\' ? readCode(next()) : character.codePointAt(0)!;
    if (source[at] !== '-' || source[at + 1] === ']') return [[from, from]];
    at++;
    const end = next();
    const to = end === '\\' ? readCode(next()) : end.codePointAt(0)!;
    if (to < from) throw new NotUnderstood();
    return [[from, to]];
  }

  function readClassEscape(): readonly Range[] | null {
    const letter = next();
    if (letter === 'p' || letter === 'P') {
      readProperty();
      return null;
    }
    if (letter === letter.toLowerCase()) return perl[letter]!;
    // Without case, characters outside \w would be folded into it.
    return ignoreCase ? null : complement(perl[letter.toLowerCase()]!);
  }

  function readWhole(): PatternNode {
    const node = source.length === 0 ? empty : readEither();
    if (at < source.length) throw new NotUnderstood();
    return node;
  }

  return { readWhole };
}

/** Returns every code point outside the sorted ranges. */
function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)];
  const ends = [...ranges.map(([from]) => from - 1), 0x10_ffff];
  return starts.flatMap((from, index): Range[] => (from <= ends[index]! ? [[from, ends[index]!]] : []));
}
