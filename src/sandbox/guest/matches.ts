/** The search for regular expressions in the guest's texts, a stretch at a time. */
import { documentAt } from './documents.ts';
import { lineAt } from './pieces.ts';
import { placeOf, prototype, type TextPlace } from './text.ts';

/** The longest match that is found, in characters. */
const reach = 65_536;
const before = 256;
const mostMatches = 100_000;
const nativeExec = RegExp.prototype.exec;

const size = ({ from, to }: TextPlace) => to - from;

function readPart({ from, isFolded }: TextPlace, start: number, end: number): string {
  const part = host.slice(from + start, from + end);
  return isFolded ? part.toLowerCase() : part;
}

const copies = new WeakMap<RegExp, RegExp>();
function globalCopy(pattern: RegExp): RegExp {
  const copy = copies.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  copies.set(pattern, copy);
  return copy;
}

/** The stretch that was searched last: the next match is often in it. */
let stretch = { key: '', base: 0, end: 0, text: '' };

/** Returns a stretch to search from an offset on, and where to begin; null where there is no match. */
function stretchFrom(place: TextPlace, pattern: RegExp, at: number): { start: number } | null {
  const length = size(place);
  const key = `${place.from} ${place.to} ${place.isFolded}`;
  const isBefore = stretch.base === 0 || at >= stretch.base + before;
  const isInside = isBefore && at >= stretch.base && (at < stretch.end - reach || stretch.end === length);
  if (stretch.key === key && isInside && at <= stretch.end) return { start: at };
  const hit = host.candidate(pattern.source, pattern.ignoreCase || place.isFolded ? 1 : 0, place.from + at, place.to);
  if (hit === -1) return null;
  const start = hit === -2 ? at : Math.max(at, hit - place.from - reach);
  const end = Math.min(length, (hit === -2 ? start + 4 * reach : hit - place.from) + 4 * reach);
  const base = Math.max(0, start - before);
  stretch = { key, base, end, text: readPart(place, base, end) };
  return { start };
}

/** Returns the first match at or after an offset. */
function find(place: TextPlace, pattern: RegExp, from: number): RegExpExecArray | null {
  const copy = globalCopy(pattern);
  for (let at = from; at <= size(place); ) {
    const where = stretchFrom(place, pattern, at);
    if (where === null) return null;
    const { base, end, text } = stretch;
    copy.lastIndex = where.start - base;
    const match = nativeExec.call(copy, text);
    if (match !== null) match.index += base;
    if (end === size(place) || (match !== null && match.index < end - reach)) return match;
    at = end - reach;
  }
  return null;
}

function* findAll(place: TextPlace, pattern: RegExp): Generator<RegExpExecArray> {
  for (let at = 0; at <= size(place); ) {
    const match = find(place, pattern, at);
    if (match === null) return;
    yield match;
    at = match.index + Math.max(1, match[0].length);
  }
}

const toPattern = (pattern: unknown, flags = ''): RegExp =>
  pattern instanceof RegExp ? pattern : new RegExp(String(pattern), flags);

/** Makes a regular expression's methods take a text instead of a string. */
RegExp.prototype.exec = function (this: RegExp, input: unknown) {
  const place = typeof input === 'string' ? null : placeOf(input);
  if (place === null) return nativeExec.call(this, input as string);
  const isKept = this.global || this.sticky;
  const match = find(place, this, isKept ? this.lastIndex : 0);
  if (isKept) this.lastIndex = match === null ? 0 : match.index + match[0].length;
  return match;
};

const nativeTest = RegExp.prototype.test;
RegExp.prototype.test = function (this: RegExp, input: unknown) {
  return placeOf(input) === null ? nativeTest.call(this, input as string) : this.exec(input as string) !== null;
};

function search(this: unknown, pattern: unknown) {
  return find(placeOf(this)!, toPattern(pattern), 0)?.index ?? -1;
}

function match(this: unknown, pattern: unknown) {
  const expression = toPattern(pattern);
  if (!expression.global) return find(placeOf(this)!, expression, 0);
  const found: string[] = [];
  for (const [match] of findAll(placeOf(this)!, expression)) {
    found.push(match!);
    if (found.length >= mostMatches) throw new RangeError(`there are more than ${mostMatches} matches: use matchAll`);
  }
  return found.length === 0 ? null : found;
}

function matchAll(this: unknown, pattern: unknown) {
  return findAll(placeOf(this)!, toPattern(pattern, 'g'));
}

/** Returns the line of an offset of the whole text, and the name of its document. */
function whereIs(offset: number): { line: number; document: string } {
  const { name, from } = documentAt(offset);
  return { line: lineAt(offset, from), document: name };
}

const escaped = (words: string) => words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Returns the lines that match, each once; words match in any case. */
function grep(this: unknown, pattern: unknown, most = 50) {
  const place = placeOf(this)!;
  const expression = pattern instanceof RegExp ? pattern : new RegExp(escaped(String(pattern)), 'i');
  const found: { line: number; document: string; index: number; text: string }[] & { more?: boolean } = [];
  for (let at = 0; ; ) {
    const match = find(place, expression, at);
    if (match === null) break;
    if (found.length >= most) {
      found.more = true;
      break;
    }
    const feed = host.indexOf('\n', place.from + match.index, place.to, 0);
    const end = feed < 0 ? size(place) : feed - place.from;
    const start = host.lastIndexOf(
      '\n',
      Math.max(place.from, place.from + match.index - 500),
      place.from + match.index,
      0,
    );
    const first = start < 0 ? Math.max(0, match.index - 500) : start + 1 - place.from;
    found.push({
      ...whereIs(place.from + match.index),
      index: match.index,
      text: readPart(place, first, Math.min(end, match.index + 1_000)),
    });
    at = end + 1;
  }
  return found;
}

/** Gives the guest's texts the search for regular expressions. */
export function defineMatches(): void {
  Object.assign(prototype, { search, match, matchAll, grep });
}
