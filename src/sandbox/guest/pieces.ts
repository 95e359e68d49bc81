import { firstWhere } from '../../base/arrays.ts';
import { documentAt } from './documents.ts';
import { lengthOf, mostWhole, placeOf, prototype, read, readPart, type TextPlace, wholeOf } from './text.ts';

const block = 262_144;

/** The starts and ends of pieces, as offsets within `place`. */
interface Bounds {
  readonly place: TextPlace;
  readonly length: number;
  start(index: number): number;
  end(index: number): number;
}

const partOf = ({ place, start, end }: Bounds, from: number, to: number): Bounds => ({
  place,
  length: to - from,
  start: (index) => start(from + index),
  end: (index) => end(from + index),
});

function createReader({ place, start: startOf, end: endOf }: Bounds): (index: number) => string {
  let [from, to] = [0, 0];
  let text = '';
  return (index) => {
    const [start, end] = [startOf(index), endOf(index)];
    if (start < from || end > to) {
      from = start;
      to = Math.min(lengthOf(place), Math.max(end, start + block));
      text = readPart(place, from, to);
    }
    return text.slice(start - from, end - from);
  };
}

const indexIn = (key: string | symbol): number | null =>
  typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : null;

type VisitItem = (item: string, index: number) => unknown;

/** Creates an array that reads its items when they are used, and throws on a write. */
function createList(bounds: Bounds): unknown {
  const { place, length, start, end } = bounds;
  const item = createReader(bounds);
  const shownItem = (index: number) =>
    index >= 0 && index < length ? read(place, start(index), end(index)) : undefined;

  function* values() {
    for (let index = 0; index < length; index++) yield item(index);
  }
  function eachItem(visit: VisitItem): void {
    for (let index = 0; index < length; index++) visit(item(index), index);
  }
  const own: Record<string | symbol, unknown> = {
    [Symbol.iterator]: values,
    values,
    at: (index: number) => shownItem(index < 0 ? length + index : index),
    forEach: eachItem,
    map: (change: VisitItem) => Array.from({ length }, (_, index) => change(item(index), index)),
    filter(accepts: VisitItem) {
      const kept: string[] = [];
      eachItem((one, index) => accepts(one, index) && kept.push(one));
      return kept;
    },
    slice(from?: number, to?: number) {
      const bound = (value: number | undefined, missing: number) =>
        value === undefined ? missing : value < 0 ? Math.max(0, length + value) : Math.min(length, value);
      const [first, last] = [bound(from, 0), bound(to, length)];
      if (last <= first) return [];
      const list = createList(partOf(bounds, first, last));
      if (end(last - 1) - start(first) > mostWhole) return list;
      // Records the items as one place, since a prompt may join adjacent items.
      read(place, start(first), end(last - 1));
      return Array.from(list as Iterable<string>);
    },
  };
  return new Proxy([] as unknown[], {
    get(target, key, receiver) {
      if (key === 'length') return length;
      const index = indexIn(key);
      if (index !== null) return shownItem(index);
      return Object.hasOwn(own, key) ? own[key] : Reflect.get(target, key, receiver);
    },
    has(target, key) {
      const index = indexIn(key);
      return index === null ? Reflect.has(target, key) : index < length;
    },
    set() {
      throw new TypeError(
        'this list is made of the text and cannot be changed; copy it first: [...list.slice(0, 100)]',
      );
    },
  });
}

const feedsBefore = (feeds: Float64Array, offset: number): number =>
  firstWhere(0, feeds.length, (index) => feeds[index]! >= offset);

let known: Float64Array | null = null;
function lineFeeds(): Float64Array {
  known ??= new Float64Array(host.lineFeeds());
  return known;
}

function linesOf(place: TextPlace): Bounds {
  const feeds = lineFeeds();
  const [first, last] = [feedsBefore(feeds, place.from), feedsBefore(feeds, place.to)];
  return {
    place,
    length: last - first + 1,
    start: (index) => (index === 0 ? 0 : feeds[first + index - 1]! + 1 - place.from),
    end: (index) => (index === last - first ? place.to : feeds[first + index]!) - place.from,
  };
}

