/** Marks for words of the text, and for values that code computed. */
import { plain, toText } from './calls.ts';
import { documentAt, partsOf } from './documents.ts';
import { hitPlace } from './hits.ts';
import { find } from './matches.ts';
import { lineAround } from './pieces.ts';
import { tell } from './problems.ts';
import { show } from './show.ts';
import { placeOf, shown, type TextPlace } from './text.ts';

/** Signs between words that a quote may have or lack: white space, line ends, and the marks of comments and quotations. */
const gap = '[\\s*/#>]';
const mostTokens = 400;
/** Characters of a computed value that are evidence, at most. */
const mostValue = 4_000;
/** Characters of a text in which the words nearest to a quote are looked for, at most. */
const mostSought = 64 * 1024 * 1024;

const sameSigns: readonly (readonly [RegExp, string])[] = [
  [/["“”„«»'‘’‚`]/, '["“”„«»\'‘’‚`]'],
  [/[-–—]/, '[-–—]'],
];

/** Splits a quote into words and single signs, without those that are passed over. Dots for left-out words are one. */
const tokensOf = (quote: string): string[] =>
  (quote.match(/[\p{L}\p{N}_]+|…|\.{3}|[^\s*/#>]/gu) ?? []).slice(0, mostTokens);

const isWord = (token: string) => /[\p{L}\p{N}_]$/u.test(token);
const isLeftOut = (token: string) => token === '…' || token === '...';

function sourceOf(token: string): string {
  const same = sameSigns.find(([sign]) => sign.test(token));
  return same === undefined ? token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : same[1];
}

/** Returns an expression for the tokens in their order, whatever stands in the gaps between them. */
function expressionOf(tokens: readonly string[]): RegExp {
  const parts = tokens.map((token, index) => {
    if (isLeftOut(token)) return '[^]{0,400}?';
    const before = tokens[index - 1];
    if (before === undefined || isLeftOut(before)) return sourceOf(token);
    return `${gap}${isWord(before) && isWord(token) ? '+' : '*'}${sourceOf(token)}`;
  });
  return new RegExp(parts.join(''), 'i');
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const wholeText = (): TextPlace => ({ from: 0, to: host.length(), isFolded: false, name: 'context' });

function findTokens(tokens: readonly string[], place: TextPlace): Span | null {
  const match = find(place, expressionOf(tokens), 0);
  return match === null ? null : { from: place.from + match.index, to: place.from + match.index + match[0].length };
}

function findIn(quote: string, tokens: readonly string[], place: TextPlace): Span | null {
  const at = host.indexOf(quote, place.from, place.to, 0);
  return at >= 0 ? { from: at, to: at + quote.length } : findTokens(tokens, place);
}

/** Finds a quote: where the code has just read it, in the documents of that name, or anywhere. */
function findQuote(quote: string, tokens: readonly string[], path: unknown): Span | null {
  const isNamed = typeof path === 'string';
  const recent = isNamed ? undefined : shown.findLast(({ string }) => string.includes(quote));
  if (recent !== undefined) {
    const from = recent.from + recent.string.indexOf(quote);
    return { from, to: from + quote.length };
  }
  for (const place of [...(isNamed ? partsOf(wholeText(), path) : []), wholeText()]) {
    const found = findIn(quote, tokens, place);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the most tokens, of the beginning of a quote or of its end, that stand in the text, and where. */
function longestPart(tokens: readonly string[], take: (count: number) => readonly string[]) {
  let best: { readonly count: number; readonly span: Span } | null = null;
  for (let [low, high] = [1, tokens.length - 1]; low <= high; ) {
    const count = (low + high + 1) >> 1;
    const span = findTokens(take(count), wholeText());
    if (span !== null) best = { count, span };
    if (span !== null) low = count + 1;
    else high = count - 1;
  }
  return best;
}

/** Says where the words nearest to a quote stand, and where the quote differs. */
function nearest(tokens: readonly string[]): string {
  if (host.length() > mostSought) return '';
  const start = longestPart(tokens, (count) => tokens.slice(0, count));
  const end = longestPart(tokens, (count) => tokens.slice(-count));
  const isStart = (start?.count ?? 0) >= (end?.count ?? 0);
  const best = isStart ? start : end;
  const rest = best === null ? [] : isStart ? tokens.slice(best.count) : tokens.slice(0, -best.count);
  if (best === null || best.span.to - best.span.from < 8) return 'nothing like it stands there';
  const { from, to } = best.span;
  const { line } = lineAround(from);
  const around = isStart ? host.slice(from, to + 60) : host.slice(Math.max(0, from - 60), to);
  const other = JSON.stringify(rest.join(' ').slice(0, 60));
  const differs = isStart ? `then the quote has ${other}` : `before it the quote has ${other}`;
  return `nearest is ${documentAt(from).name}:${line}: ${JSON.stringify(around)}; ${differs}`;
}

const mark = (span: Span): string => host.wait(host.begin('cite', '[]', JSON.stringify([[span.from, span.to]])));

/** Returns the place that a value stands for; null where it is a quote. */
function spanOf(what: unknown, end: unknown): Span | null {
  const place = placeOf(what) ?? hitPlace(what);
  if (place !== null) return { from: place.from, to: place.to };
  if (typeof what !== 'number') return null;
  const from = Math.max(0, Math.min(host.length(), Math.trunc(what) || 0));
  const to = typeof end === 'number' && end > from ? end : from + 200;
  return { from, to: Math.min(host.length(), Math.trunc(to)) };
}

function citeOne(what: unknown, where: unknown): string {
  const place = spanOf(what, where);
  if (place !== null) return place.to > place.from ? mark(place) : '';
  const quote = toText(what, 'the quote').trim();
  const tokens = tokensOf(quote);
  while (tokens.length > 0 && isLeftOut(tokens[0]!)) tokens.shift();
  while (tokens.length > 0 && isLeftOut(tokens.at(-1)!)) tokens.pop();
  const found = tokens.some(isWord) ? findQuote(quote, tokens, where) : null;
  if (found !== null) return mark(found);
  tell(`cite(${JSON.stringify(quote.slice(0, 80))}): the text does not have these words; ${nearest(tokens)}`);
  return '';
}

/**
 * Names a place of the text as evidence: a quote, a line that was found, a text, a list of these, or two offsets.
 * Returns the mark to write after the statement that rests on it; empty where the text does not have the quote, which
 * the block's problems then say. Never throws.
 * @param where the document to look in first, or the end of the place.
 */
export function cite(what: unknown, where?: unknown): string {
  try {
    return Array.isArray(what) ? what.map((one) => citeOne(one, where)).join('') : citeOne(what, where);
  } catch (error) {
    tell(`cite: ${(error as Error).message}`);
    return '';
  }
}

/** Gives a mark to a value that the code computed. Never throws; empty where there is no value. */
export function evidence(value: unknown): string {
  try {
    const output = show(value);
    if (value === undefined || value === null || output.trim() === '') throw new Error(`the value is ${value}`);
    const left = output.length - mostValue;
    const shown = left > 0 ? `${output.slice(0, mostValue)}\n… (${left} more characters)` : output;
    return host.wait(host.begin('evidence', JSON.stringify([plain(shown)]), '[]'));
  } catch (error) {
    tell(`evidence: ${(error as Error).message}`);
    return '';
  }
}
