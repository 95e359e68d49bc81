import { createNumbers } from '../base/growing-array.ts';
import { requiredLiterals } from '../context/search/literals.ts';
import { parsePattern } from '../context/search/pattern-tree.ts';
import type { TextPages } from './text-pages.ts';

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

/** Converts to lower case and keeps the length, so that offsets stay valid. */
function lower(text: string): string {
  const folded = text.toLowerCase();
  if (folded.length === text.length) return folded;
  return Array.from({ length: text.length }, (_, index) => {
    const one = text[index]!.toLowerCase();
    return one.length === 1 ? one : text[index]!;
  }).join('');
}

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

export function createTextOperations(pages: TextPages): TextOperations {
  const known = new Map<string, ReturnType<typeof literalsOf>>();
  let feeds: Float64Array | null = null;

  function slice(from: number, to: number): string {
    const parts: string[] = [];
    for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
      const { start, end } = pages.page(index);
      parts.push(pages.slice(index, Math.max(0, from - start), Math.min(end, to) - start));
    }
    return parts.join('');
  }

  const textOf = (index: number, isFolded: boolean) => (isFolded ? lower(pages.text(index)) : pages.text(index));

  /** Returns where words stand in a page, at an offset of it or after. */
  function findIn(index: number, words: string, from: number, isFolded: boolean): number {
    const bytes = isFolded ? null : pages.bytes(index);
    return bytes === null ? textOf(index, isFolded).indexOf(words, from) : bytes.indexOf(words, from);
  }

  /** Returns where they stand last, before an offset. */
  function findLastIn(index: number, words: string, to: number, isFolded: boolean): number {
    const last = to - words.length;
    if (last < 0) return -1;
    const bytes = isFolded ? null : pages.bytes(index);
    return bytes === null ? textOf(index, isFolded).lastIndexOf(words, last) : bytes.lastIndexOf(words, last);
  }

  /** Returns where words stand that begin in one page and end in another. */
  function acrossEnd(words: string, index: number, from: number, to: number, isFolded: boolean): string {
    const { end } = pages.page(index);
    const seam = slice(Math.max(from, end - words.length + 1), Math.min(to, end + words.length - 1));
    return isFolded ? lower(seam) : seam;
  }

  function indexOf(words: string, from: number, to: number, isFolded: boolean): number {
    for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
      const { start, end } = pages.page(index);
      const found = findIn(index, words, Math.max(0, from - start), isFolded);
      if (found >= 0) return start + found + words.length <= to ? start + found : -1;
      if (end >= to || words.length < 2) continue;
      const across = acrossEnd(words, index, from, to, isFolded).indexOf(words);
      if (across >= 0) return Math.max(from, end - words.length + 1) + across;
    }
    return -1;
  }

  function lastIndexOf(words: string, from: number, to: number, isFolded: boolean): number {
    for (let index = pages.pageAt(Math.max(from, to - 1)); index >= 0 && pages.page(index).end > from; index--) {
      const { start, end } = pages.page(index);
      if (end < to && words.length > 1) {
        const across = acrossEnd(words, index, from, to, isFolded).lastIndexOf(words);
        if (across >= 0) return Math.max(from, end - words.length + 1) + across;
      }
      const found = findLastIn(index, words, Math.min(end, to) - start, isFolded);
      if (found >= 0) return start + found >= from ? start + found : -1;
    }
    return -1;
  }

  function literalsFor(source: string, ignoreCase: boolean): string | RegExp | null {
    const key = `${ignoreCase} ${source}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = literalsOf(source, ignoreCase);
    if (known.size > 1_000) known.clear();
    known.set(key, made);
    return made;
  }

  function candidate(source: string, ignoreCase: boolean, from: number, to: number): number {
    const expression = literalsFor(source, ignoreCase);
    if (expression === null) return -2;
    if (typeof expression === 'string') return indexOf(expression, from, to, false);
    for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
      const { start, end } = pages.page(index);
      const found = firstMatch(expression, pages.text(index), Math.max(0, from - start));
      if (found >= 0) return start + found < to ? start + found : -1;
      if (end >= to) continue;
      const seam = Math.max(from, end - longestLiteral);
      const across = firstMatch(expression, slice(seam, Math.min(to, end + longestLiteral)), 0);
      if (across >= 0) return seam + across;
    }
    return -1;
  }

  function findLineFeeds(): Float64Array {
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

  function pieceEnd(from: number, wanted: number, to: number): number {
    if (wanted >= to) return to;
    const tail = Math.max(from + 1, wanted - Math.ceil((wanted - from) / 5));
    const feed = lastIndexOf('\n', tail, wanted, false);
    return feed < 0 ? wanted : feed + 1;
  }

  return {
    slice,
    indexOf,
    lastIndexOf,
    candidate,
    lineFeeds: () => {
      feeds ??= findLineFeeds();
      return feeds;
    },
    pieces(from, to, size, overlap) {
      if ((to - from) / (size - overlap) > mostPieces)
        throw new RangeError('that would be too many pieces: give a larger size');
      const bounds: number[] = [];
      for (let start = from; start < to; ) {
        const end = pieceEnd(start, start + size, to);
        bounds.push(start, end);
        start = end === to ? to : Math.max(start + 1, end - overlap);
      }
      return Float64Array.from(bounds);
    },
  };
}
