import { isObject } from '../../base/is-object.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Returns a value as an object; an empty one for other values. */
export const asObject = (value: unknown): Json => (isObject(value) ? { ...value } : {});

/** Returns a value as a list; an empty one for other values. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a value that is a whole number above 0; null for other values. */
export const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;

/** Parses a JSON object; null for other text. */
export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
