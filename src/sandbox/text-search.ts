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
export function sliceText(pages: TextPages, from: number, to: number): string {
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
export interface WordSearch {
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
export function firstIndexOf(pages: TextPages, search: WordSearch): number {
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
export function lastIndexOf(pages: TextPages, search: WordSearch): number {
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
