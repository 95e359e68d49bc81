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
  /** Returns the character at an offset within the place; undefined behind its end. */
  characterAt(place: TextPlace, index: number): string | undefined;
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

  return { create, placeOf, read, whole, characterAt, shown, prototype, mostWhole };
}