function wholeLines(place: TextPlace): Bounds {
  const bounds = linesOf(place);
  const last = bounds.length - 1;
  return last > 0 && bounds.start(last) === bounds.end(last) ? partOf(bounds, 0, last) : bounds;
}

function listOf(bounds: Bounds): unknown {
  const list = createList(bounds);
  return lengthOf(bounds.place) <= mostWhole ? Array.from(list as Iterable<string>) : list;
}

function lines(this: unknown, first?: number, last?: number) {
  const place = placeOf(this)!;
  const bounds = wholeLines(place);
  if (first === undefined) return listOf(bounds);
  const from = Math.max(1, Math.trunc(first)) - 1;
  const to = Math.min(bounds.length, last === undefined ? bounds.length : Math.trunc(last));
  if (to <= from) return [];
  const list = createList(bounds) as unknown[];
  return list.slice(from, to);
}

function chunks(this: unknown, chunkSize?: number, overlap?: number) {
  const place = placeOf(this)!;
  const wanted = Math.max(1, Math.trunc(chunkSize ?? 20_000));
  const shared = Math.min(wanted - 1, Math.max(0, Math.trunc(overlap ?? 0)));
  const pairs = new Float64Array(host.pieces(place.from, place.to, wanted, shared));
  return createList({
    place,
    length: pairs.length / 2,
    start: (index) => pairs[2 * index]! - place.from,
    end: (index) => pairs[2 * index + 1]! - place.from,
  });
}

function between(place: TextPlace, matches: Iterable<readonly [number, number]>): Bounds {
  const mostPieces = 2_000_000;
  const starts = [0];
  const ends: number[] = [];
  for (const [from, to] of matches) {
    ends.push(from);
    starts.push(to);
    if (starts.length > mostPieces)
      throw new RangeError(`that makes more than ${mostPieces} pieces: split a part of it`);
  }
  ends.push(lengthOf(place));
  return { place, length: starts.length, start: (index) => starts[index]!, end: (index) => ends[index]! };
}

function* placesOf(words: string, place: TextPlace): Generator<readonly [number, number]> {
  for (let at = place.from; ; at += words.length) {
    at = host.indexOf(words, at, place.to, place.isFolded ? 1 : 0);
    if (at < 0) return;
    yield [at - place.from, at - place.from + words.length];
  }
}

export interface Searched {
  matchAll(pattern: RegExp): Iterable<RegExpMatchArray>;
}

function* matchesOf(text: Searched, { source, flags }: RegExp): Generator<readonly [number, number]> {
  for (const { 0: match, index } of text.matchAll(new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)))
    if (match !== '') yield [index!, index! + match.length];
}

function split(this: Searched, by?: unknown, limit?: number) {
  const place = placeOf(this)!;
  if (by === undefined || by === '' || lengthOf(place) <= mostWhole) return wholeOf(place).split(by as string, limit);
  const matches = by instanceof RegExp ? matchesOf(this, by) : placesOf(String(by), place);
  const list = createList(by === '\n' ? linesOf(place) : between(place, matches)) as unknown[];
  return limit === undefined ? list : list.slice(0, limit);
}

/** Returns the line at an offset of the whole text. `line` counts from 1 in its document. */
export function lineAround(offset: number): { readonly line: number; readonly start: number; readonly end: number } {
  const feeds = lineFeeds();
  const index = feedsBefore(feeds, offset);
  const { from, to } = documentAt(offset);
  const start = Math.max(from, index === 0 ? 0 : feeds[index - 1]! + 1);
  return { line: index - feedsBefore(feeds, from) + 1, start, end: Math.min(to, feeds[index] ?? host.length()) };
}

/** Returns the range of lines of a document, without the last line feed. Lines count from 1. */
export function rangeOfLines({ from, to }: Pick<TextPlace, 'from' | 'to'>, startLine: number, endLine: number) {
  const feeds = lineFeeds();
  const first = feedsBefore(feeds, from);
  return {
    from: startLine === 1 ? from : Math.min(to, feeds[first + startLine - 2]! + 1),
    to: Math.min(to, feeds[first + endLine - 1] ?? to),
  };
}

export function definePieces(): void {
  Object.assign(prototype, { lines, chunks, split });
}
