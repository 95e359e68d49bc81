import { plain, toText } from './calls.ts';
import { allDocuments, documentAt, partsOf } from './documents.ts';
import { hitPlace } from './hits.ts';
import { lineAround, rangeOfLines } from './pieces.ts';
import { tell } from './problems.ts';
import { type Result, resultOf } from './query.ts';
import { show } from './show.ts';
import { placeOf, shown, type TextPlace } from './text.ts';

/** Maximum lengths of a computed value and of a quote, in characters. Longer values and quotes are cut. */
const mostValue = 4_000;
const longestQuote = 10_000;
/** Size of the text, in characters, above which fewer parts of a quote are searched for. */
const largeText = 4_000_000;
const mostPlaces = 100;
/** Characters on each side of an occurrence that are compared first. */
const nearby = 60;
const fewestTokens = 3;

type Span = Pick<TextPlace, 'from' | 'to'>;

interface Token extends Span {
  readonly text: string;
}

/** Characters that copying often changes. All variants of a character are treated as equal. */
const sameSigns = new Map([..."“”„«»'‘’‚`"].map((sign) => [sign, '"']));
for (const dash of '–—') sameSigns.set(dash, '-');

/** Splits text into words and signs. Leaves out white space, bold marks, comment marks, and marks of headings. */
function tokensOf(text: string): Token[] {
  const found = text.matchAll(/^[\s*/#>]+|\*[*/]|([\p{L}\p{N}_]+|\S)/gmu);
  return [...found].flatMap(({ 1: token, index }) => {
    if (token === undefined) return [];
    return [{ text: sameSigns.get(token) ?? token.toLowerCase(), from: index, to: index + token.length }];
  });
}

/** Returns the parts of a quote to search for: the longest groups of three words, then the longest single words. */
function anchorsOf(quote: string): Token[] {
  const words = [...quote.matchAll(/\S+/g)].map(({ 0: text, index: from }) => ({ text, from, to: from + text.length }));
  const parts = words.flatMap(({ from }, index) => {
    const last = words[Math.min(index + 2, words.length - 1)]!;
    return index % 3 === 0 ? [{ text: quote.slice(from, last.to), from, to: last.to }] : [];
  });
  const byLength = (one: Token, other: Token) => other.text.length - one.text.length;
  const most = host.length() > largeText ? 2 : 4;
  return [...parts.sort(byLength).slice(0, most), ...words.sort(byLength).slice(0, most)];
}

/** Consecutive tokens of a quote that are also consecutive in the text, from `from` to `to`. */
interface TokenMatch extends Span {
  /** Indexes of the quote's tokens, end exclusive. */
  readonly first: number;
  readonly end: number;
}

const lengthOf = (match: TokenMatch | null): number => (match === null ? 0 : match.end - match.first);

function matchAround(
  quote: readonly Token[],
  text: readonly Token[],
  quoteAt: number,
  textAt: number,
): TokenMatch | null {
  let [left, right] = [0, 0];
  while (quoteAt - left > 0 && quote[quoteAt - left - 1]!.text === text[textAt - left - 1]?.text) left++;
  while (quoteAt + right < quote.length && quote[quoteAt + right]!.text === text[textAt + right]?.text) right++;
  if (right === 0) return null;
  const [from, to] = [text[textAt - left]!.from, text[textAt + right - 1]!.to];
  return { first: quoteAt - left, end: quoteAt + right, from, to };
}

function longestMatch(quote: string, tokens: readonly Token[], place: TextPlace): TokenMatch | null {
  function matchAt(at: number, quoteAt: number, reach: number): TokenMatch | null {
    const base = Math.max(place.from, at - reach);
    const text = tokensOf(host.slice(base, Math.min(place.to, at + reach)));
    const textAt = text.findIndex(({ from }) => base + from >= at);
    const match = textAt < 0 ? null : matchAround(tokens, text, quoteAt, textAt);
    return match && { ...match, from: base + match.from, to: base + match.to };
  }
  let best: TokenMatch | null = null;
  for (const anchor of anchorsOf(quote)) {
    const quoteAt = tokens.findIndex(({ from }) => from >= anchor.from);
    for (let [count, at] = [0, place.from]; quoteAt >= 0 && count < mostPlaces; count++, at += anchor.text.length) {
      at = host.indexOf(anchor.text, at, place.to, 0);
      if (at < 0) break;
      const near = lengthOf(matchAt(at, quoteAt, nearby));
      if (near < Math.min(fewestTokens, tokens.length)) continue;
      const match = matchAt(at, quoteAt, 2 * quote.length + 400);
      if (match === null || lengthOf(match) <= lengthOf(best)) continue;
      best = match;
      if (lengthOf(best) === tokens.length) return best;
    }
  }
  return best;
}

function describeNearest({ first, end, from, to }: TokenMatch, quote: string, tokens: readonly Token[]): string {
  const isEnd = end === tokens.length;
  const around = isEnd ? host.slice(Math.max(0, from - 60), to) : host.slice(from, to + 60);
  const other = isEnd ? quote.slice(0, tokens[first]!.from) : quote.slice(tokens[end]!.from);
  const differs = `${isEnd ? 'before it' : 'then'} the quote has ${JSON.stringify(other.trim().slice(0, 60))}`;
  return `nearest is ${lineOf(from)}: ${JSON.stringify(around)}; ${differs}`;
}

const whole = (): TextPlace => ({ from: 0, to: host.length(), isFolded: false, name: 'context' });

/** Returns the places to search first. `where`: a text, a found line, the name of documents, or words of the text. */
function placesOf(where: unknown): readonly TextPlace[] {
  const place = placeOf(where) ?? hitPlace(where);
  if (place !== null) return [{ ...whole(), ...place }];
  if (typeof where !== 'string') return [];
  const documents = partsOf(whole(), where);
  const piece = documents.length > 0 ? null : findQuote(where.trim(), []);
  return piece === null || typeof piece === 'string' ? documents : [{ ...whole(), from: piece.from, to: piece.to }];
}

/** Returns the quote's place, or a description of the nearest words. */
function findQuote(quote: string, named: readonly TextPlace[]): Span | string {
  const recent = named.length > 0 ? undefined : shown.findLast(({ string }) => string.includes(quote));
  if (recent !== undefined) {
    const from = recent.from + recent.string.indexOf(quote);
    return { from, to: from + quote.length };
  }
  const tokens = tokensOf(quote);
  let best: TokenMatch | null = null;
  for (const place of [...named, whole()]) {
    const at = host.indexOf(quote, place.from, place.to, 0);
    if (at >= 0) return { from: at, to: at + quote.length };
    const match = longestMatch(quote, tokens, place);
    if (match !== null && lengthOf(match) === tokens.length) return match;
    best = match ?? best;
  }
  return best === null || best.to - best.from < 8
    ? 'nothing like it stands there'
    : describeNearest(best, quote, tokens);
}

const occursElsewhere = (quote: string, { from, to }: Span): boolean =>
  host.indexOf(quote, 0, from, 0) >= 0 || host.indexOf(quote, to, host.length(), 0) >= 0;

const mark = (span: Span): string => host.wait(host.begin('cite', '[]', JSON.stringify([[span.from, span.to]])));

/** Returns the place of a text, a found line or an offset; null for any other value, such as a quote. */
function spanOf(what: unknown, end: unknown): Span | null {
  const place = placeOf(what) ?? hitPlace(what);
  if (place !== null) return { from: place.from, to: place.to };
  if (typeof what !== 'number') return null;
  const from = Math.max(0, Math.min(host.length(), Math.trunc(what) || 0));
  // `offsets.map(cite)` passes an index as the end. An end that is not after the start is ignored.
  const to = typeof end === 'number' && end > from ? end : from + 200;
  return { from, to: Math.min(host.length(), Math.trunc(to)) };
}

const lineOf = (offset: number): string => `${documentAt(offset).name}:${lineAround(offset).line}`;

function citeQuote(quote: string, where: unknown): string {
  const named = placesOf(where);
  const found = findQuote(quote, named);
  const say = (problem: string) => tell(`cite(${JSON.stringify(quote.slice(0, 80))}): ${problem}`);
  if (typeof found === 'string') {
    say(`the text does not have these words; ${found}`);
    return '';
  }
  if (named.length === 0 && occursElsewhere(quote, found)) {
    const leads = `the mark leads to ${lineOf(found.from)}; cite(words, piece) takes the place in a piece`;
    say(`these words stand in several places; ${leads}`);
  }
  return mark(found);
}

function citeOne(what: unknown, where: unknown): string {
  const place = spanOf(what, where);
  if (place !== null && place.to > place.from) return mark(place);
  if (place !== null) {
    tell('cite: there is no text at this place');
    return '';
  }
  // An ellipsis marks omitted words.
  const parts = toText(what, 'the quote')
    .slice(0, longestQuote)
    .split(/…|\.{3}/);
  const quotes = parts.map((part) => part.trim()).filter((part) => /[\p{L}\p{N}]/u.test(part));
  if (quotes.length === 0) throw new TypeError('the quote has no word');
  return quotes.map((quote) => citeQuote(quote, where)).join('');
}

/**
 * Returns the citation marks of a quote, a found line, a text, a list of these, a query's rows, or two offsets. A quote
 * that the text lacks gets no mark and is reported as a problem.
 * @param where the document, piece, found line or words of the text to look in first. If `what` is the start offset of
 * a range, `where` is its end offset.
 */
export function cite(what: unknown, where?: unknown): string {
  try {
    const result = resultOf(what);
    if (result !== null) return citeRows(result);
    return Array.isArray(what) ? what.map((one) => citeOne(one, where)).join('') : citeOne(what, where);
  } catch (error) {
    tell(`cite: ${(error as Error).message}`);
    return '';
  }
}

function citeRows({ places }: Result): string {
  if (places.length === 0) throw new TypeError('these rows are computed from many lines: use evidence(rows)');
  return places
    .map(({ document, startLine, endLine }) =>
      mark(rangeOfLines(allDocuments().find(({ name }) => name === document)!, startLine, endLine)),
    )
    .join('');
}

/** Returns a citation mark for a computed value. Returns '' and reports a problem if the value is missing or empty. */
export function evidence(value: unknown): string {
  try {
    const output = show(value);
    if (value === undefined || value === null) throw new Error(`the value is ${value}`);
    if (output.trim() === '') throw new Error('the value is empty');
    const left = output.length - mostValue;
    const text = left > 0 ? `${output.slice(0, mostValue)}\n… (more characters: ${left})` : output;
    const result = resultOf(value);
    const args = [plain(text), ...(result === null ? [] : [result.sql])];
    return host.wait(host.begin('evidence', JSON.stringify(args), '[]'));
  } catch (error) {
    tell(`evidence: ${(error as Error).message}`);
    return '';
  }
}
