/** The methods of strings, for the guest's texts. */
import { characterAt, create, placeOf, prototype, read, type TextPlace, wholeOf } from './text.ts';

const mostPart = 4_194_304;

const own = (self: unknown): TextPlace => {
  const place = placeOf(self);
  if (place === null) throw new TypeError('this is no text');
  return place;
};

/** Reads an offset as String.prototype.slice does. */
function offset(value: unknown, length: number, missing: number): number {
  if (value === undefined) return missing;
  const number = Math.trunc(Number(value)) || 0;
  return number < 0 ? Math.max(0, length + number) : Math.min(length, number);
}

function part(place: TextPlace, start: number, end: number): unknown {
  if (end <= start) return '';
  if (end - start <= mostPart) return read(place, start, end);
  return create({ ...place, from: place.from + start, to: place.from + end });
}

function defineParts(): void {
  prototype.slice = function (this: unknown, from?: unknown, to?: unknown) {
    const place = own(this);
    const length = place.to - place.from;
    return part(place, offset(from, length, 0), offset(to, length, length));
  };
  prototype.substring = function (this: unknown, from?: unknown, to?: unknown) {
    const place = own(this);
    const length = place.to - place.from;
    const bound = (value: unknown, missing: number) =>
      value === undefined ? missing : Math.min(length, Math.max(0, Math.trunc(Number(value)) || 0));
    const [a, b] = [bound(from, 0), bound(to, length)];
    return part(place, Math.min(a, b), Math.max(a, b));
  };
  prototype.substr = function (this: unknown, from?: unknown, count?: unknown) {
    const place = own(this);
    const length = place.to - place.from;
    const start = offset(from, length, 0);
    return part(place, start, count === undefined ? length : Math.min(length, start + Math.max(0, Number(count) || 0)));
  };
  prototype.at = function (this: unknown, index: unknown) {
    const place = own(this);
    const number = Math.trunc(Number(index)) || 0;
    return characterAt(place, number < 0 ? place.to - place.from + number : number);
  };
  prototype.charAt = function (this: unknown, index: unknown) {
    return characterAt(own(this), Math.trunc(Number(index)) || 0) ?? '';
  };
  prototype.charCodeAt = function (this: unknown, index: unknown) {
    return (characterAt(own(this), Math.trunc(Number(index)) || 0) ?? '').charCodeAt(0);
  };
  prototype.startsWith = function (this: unknown, words: unknown, from?: unknown) {
    const place = own(this);
    const start = offset(from, place.to - place.from, 0);
    return (
      host.slice(place.from + start, Math.min(place.to, place.from + start + String(words).length)) === String(words)
    );
  };
  prototype.endsWith = function (this: unknown, words: unknown) {
    const place = own(this);
    return host.slice(Math.max(place.from, place.to - String(words).length), place.to) === String(words);
  };
}

function defineSearches(): void {
  prototype.indexOf = function (this: unknown, words: unknown, from?: unknown) {
    const place = own(this);
    const start = Math.min(place.to, place.from + Math.max(0, Math.trunc(Number(from)) || 0));
    const found = host.indexOf(String(words), start, place.to, place.isFolded ? 1 : 0);
    return found < 0 ? -1 : found - place.from;
  };
  prototype.lastIndexOf = function (this: unknown, words: unknown, from?: unknown) {
    const place = own(this);
    const last = from === undefined ? place.to : place.from + Math.max(0, Number(from) || 0) + String(words).length;
    const found = host.lastIndexOf(String(words), place.from, Math.min(place.to, last), place.isFolded ? 1 : 0);
    return found < 0 ? -1 : found - place.from;
  };
  prototype.includes = function (
    this: { indexOf(words: unknown, from: unknown): number },
    words: unknown,
    from?: unknown,
  ) {
    return this.indexOf(words, from) >= 0;
  };
  prototype.toLowerCase = function (this: unknown) {
    return create({ ...own(this), isFolded: true });
  };
  prototype.toLocaleLowerCase = prototype.toLowerCase;
  Object.defineProperty(prototype, 'length', {
    get(this: unknown) {
      const place = own(this);
      return place.to - place.from;
    },
  });
  Object.defineProperty(prototype, 'name', {
    get(this: unknown) {
      return own(this).name;
    },
  });
}

/** All other methods of strings work on texts that are short enough to be copied. */
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
  const characters = function* (this: unknown) {
    const place = own(this);
    for (let at = 0; at < place.to - place.from; at += 65_536) {
      yield* read(place, at, Math.min(place.to - place.from, at + 65_536));
    }
  };
  Object.assign(prototype, {
    toString: toWhole,
    valueOf: toWhole,
    toJSON: toWhole,
    [Symbol.toPrimitive]: toWhole,
    [Symbol.iterator]: characters,
  });
}

/** Gives the guest's texts the methods of strings. */
export function defineStringMethods(): void {
  defineParts();
  defineSearches();
  defineOthers();
}
