/** The guest's texts behave like strings. A part of a text is copied only when code reads that part. */
import { lower } from '../../base/text.ts';

/** The place of a guest's text in the whole text. `isFolded`: whether the text is read in lower case. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
  readonly isFolded: boolean;
  readonly name: string;
}

/** Length of the longest text that is copied as one string, in characters. */
export const mostWhole = 1_048_576;
const mostShown = 200;
const shownLength = 262_144;
const places = new WeakMap<object, TextPlace>();
const wholes = new Map<string, string>();
/**
 * The recently read strings with their places, newest last. If a prompt contains one of the strings, the prompt is
 * assumed to quote the place of that string.
 */
export const shown: (Pick<TextPlace, 'from' | 'to'> & { readonly string: string })[] = [];
export const prototype: object = {};

export const lengthOf = ({ from, to }: Pick<TextPlace, 'from' | 'to'>): number => to - from;

/** Returns the place of a text; null for any other value. */
export const placeOf = (value: unknown): TextPlace | null => places.get(value as object) ?? null;

function note(string: string, from: number, to: number): void {
  if (string.length < 40 || string.length > shownLength) return;
  shown.push({ string, from, to });
  if (shown.length > mostShown) shown.shift();
}

/** Returns a part as a string. */
export function readPart({ from, isFolded }: TextPlace, start: number, end: number): string {
  const part = host.slice(from + start, from + end);
  return isFolded ? lower(part) : part;
}

/** Returns a part as a string, and records it in `shown`. */
export function read(place: TextPlace, start: number, end: number): string {
  const part = readPart(place, start, end);
  if (!place.isFolded) note(part, place.from + start, place.from + end);
  return part;
}

/** Returns a whole text as a string. Throws RangeError if it is too long. */
export function wholeOf(place: TextPlace): string {
  const length = lengthOf(place);
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

/** Returns the character at an offset; undefined if the text has no such offset. */
export function characterAt(place: TextPlace, index: number): string | undefined {
  return index >= 0 && index < lengthOf(place) ? readPart(place, index, index + 1) : undefined;
}

const handler = {
  get(target: object, key: string | symbol, receiver: unknown) {
    if (typeof key === 'string' && /^\d+$/.test(key)) return characterAt(places.get(target)!, Number(key));
    return Reflect.get(target, key, receiver);
  },
};

export function create(place: TextPlace): object {
  const target = Object.create(prototype);
  const text = new Proxy(target, handler);
  places.set(target, place);
  places.set(text, place);
  return text;
}
