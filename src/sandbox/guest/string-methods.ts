import { characterAt, create, lengthOf, placeOf, prototype, read, readPart, type TextPlace, wholeOf } from './text.ts';

const mostPart = 4_194_304;

function own(self: unknown): TextPlace {
  const place = placeOf(self);
  if (place === null) throw new TypeError('this is no text');
  return place;
}

const whole = (value: unknown): number => Math.trunc(Number(value)) || 0;

/** Reads an offset as String.prototype.slice does. */
function offset(value: unknown, length: number, missing: number): number {
  if (value === undefined) return missing;
  return whole(value) < 0 ? Math.max(0, length + whole(value)) : Math.min(length, whole(value));
}

/** Reads an offset as `substring` does: a negative offset becomes 0. */
const clamped = (value: unknown, length: number): number => Math.min(length, Math.max(0, whole(value)));

function part(place: TextPlace, start: number, end: number): unknown {
  if (end <= start) return '';
  if (end - start <= mostPart) return read(place, start, end);
  return create({ ...place, from: place.from + start, to: place.from + end });
}

const parts = {
  slice(from?: unknown, to?: unknown) {
    const place = own(this);
    const length = lengthOf(place);
    return part(place, offset(from, length, 0), offset(to, length, length));
  },
  substring(from?: unknown, to?: unknown) {
    const place = own(this);
    const length = lengthOf(place);
    const bounds = [from, to === undefined ? length : to].map((at) => clamped(at, length));
    return part(place, Math.min(...bounds), Math.max(...bounds));
  },
  substr(from?: unknown, count?: unknown) {
    const place = own(this);
    const length = lengthOf(place);
    const start = offset(from, length, 0);
    return part(place, start, count === undefined ? length : Math.min(length, start + Math.max(0, Number(count) || 0)));
  },
  at(index: unknown) {
    const place = own(this);
    return characterAt(place, whole(index) < 0 ? lengthOf(place) + whole(index) : whole(index));
  },
  charAt(index: unknown): string {
    return characterAt(own(this), whole(index)) ?? '';
  },
  charCodeAt(index: unknown) {
    return this.charAt(index).charCodeAt(0);
  },
  startsWith(words: unknown, from?: unknown) {
    const place = own(this);
    const length = lengthOf(place);
    const start = clamped(from, length);
    return readPart(place, start, Math.min(length, start + String(words).length)) === String(words);
  },
  endsWith(words: unknown, to?: unknown) {
    const place = own(this);
    const end = clamped(to === undefined ? lengthOf(place) : to, lengthOf(place));
    return readPart(place, Math.max(0, end - String(words).length), end) === String(words);
  },
};

function folded(this: unknown) {
  return create({ ...own(this), isFolded: true });
}

const searches = {
  indexOf(words: unknown, from?: unknown) {
    const place = own(this);
    const start = place.from + clamped(from, lengthOf(place));
    const found = host.indexOf(String(words), start, place.to, place.isFolded ? 1 : 0);
    return found < 0 ? -1 : found - place.from;
  },
  lastIndexOf(words: unknown, from?: unknown) {
    const place = own(this);
    const last = from === undefined ? place.to : place.from + Math.max(0, Number(from) || 0) + String(words).length;
    const found = host.lastIndexOf(String(words), place.from, Math.min(place.to, last), place.isFolded ? 1 : 0);
    return found < 0 ? -1 : found - place.from;
  },
  includes(words: unknown, from?: unknown): boolean {
    return this.indexOf(words, from) >= 0;
  },
  toLowerCase: folded,
  toLocaleLowerCase: folded,
};

/** Defines the string methods that neither `parts` nor `searches` has. They copy the text, so it must be short. */
function defineOthers(): void {
  const strings = String.prototype as unknown as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(strings)) {
    const method = strings[name];
    if (name === 'constructor' || typeof method !== 'function' || Object.hasOwn(prototype, name)) continue;
    const onWhole = function (this: unknown, ...args: unknown[]) {
      return Reflect.apply(method, wholeOf(own(this)), args);
    };
    Object.assign(prototype, { [name]: onWhole });
  }
  const toWhole = function (this: unknown) {
    return wholeOf(own(this));
  };
  Object.assign(prototype, {
    ...{ toString: toWhole, valueOf: toWhole, toJSON: toWhole, [Symbol.toPrimitive]: toWhole },
    *[Symbol.iterator](this: unknown) {
      const place = own(this);
      for (let at = 0; at < lengthOf(place); at += 65_536)
        yield* read(place, at, Math.min(lengthOf(place), at + 65_536));
    },
  });
}

export function defineStringMethods(): void {
  Object.assign(prototype, parts, searches);
  const length = function (this: unknown) {
    return lengthOf(own(this));
  };
  const name = function (this: unknown) {
    return own(this).name;
  };
  Object.defineProperties(prototype, { length: { get: length }, name: { get: name } });
  defineOthers();
}
