import type { HostFunctions } from './host-functions.ts';

/** The place of a text of the guest in the whole; `isFolded`: it is read in lower case. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
  readonly isFolded: boolean;
  readonly name: string;
}

/** The stretches of the text that were shown lately: a prompt that contains one is about that place. */
interface Shown {
  readonly string: string;
  readonly from: number;
  readonly to: number;
}

/** The methods of texts: those of strings, and more. */
type TextMethods = Record<
  | 'slice'
  | 'substring'
  | 'substr'
  | 'at'
  | 'charAt'
  | 'charCodeAt'
  | 'startsWith'
  | 'endsWith'
  | 'indexOf'
  | 'lastIndexOf'
  | 'includes'
  | 'toLowerCase'
  | 'toLocaleLowerCase'
  | 'search'
  | 'match'
  | 'matchAll'
  | 'grep'
  | 'lines'
  | 'chunks'
  | 'split',
  unknown
>;

export interface GuestText {
  create(place: TextPlace): object;
  /** Returns the place of a text; null for any other value. */
  placeOf(value: unknown): TextPlace | null;
  /** Returns a part as a string; offsets are within the place. */
  read(place: TextPlace, from: number, to: number): string;
  /** Returns all of it as a string. Throws RangeError, with what to do instead, where it is too long. */
  whole(place: TextPlace): string;
  readonly shown: Shown[];
  readonly prototype: TextMethods;
  readonly mostWhole: number;
}

/**
 * Makes the texts of the guest: like strings of which only the parts in use are copied. This function runs inside the
 * sandbox, from its own source, and uses nothing outside itself.
 */
export function defineText(host: HostFunctions): GuestText {
  const mostWhole = 1_048_576;
  const mostPart = 4_194_304;
  const mostShown = 200;
  const shownLength = 262_144;
  const places = new WeakMap<object, TextPlace>();
  const wholes = new Map<string, string>();
  const shown: Shown[] = [];
  const prototype = {} as TextMethods;

  function placeOf(value: unknown): TextPlace | null {
    return typeof value === 'object' && value !== null ? (places.get(value) ?? null) : null;
  }

  function note(string: string, from: number, to: number): void {
    if (string.length < 40 || string.length > shownLength) return;
    shown.push({ string, from, to });
    if (shown.length > mostShown) shown.shift();
  }

  function read({ from, isFolded }: TextPlace, start: number, end: number): string {
    const part = host.slice(from + start, from + end);
    if (!isFolded) note(part, from + start, from + end);
    return isFolded ? part.toLowerCase() : part;
  }

  function whole(place: TextPlace): string {
    const length = place.to - place.from;
    if (length > mostWhole) {
      throw new RangeError(
        `"${place.name}" has ${length} characters, too many to be used as one string (at most ${mostWhole}). ` +
          'Take a part: slice(from, to), lines(first, last), chunks(size). Or look for something: grep(pattern), ' +
          'indexOf(words), matchAll(pattern), split("\\n").',
      );
    }
    const key = `${place.from} ${place.to} ${place.isFolded}`;
    const known = wholes.get(key);
    if (known !== undefined) return known;
    const made = read(place, 0, length);
    if (wholes.size > 8) wholes.clear();
    wholes.set(key, made);
    return made;
  }

  function characterAt(place: TextPlace, index: number): string | undefined {
    return index < place.to - place.from ? host.slice(place.from + index, place.from + index + 1) : undefined;
  }

  const handler = {
    get(target: object, key: string | symbol, receiver: unknown) {
      if (typeof key === 'string' && /^\d+$/.test(key)) return characterAt(places.get(target)!, Number(key));
      return Reflect.get(target, key, receiver);
    },
  };

  function create(place: TextPlace): object {
    const target = Object.create(prototype);
    const text = new Proxy(target, handler);
    places.set(target, place);
    places.set(text, place);
    return text;
  }

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
      return part(
        place,
        start,
        count === undefined ? length : Math.min(length, start + Math.max(0, Number(count) || 0)),
      );
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
        return Reflect.apply(method, whole(own(this)), args);
      };
      Object.assign(prototype, { [name]: onWhole });
    }
    const toWhole = function (this: unknown) {
      return whole(own(this));
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

  defineParts();
  defineSearches();
  defineOthers();
  return { create, placeOf, read, whole, shown, prototype, mostWhole };
}
