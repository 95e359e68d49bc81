import { jsonrepair } from 'jsonrepair';
import { isObject } from '../../base/is-object.ts';
import { stringOrNumber } from '../../base/json-literals.ts';
import type { Field, Fields } from './fields.ts';
import { fieldsByName, plainName } from './labelled-reply.ts';

const special = /[{}[\]"\\]/g;

/**
 * Finds the outermost objects and arrays of a text in linear time. `closed` contains the complete ones. `open` is an
 * object or array whose end is missing, from its start to the end of the text; null if there is none.
 */
export function topLevelValues(text: string) {
  const closed: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  special.lastIndex = 0;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const [sign] = match;
    if (sign === '\\') special.lastIndex += inString ? 1 : 0;
    else if (sign === '"') inString = depth > 0 && !inString;
    else if (inString) continue;
    else if (sign === '{' || sign === '[') {
      if (depth === 0) start = match.index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) closed.push(text.slice(start, match.index + 1));
    }
  }
  return { closed, open: depth > 0 ? text.slice(start) : null };
}

/** A reply read as JSON, by field name. */
export interface JsonReply {
  readonly values: Readonly<Record<string, unknown>>;
  readonly mended: boolean;
  /** Whether the JSON is embedded in other text. */
  readonly embedded: boolean;
}

type Values = Record<string, unknown>;

const readerOf = (fields: Fields) => ({ fields, names: fieldsByName(fields) });
type Reader = ReturnType<typeof readerOf>;

/** Picks the values of fields from an object. A field's own name takes precedence over its aliases. */
function named({ names }: Reader, object: object): Values {
  const picked: Values = {};
  const own = new Set<string>();
  for (const [key, value] of Object.entries(object)) {
    const found = names.get(plainName(key));
    if (found === undefined || (found.field in picked && (!found.isOwn || own.has(found.field)))) continue;
    picked[found.field] = value;
    if (found.isOwn) own.add(found.field);
  }
  return picked;
}

/** Whether each picked field is a text field with an object (or its JSON) as value: `{"response": {"answer": …}}`. */
const isWrapper = ({ fields }: Reader, picked: Values) =>
  Object.entries(picked).every(([name, value]) => fields[name]!.kind === 'text' && isObject(unquoted(value)));

const unquoted = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value;
  const inner = tryParse(value);
  return isObject(inner) ? inner : value;
};

function fromObject(reader: Reader, object: object, mayDescend = true): Values | null {
  const picked = named(reader, object);
  const isUsable = Object.keys(picked).length > 0;
  if (isUsable && !isWrapper(reader, picked)) return picked;
  const inner = Object.values(object).map(unquoted).filter(isObject);
  const [only] = inner;
  const found = mayDescend && inner.length === 1 && only ? fromObject(reader, only, false) : null;
  return found ?? (isUsable && Object.values(picked).some((value) => typeof value === 'string') ? picked : null);
}

function onlyList({ fields }: Reader): string | null {
  const [only, ...others] = Object.entries(fields).filter(([, field]) => field.required);
  return only && others.length === 0 && (only[1].kind === 'questions' || only[1].kind === 'list') ? only[0] : null;
}

/**
 * If the only required field is a list, and no value contains it as a list, reads the values as the items of the list.
 * Otherwise reads each value as a reply, and returns the last usable reply.
 */
function fromMany(reader: Reader, values: readonly unknown[]): Values | null {
  const list = onlyList(reader);
  const replies = values.map((value) => (isObject(value) ? fromObject(reader, value) : null));
  if (list !== null && !replies.some((reply) => Array.isArray(reply?.[list]))) return { [list]: values };
  return replies.findLast((reply) => reply !== null) ?? null;
}

function fromValue(reader: Reader, value: unknown): Values | null {
  if (Array.isArray(value)) return fromMany(reader, value);
  return isObject(value) ? fromObject(reader, value) : null;
}

/** Parses JSON; undefined if it is invalid. */
export function tryParse(text: string, prepare = (json: string) => json): unknown {
  try {
    return JSON.parse(prepare(text));
  } catch {
    return undefined;
  }
}

/** The longest text that is repaired, in characters: a repair can take quadratic time. */
const longestMended = 30_000;

const tryMend = (text: string) => (text.length > longestMended ? undefined : tryParse(text, jsonrepair));

