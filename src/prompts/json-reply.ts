import { jsonrepair } from 'jsonrepair';
import type { Fields } from './fields.ts';
import { namesOf } from './label-aliases.ts';

/** A reply read as JSON, by field name. */
export interface JsonReply {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the JSON had to be mended before it could be read. */
  readonly mended: boolean;
}

const plain = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function fieldOf(fields: Fields, key: string): string | undefined {
  const wanted = plain(key);
  const names = Object.keys(fields);
  return (
    names.find((name) => plain(name) === wanted) ??
    names.find((name) => namesOf(fields[name]!.label).some((alias) => plain(alias) === wanted))
  );
}

/** An object's values under the fields' names; looks one level into a wrapper such as `{"response": {…}}`. */
function pick(fields: Fields, object: object, mayDescend = true): Record<string, unknown> | null {
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    const field = fieldOf(fields, key);
    if (field !== undefined && !(field in picked)) picked[field] = value;
  }
  if (Object.keys(picked).length > 0 && !onlyWrapper(picked, fields)) return picked;
  const inner = Object.values(object).filter(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  return mayDescend && inner.length === 1 ? pick(fields, inner[0] as object, false) : null;
}

const onlyWrapper = (picked: Record<string, unknown>, fields: Fields) =>
  Object.entries(picked).every(
    ([name, value]) =>
      fields[name]!.kind === 'text' && typeof value === 'object' && value !== null && !Array.isArray(value),
  );

/** A bare array is the value of the one list that the reply needs. */
function fromValue(fields: Fields, value: unknown): Record<string, unknown> | null {
  if (Array.isArray(value)) {
    const needed = Object.entries(fields).filter(([, field]) => field.required);
    const [only] = needed;
    if (needed.length === 1 && only && (only[1].kind === 'questions' || only[1].kind === 'list'))
      return { [only[0]]: value };
    return value.length === 1 && typeof value[0] === 'object' && value[0] !== null ? pick(fields, value[0]) : null;
  }
  return typeof value === 'object' && value !== null ? pick(fields, value) : null;
}

/** Places where JSON may stand, the likeliest first: the whole, fenced blocks, the outermost braces, an open brace. */
function candidates(text: string): string[] {
  const fenced = [...text.matchAll(/```(?:json5?|javascript|js)?\s*\n?([\s\S]*?)(?:```|$)/gi)].map((match) =>
    match[1]!.trim(),
  );
  const open = text.search(/[{[]/);
  const close = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const braced = open >= 0 && close > open ? [text.slice(open, close + 1)] : [];
  return [text.trim(), ...fenced, ...braced, ...(open >= 0 ? [text.slice(open).replace(/```\s*$/, '')] : [])];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tryMend(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** Only text that begins as JSON does is mended: jsonrepair would make a string of any prose. */
const mayBeMended = (text: string) => /^(\{\s*(["'“]|\w+["']?\s*:)|\[\s*[{"'])/.test(text);

/** The fields of a reply that is or holds JSON; null when there is none that names a field. */
export function readJson(fields: Fields, text: string): JsonReply | null {
  const places = candidates(text);
  for (const place of places) {
    const values = fromValue(fields, tryParse(place));
    if (values) return { values, mended: false };
  }
  for (const place of places.filter(mayBeMended)) {
    const values = fromValue(fields, tryMend(place));
    if (values) return { values, mended: true };
  }
  return null;
}
