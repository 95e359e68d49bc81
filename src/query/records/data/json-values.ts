import type { Value } from '../../value.ts';

/** A number with more digits than a JavaScript number keeps. */
const longNumber = /\d{16}|\d\.\d{15}/;
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Puts long numbers in quotes, since parsing would change them. */
const keepDigits = (json: string): string =>
  longNumber.test(json)
    ? json.replace(stringOrNumber, (found) =>
        found[0] !== '"' && found.replace(/\D/g, '').length > 15 ? `"${found}"` : found,
      )
    : json;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a JSON object; null for anything else. */
export function parseRecordObject(json: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(keepDigits(json));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** Returns a value of JSON as a cell: true and false as 1 and 0, objects and arrays as JSON. */
export function toCell(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  return value === null || value === undefined ? null : JSON.stringify(value);
}