/** Whether a text begins like JSON. Other text is not repaired: jsonrepair would turn any prose into a string. */
const mayBeMended = (text: string) => /^(\{\s*(["'“]|\w+["']?\s*:)|\[\s*[{"'])/.test(text);

const fence = /^```[\w-]*[ \t]*\n([\s\S]*?)\n?[ \t]*```$/;

const parseWhole = (trimmed: string) => tryParse(trimmed) ?? tryParse(fence.exec(trimmed)?.[1] ?? '');

/** Reads the fields of a reply that is only JSON, possibly fenced; null for any other reply. */
export function readWholeJson(fields: Fields, text: string): JsonReply | null {
  const values = fromValue(readerOf(fields), unquoted(parseWhole(text.trim())));
  return values && { values, mended: false, embedded: false };
}

/** Reads JSON within other text. Null when there is none, or when a value that looks like JSON needs a repair. */
function fromProse(reader: Reader, { closed, open }: ReturnType<typeof topLevelValues>): Values | null {
  if (open !== null && mayBeMended(open)) return null;
  const usable: unknown[] = [];
  for (const text of closed.filter(mayBeMended)) {
    const value = tryParse(text);
    if (value === undefined) return null;
    if (fromValue(reader, value) !== null) usable.push(value);
  }
  const isOneValue = usable.length < 2 || usable.some(Array.isArray);
  return isOneValue ? fromValue(reader, usable.at(-1)) : fromMany(reader, usable);
}

/** Returns parts that may be broken JSON, the likeliest first. */
function brokenPlaces(text: string, { closed, open }: ReturnType<typeof topLevelValues>): string[] {
  const start = text.search(/[{[]\s*["'“{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return [
    text,
    ...(start >= 0 && end > start ? [text.slice(start, end + 1)] : []),
    ...(start >= 0 ? [text.slice(start).replace(/```\s*$/, '')] : []),
    ...(open === null ? [] : [open]),
    ...closed.slice(-2),
    ...(/^"\w+"\s*:/.test(text) ? [`{${text}`] : []),
  ].filter((place, index, all) => mayBeMended(place) && all.indexOf(place) === index);
}

/** Reads the fields of a reply that is or contains JSON; null when no JSON names a field. */
export function readJson(fields: Fields, text: string): JsonReply | null {
  const whole = readWholeJson(fields, text);
  if (whole) return whole;
  const reader = readerOf(fields);
  const trimmed = text.trim();
  const places = topLevelValues(trimmed);
  const sound = fromProse(reader, places);
  if (sound) return { values: sound, mended: false, embedded: true };
  for (const place of brokenPlaces(trimmed, places)) {
    const values = fromValue(reader, tryMend(place));
    if (values) return { values, mended: true, embedded: place !== trimmed };
  }
  return null;
}

const isKept = (number: string): boolean =>
  Number.isFinite(Number(number)) && (!/^-?\d{16,}$/.test(number) || String(Number(number)) === number);

/** Returns the first number of a JSON text that parsing changes, such as a whole number of 20 digits; else null. */
export const changedNumber = (json: string): string | null =>
  json.match(stringOrNumber)?.find((found) => found[0] !== '"' && !isKept(found)) ?? null;

/** Reads any JSON value that a reply is or contains; null when there is none. */
export function readAnyJson(text: string): { readonly value: unknown; readonly isMended: boolean } | null {
  const trimmed = text.trim();
  const whole = parseWhole(trimmed);
  if (whole !== undefined) return { value: whole, isMended: false };
  const places = topLevelValues(trimmed);
  const sound = places.closed.map((json) => tryParse(json)).findLast((value) => value !== undefined);
  if (sound !== undefined && places.open === null) return { value: sound, isMended: false };
  for (const place of brokenPlaces(trimmed, places)) {
    const value = tryMend(place);
    if (value !== undefined) return { value, isMended: true };
  }
  return null;
}

function openString(text: string): string | null {
  const start = Math.max(0, text.indexOf('{'));
  let from: number | null = null;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') from = from === null ? at + 1 : null;
  }
  return from === null ? null : text.slice(from);
}

const escapes = /\\(?:u[0-9a-f]{0,4}|.?)/gis;
const wordsOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

/** Returns the name of the required text field whose value is cut off at the end of the JSON; null if none is. */
export function cutTextIn(fields: Fields, text: string, values: Readonly<Record<string, unknown>>): string | null {
  const open = openString(text);
  if (open === null) return null;
  const isCut = ([name, { kind, required }]: [string, Field]) => {
    const value = values[name];
    if (!required || kind !== 'text' || typeof value !== 'string') return false;
    return wordsOf(open.replace(escapes, ' ')).startsWith(wordsOf(value));
  };
  return Object.entries(fields).find(isCut)?.[0] ?? null;
}
