import { createNumbers } from '../base/arrays.ts';
import { requiredLiteral } from '../context/search/literals.ts';
import { parsePattern } from '../context/search/pattern-tree.ts';
import type { TextPages } from './text-pages.ts';

/** Converts to lower case and keeps the length, so that offsets stay valid. */
function lower(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  return Array.from({ length: text.length }, (_, index) => {
    const one = text[index]!.toLowerCase();
    return one.length === 1 ? one : text[index]!;
  }).join('');
}

/** Returns the text from one offset to another, both in UTF-16 units of the whole text. */
function sliceText(pages: TextPages, from: number, to: number): string {
  const parts: string[] = [];
  for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
    const { start, end } = pages.page(index);
    parts.push(pages.slice(index, Math.max(0, from - start), Math.min(end, to) - start));
  }
  return parts.join('');
}

function textOf(pages: TextPages, index: number, isFolded: boolean): string {
  return isFolded ? lower(pages.text(index)) : pages.text(index);
}

/** Returns where words stand in a page, at an offset of it or after. */
function findIn(pages: TextPages, index: number, words: string, from: number, isFolded: boolean): number {
  const bytes = isFolded ? null : pages.bytes(index);
  return bytes === null ? textOf(pages, index, isFolded).indexOf(words, from) : bytes.indexOf(words, from);
}

/** Returns where they stand last, before an offset. */
function findLastIn(pages: TextPages, index: number, words: string, to: number, isFolded: boolean): number {
  const last = to - words.length;
  if (last < 0) return -1;
  const bytes = isFolded ? null : pages.bytes(index);
  return bytes === null ? textOf(pages, index, isFolded).lastIndexOf(words, last) : bytes.lastIndexOf(words, last);
}

/** A search for words in a range. Offsets are in UTF-16 units of the whole text. */
interface WordSearch {
  readonly words: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Whether the words are in lower case, and match text of any case. */
  readonly isFolded: boolean;
}

/** Returns the text around the end of a page where words could stand that end in another page. */
function acrossEnd(pages: TextPages, index: number, { words, from, to, isFolded }: WordSearch): string {
  const { end } = pages.page(index);
  const seam = sliceText(pages, Math.max(from, end - words.length + 1), Math.min(to, end + words.length - 1));
  return isFolded ? lower(seam) : seam;
}

/** Returns where the words first stand in the range, or -1. */
function firstIndexOf(pages: TextPages, search: WordSearch): number {
  const { words, from, to, isFolded } = search;
  for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
    const { start, end } = pages.page(index);
    const found = findIn(pages, index, words, Math.max(0, from - start), isFolded);
    if (found >= 0) return start + found + words.length <= to ? start + found : -1;
    if (end >= to || words.length < 2) continue;
    const across = acrossEnd(pages, index, search).indexOf(words);
    if (across >= 0) return Math.max(from, end - words.length + 1) + across;
  }
  return -1;
}

/** Returns where the words last stand in the range, or -1. */
function lastIndexOf(pages: TextPages, search: WordSearch): number {
  const { words, from, to, isFolded } = search;
  for (let index = pages.pageAt(Math.max(from, to - 1)); index >= 0 && pages.page(index).end > from; index--) {
    const { start, end } = pages.page(index);
    if (end < to && words.length > 1) {
      const across = acrossEnd(pages, index, search).lastIndexOf(words);
      if (across >= 0) return Math.max(from, end - words.length + 1) + across;
    }
    const found = findLastIn(pages, index, words, Math.min(end, to) - start, isFolded);
    if (found >= 0) return start + found >= from ? start + found : -1;
  }
  return -1;
}

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

/** Characters of a text that stands in every match, at most. */
const longestLiteral = 256;
const mostLines = 8_000_000;
const mostPieces = 1_000_000;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Syntax that means something else in the searcher's patterns than in JavaScript. */
const otherThere = /^\(\?i\)|\\[aAzQ]/;

/** Returns the text that stands in every match, or an expression that matches it in any case. */
function literalOf(source: string, ignoreCase: boolean): string | RegExp | null {
  const tree = otherThere.test(source) ? null : parsePattern(source, ignoreCase);
  const text = tree === null ? null : (requiredLiteral(tree)?.text ?? null);
  return text !== null && ignoreCase ? new RegExp(escaped(text), 'gi') : text;
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
  const known = new Map<string, ReturnType<typeof literalOf>>();
  let feeds: Float64Array | null = null;

  function literalsFor(source: string, ignoreCase: boolean): string | RegExp | null {
    const key = `${ignoreCase} ${source}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = literalOf(source, ignoreCase);
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
