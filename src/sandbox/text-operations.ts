/** Searches the guest's text. Offsets are in UTF-16 units of the text. Ends are exclusive. */
import { createNumbers } from '../base/arrays.ts';
import { lower } from '../base/text.ts';
import { readPattern } from '../context/search/fast-pattern.ts';
import type { TextPages } from './text-pages.ts';

export function sliceText(pages: TextPages, from: number, to: number): string {
  const parts: string[] = [];
  for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
    const { start, end } = pages.page(index);
    parts.push(pages.text(index).slice(Math.max(0, from - start), Math.min(end, to) - start));
  }
  return parts.join('');
}

interface Sought {
  readonly words: string;
  /** Whether letter case is ignored. If so, `words` are in lower case. */
  readonly isFolded: boolean;
  readonly expression?: RegExp;
}

const pageText = (pages: TextPages, index: number, { isFolded }: Sought): string =>
  isFolded ? pages.folded(index) : pages.text(index);

/** Returns the text around a page's end, where a match may span two pages, and the offset of this text. */
function seamAt(pages: TextPages, end: number, { words, isFolded }: Sought, from: number, to: number) {
  const start = Math.max(from, end - words.length + 1);
  const seam = sliceText(pages, start, Math.min(to, end + words.length - 1));
  return { start, seam: isFolded ? lower(seam) : seam };
}

function indexIn(text: string, { words, expression }: Sought, from: number): number {
  if (expression === undefined) return text.indexOf(words, from);
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? -1;
}

/** Returns the first place of the words in the range, or -1. */
export function firstIndexOf(pages: TextPages, sought: Sought, from: number, to: number): number {
  const { length } = sought.words;
  for (let index = pages.pageAt(from); index < pages.count() && pages.page(index).start < to; index++) {
    const { start, end } = pages.page(index);
    const found = indexIn(pageText(pages, index, sought), sought, Math.max(0, from - start));
    if (found >= 0) return start + found + length <= to ? start + found : -1;
    if (end >= to || length < 2) continue;
    const { start: seamStart, seam } = seamAt(pages, end, sought, from, to);
    const across = indexIn(seam, sought, 0);
    if (across >= 0) return seamStart + across;
  }
  return -1;
}

/** Returns the last place of the words in the range, or -1. */
export function lastIndexOf(pages: TextPages, sought: Sought, from: number, to: number): number {
  const { words } = sought;
  for (let index = pages.pageAt(Math.max(from, to - 1)); index >= 0 && pages.page(index).end > from; index--) {
    const { start, end } = pages.page(index);
    if (end < to && words.length > 1) {
      const { start: seamStart, seam } = seamAt(pages, end, sought, from, to);
      const across = seam.lastIndexOf(words);
      if (across >= 0) return seamStart + across;
    }
    const last = Math.min(end, to) - start - words.length;
    const found = last < 0 ? -1 : pageText(pages, index, sought).lastIndexOf(words, last);
    if (found >= 0) return start + found >= from ? start + found : -1;
  }
  return -1;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Matches syntax that `readPattern` reads differently from JavaScript. */
const otherMeaning = /^\(\?i\)|\\[aAzQ]/;

/** Returns the first offset of words that every match contains; -1 if the range lacks them, -2 if none are known. */
export function candidateIn(pages: TextPages, source: string, ignoreCase: boolean, from: number, to: number): number {
  const words = otherMeaning.test(source) ? null : (readPattern(source, ignoreCase)?.literal?.text ?? null);
  if (words === null) return -2;
  const expression = ignoreCase ? { expression: new RegExp(escaped(words), 'gi') } : {};
  return firstIndexOf(pages, { words, isFolded: false, ...expression }, from, to);
}

const mostLines = 8_000_000;
const mostPieces = 1_000_000;

/** Returns the offsets of all line feeds. Throws RangeError for more than `mostLines`. */
export function findLineFeeds(pages: TextPages): Float64Array {
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

/** Returns where a piece ends. `least`: the smallest end with which the next piece starts later than this piece. */
function pieceEnd(pages: TextPages, wanted: number, to: number, size: number, least: number): number {
  if (wanted >= to) return to;
  const tail = Math.max(least, wanted - Math.ceil(size / 5));
  const feed = lastIndexOf(pages, { words: '\n', isFolded: false }, tail, wanted);
  return feed < 0 ? wanted : feed + 1;
}

/**
 * Returns the start and the end of each piece, pair after pair. A piece ends at a line end if one is near. Throws
 * RangeError for more than a million pieces.
 */
export function findPieces(pages: TextPages, from: number, to: number, size: number, overlap: number): Float64Array {
  if ((to - from) / (size - overlap) > mostPieces)
    throw new RangeError('that would be too many pieces: give a larger size');
  const bounds: number[] = [];
  for (let start = from; start < to; ) {
    const end = pieceEnd(pages, start + size, to, size, start + overlap + 1);
    bounds.push(start, end);
    start = end === to ? to : Math.max(start + 1, end - overlap);
  }
  return Float64Array.from(bounds);
}
