import { type CharacterClass, perlClass, readClass, readCode, readProperty } from './character-class.ts';
import { NotUnderstood, next, type PatternCursor, peekCharacter, take, until } from './pattern-cursor.ts';

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
