import { documentAt, partsOf } from './documents.ts';
import { createHit, type Hit } from './hits.ts';
import { lineAround } from './pieces.ts';
import { lengthOf, placeOf, prototype, readPart, type TextPlace } from './text.ts';

/** Length of the longest match that can be found, in characters. */
const reach = 65_536;
/** Characters before the searched part that are loaded for look-behind and `\b`. */
const before = 256;
const mostMatches = 100_000;
const nativeExec = RegExp.prototype.exec;

const copies = new WeakMap<RegExp, RegExp>();
/** Returns a global copy of a pattern. In it, `^` and `$` match at the start and end of each line. */
function globalCopy(pattern: RegExp): RegExp {
  const copy = copies.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags.replace(/[gmy]/g, '')}gm`);
  copies.set(pattern, copy);
  return copy;
}

let stretch = { key: '', base: 0, end: 0, text: '' };

/** Loads the next text to search into `stretch`. Returns the offset to search from; null if nothing can match. */
function stretchFrom(place: TextPlace, pattern: RegExp, at: number): number | null {
  const length = lengthOf(place);
  const key = `${place.from} ${place.to} ${place.isFolded}`;
  const hasBefore = stretch.base === 0 || at >= stretch.base + before;
  const isInside = hasBefore && at >= stretch.base && (at < stretch.end - reach || stretch.end === length);
  if (stretch.key === key && isInside && at <= stretch.end) return at;
  const hit = host.firstCandidate(
    pattern.source,
    pattern.ignoreCase || place.isFolded ? 1 : 0,
    place.from + at,
    place.to,
  );
  if (hit === -1) return null;
  const start = hit === -2 ? at : Math.max(at, hit - place.from - reach);
  const end = Math.min(length, (hit === -2 ? start + 4 * reach : hit - place.from) + 4 * reach);
  const base = Math.max(0, start - before);
  stretch = { key, base, end, text: readPart(place, base, end) };
  return start;
}

function find(place: TextPlace, pattern: RegExp, from: number): RegExpExecArray | null {
  const copy = globalCopy(pattern);
  for (let at = from; at <= lengthOf(place); ) {
    const start = stretchFrom(place, pattern, at);
    if (start === null) return null;
    const { base, end, text } = stretch;
    copy.lastIndex = start - base;
    const match = nativeExec.call(copy, text);
    if (match !== null) match.index += base;
    if (end === lengthOf(place) || (match !== null && match.index < end - reach)) return match;
    at = end - reach;
  }
  return null;
}

function* findAll(place: TextPlace, pattern: RegExp): Generator<RegExpExecArray> {
  for (let at = 0; at <= lengthOf(place); ) {
    const match = find(place, pattern, at);
    if (match === null) return;
    yield match;
    at = match.index + Math.max(1, match[0].length);
  }
}

const toPattern = (pattern: unknown, flags = ''): RegExp =>
  pattern instanceof RegExp ? pattern : new RegExp(String(pattern), flags);

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

const escaped = (words: string) => words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `around`: number of context lines on each side; `path`: a document, folder or glob. */
interface GrepOptions {
  readonly most?: number;
  readonly skip?: number;
  readonly around?: number;
  readonly path?: string;
}

const longestAround = 400;
const mostAround = 50;

/** Returns lines near the offset `first`, in text order. `step`: 1 for the lines after it, -1 for those before it. */
function neighbours(first: number, count: number, step: 1 | -1): string[] {
  const { from, to } = documentAt(first);
  const lines: string[] = [];
  for (let at = first; lines.length < count; ) {
    const { start, end } = lineAround(at);
    at = step === 1 ? end + 1 : start - 1;
    if (at < from || at >= to) break;
    const next = lineAround(at);
    lines.push(host.slice(next.start, Math.min(next.end, next.start + longestAround)));
  }
  return step === 1 ? lines : lines.reverse();
}

function hitAt(place: TextPlace, offset: number, around: number): Hit {
  const { line, start, end } = lineAround(offset);
  const [from, to] = [Math.max(place.from, start, offset - 500), Math.min(place.to, end, offset + 1_000)];
  const { name: document } = documentAt(offset);
  const text = readPart({ ...place, from: 0 }, from, to);
  const hit = { document, line, index: offset - place.from, text };
  const span = { from, to, at: offset - from };
  if (around === 0) return createHit(hit, span);
  const more = { before: neighbours(offset, around, -1), after: neighbours(offset, around, 1) };
  return createHit({ ...hit, ...more }, span);
}

/** Creates the test for lines. Words match in any case. A line must contain every word of a list. */
function testOf(pattern: unknown): { expression: RegExp; accepts(line: string): boolean } {
  if (pattern instanceof RegExp) return { expression: pattern, accepts: () => true };
  const words = (Array.isArray(pattern) ? pattern : [pattern]).map((one) => String(one).toLowerCase());
  const longest = words.reduce((long, one) => (one.length > long.length ? one : long), '');
  return {
    expression: new RegExp(escaped(longest), 'i'),
    accepts: (line) => words.every((word) => line.toLowerCase().includes(word)),
  };
}

function grep(this: unknown, pattern: unknown, given: number | GrepOptions = {}) {
  const place = placeOf(this)!;
  const { most = 50, skip = 0, around = 0, path } = typeof given === 'number' ? { most: given } : (given ?? {});
  const { expression, accepts } = testOf(pattern);
  const found: Hit[] & { more?: boolean } = [];
  let seen = 0;
  for (const part of partsOf(place, path)) {
    for (let at = 0; at <= lengthOf(part); ) {
      const match = find(part, expression, at);
      if (match === null) break;
      const offset = part.from + match.index;
      const { start, end } = lineAround(offset);
      at = end + 1 - part.from;
      if (!accepts(Array.isArray(pattern) ? host.slice(start, end) : match[0]) || ++seen <= skip) continue;
      if (found.length >= most) return Object.assign(found, { more: true });
      found.push(hitAt(place, offset, Math.min(mostAround, Math.max(0, Math.trunc(around) || 0))));
    }
  }
  return found;
}

export function defineMatches(): void {
  Object.assign(prototype, { search, match, matchAll, grep });
}
