/** The range of a quote in a text, in UTF-16 units, end exclusive. */
export interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

/** Signs whose shape often changes in a copy, each with its plain form. */
const sameSigns: readonly [RegExp, string][] = [
  [/[“”„«»]/g, '"'],
  [/[‘’‚]/g, "'"],
  [/[–—]/g, '-'],
];

const inPlainSigns = (text: string) => sameSigns.reduce((plain, [signs, sign]) => plain.replace(signs, sign), text);

/** Replaces each run of white space by one space. `at`: the offset of each character in the original. */
function collapse(text: string): { collapsed: string; at: number[] } {
  let collapsed = '';
  const at: number[] = [];
  for (const { 0: run, index } of text.matchAll(/\s+|\S+/g)) {
    const isSpace = run.trim() === '';
    collapsed += isSpace ? ' ' : run;
    for (let offset = 0; offset < (isSpace ? 1 : run.length); offset++) at.push(index + offset);
  }
  return { collapsed, at };
}

function withoutEllipsis(quote: string): string {
  return quote
    .trim()
    .replace(/^(?:\.{3}|…)|(?:\.{3}|…)$/g, '')
    .trim();
}

const hasWord = /[\p{L}\p{N}]/u;

/** Returns the offset of the nth occurrence (from 0), or of the last if there are fewer; -1 if there is none. */
function indexOfNth(text: string, words: string, nth: number): number {
  let found = text.indexOf(words);
  for (let left = nth; left > 0 && found >= 0; left--) {
    const next = text.indexOf(words, found + words.length);
    if (next < 0) break;
    found = next;
  }
  return found;
}

/** Returns the first occurrence that is a whole line; else the first that is no part of a word; else the first. */
function indexOfWhole(text: string, words: string): number {
  let apart = -1;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, after] = [text[at - 1] ?? '\n', text[at + words.length] ?? '\n'];
    if (before === '\n' && after === '\n') return at;
    if (apart < 0 && !hasWord.test(before + after)) apart = at;
  }
  return apart < 0 ? text.indexOf(words) : apart;
}

/**
 * Finds the nth occurrence (from 0) of a quote, or the last if there are fewer. If `nth` is 0, the first occurrence
 * that is a whole line is best, then the first that has whole words, then the first of all. White space and the shape
 * of quotation marks, apostrophes and dashes may differ. Returns null if the text lacks the quote.
 */
export function findQuote(text: string, quote: string, nth = 0): QuotePlace | null {
  for (const wanted of [quote.trim(), withoutEllipsis(quote)]) {
    const place = hasWord.test(wanted) ? find(text, wanted.toWellFormed(), nth) : null;
    if (place) return place;
  }
  return null;
}

function find(text: string, wanted: string, nth: number): QuotePlace | null {
  const exact = nth === 0 ? indexOfWhole(text, wanted) : indexOfNth(text, wanted, nth);
  if (exact >= 0) return { start: exact, end: exact + wanted.length };
  const { collapsed, at } = collapse(inPlainSigns(text));
  const sought = collapse(inPlainSigns(wanted)).collapsed;
  const found = indexOfNth(collapsed, sought, nth);
  return found < 0 ? null : { start: at[found]!, end: at[found + sought.length - 1]! + 1 };
}

/** Matches quotation marks, backslashes, white space around dashes, and comment signs. */
const passedOver = /[\\"'`]|\s+(?=-)|(?<=-)\s+|\s(?:\*|\/\/|#)(?=\s)/g;

/** Returns a text in lower case, without matches of `passedOver`. `at`: the original offset of each character. */
function loosen(text: string): { loose: string; at: number[] } {
  const { collapsed, at } = collapse(inPlainSigns(text));
  let loose = '';
  const places: number[] = [];
  let end = 0;
  for (const { 0: skipped, index } of [...collapsed.matchAll(passedOver), { 0: '', index: collapsed.length }]) {
    for (; end < index; end++) {
      const low = collapsed[end]!.toLowerCase();
      loose += low.length === 1 ? low : collapsed[end]!;
      places.push(at[end]!);
    }
    end += skipped.length;
  }
  return { loose, at: places };
}

/** Finds the nth occurrence of a quote, ignoring case and matches of `passedOver`. Null if the text lacks the quote. */
export function findLoosely(text: string, quote: string, nth = 0): QuotePlace | null {
  const { loose, at } = loosen(text);
  const sought = loosen(withoutEllipsis(quote).toWellFormed()).loose.trim();
  const found = hasWord.test(sought) ? indexOfNth(loose, sought, nth) : -1;
  return found < 0 ? null : { start: at[found]!, end: at[found + sought.length - 1]! + 1 };
}
