import { createNumbers } from '../base/growing-array.ts';
import { requiredLiterals } from '../context/search/literals.ts';
import { parsePattern } from '../context/search/pattern-tree.ts';
import type { TextPages } from './text-pages.ts';
import { firstIndexOf, lastIndexOf, sliceText } from './text-search.ts';

/** Requests about the text. Offsets are in UTF-16 units, ends exclusive, both within the text. */
export interface TextOperations {
  slice(from: number, to: number): string;
  /** Returns where the words first stand in the range, or -1. `isFolded`: in lower case. */
  indexOf(words: string, from: number, to: number, isFolded: boolean): number;
  lastIndexOf(words: string, from: number, to: number, isFolded: boolean): number;
  /**
   * Returns an offset near the first match of an expression in the range, where a text stands without which nothing
   * matches. -1: there is no match; -2: unknown.
   */
  candidate(source: string, ignoreCase: boolean, from: number, to: number): number;
  /** Returns the offsets of all line feeds. */
  lineFeeds(): Float64Array;
  /** Returns starts and ends, alternating, of pieces of about that size, cut after a line where one ends near. */
  pieces(from: number, to: number, size: number, overlap: number): Float64Array;
}

const longestLiteral = 256;
const mostLines = 8_000_000;
const mostPieces = 1_000_000;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Syntax that means something else in the searcher's patterns than in JavaScript. */
const otherThere = /^\(\?i\)|\\[aAzQ]/;

/** Returns texts of which one stands in every match: a single one, or an expression that takes linear time. */
function literalsOf(source: string, ignoreCase: boolean): string | RegExp | null {
  const tree = otherThere.test(source) ? null : parsePattern(source, ignoreCase);
  const literals = tree === null ? null : requiredLiterals(tree);
  if (literals === null || literals.texts.some((text) => text.length > longestLiteral)) return null;
  if (literals.texts.length === 1 && !ignoreCase) return literals.texts[0]!;
  return new RegExp(literals.texts.map(escaped).join('|'), ignoreCase ? 'gi' : 'g');
}

function firstMatch(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? -1;
}

/** Returns where the expression first matches in the range, -1 where it does not. */
function indexOfMatch(pages: TextPages, expression: RegExp, from: number, to: number): number {
  for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
    const { start, end } = pages.page(index);
    const found = firstMatch(expression, pages.text(index), Math.max(0, from - start));
    if (found >= 0) return start + found < to ? start + found : -1;
    if (end >= to) continue;
    const seam = Math.max(from, end - longestLiteral);
    const across = firstMatch(expression, sliceText(pages, seam, Math.min(to, end + longestLiteral)), 0);
    if (across >= 0) return seam + across;
  }
  return -1;
}

/** Throws RangeError for more than `mostLines` lines. */
function findLineFeeds(pages: TextPages): Float64Array {
  const found = createNumbers();
  for (let index = 0; index < pages.count(); index++) {
    const text = pages.text(index);
    const { start } = pages.page(index);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found.push(start + at);
    if (found.length() > mostLines)
      throw new RangeError(`the text has more than ${mostLines} lines: look at a part of it`);
  }
  return found.values();
}

function pieceEnd(pages: TextPages, from: number, wanted: number, to: number): number {
  if (wanted >= to) return to;
  const tail = Math.max(from + 1, wanted - Math.ceil((wanted - from) / 5));
  const feed = lastIndexOf(pages, { words: '\n', from: tail, to: wanted, isFolded: false });
  return feed < 0 ? wanted : feed + 1;
}

/** Throws RangeError for more than `mostPieces` pieces. */
function findPieces(pages: TextPages, from: number, to: number, size: number, overlap: number): Float64Array {
  if ((to - from) / (size - overlap) > mostPieces)
    throw new RangeError('that would be too many pieces: give a larger size');
  const bounds: number[] = [];
  for (let start = from; start < to; ) {
    const end = pieceEnd(pages, start, start + size, to);
    bounds.push(start, end);
    start = end === to ? to : Math.max(start + 1, end - overlap);
  }
  return Float64Array.from(bounds);
}

export function createTextOperations(pages: TextPages): TextOperations {
  const known = new Map<string, ReturnType<typeof literalsOf>>();
  let feeds: Float64Array | null = null;

  function literalsFor(source: string, ignoreCase: boolean): string | RegExp | null {
    const key = `${ignoreCase} ${source}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = literalsOf(source, ignoreCase);
    if (known.size > 1_000) known.clear();
    known.set(key, made);
    return made;
  }

  return {
    slice: (from, to) => sliceText(pages, from, to),
    indexOf: (words, from, to, isFolded) => firstIndexOf(pages, { words, from, to, isFolded }),
    lastIndexOf: (words, from, to, isFolded) => lastIndexOf(pages, { words, from, to, isFolded }),
    candidate(source, ignoreCase, from, to) {
      const literals = literalsFor(source, ignoreCase);
      if (literals === null) return -2;
      if (typeof literals === 'string') return firstIndexOf(pages, { words: literals, from, to, isFolded: false });
      return indexOfMatch(pages, literals, from, to);
    },
    lineFeeds: () => {
      feeds ??= findLineFeeds(pages);
      return feeds;
    },
    pieces: (from, to, size, overlap) => findPieces(pages, from, to, size, overlap),
  };
}
