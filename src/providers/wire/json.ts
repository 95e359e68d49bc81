import { isObject } from '../../base/is-object.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Copies an object; returns an empty object for any other value. */
export const asObject = (value: unknown): Json => (isObject(value) ? { ...value } : {});

/** Returns a list unchanged; an empty list for any other value. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a whole number above 0 unchanged; null for any other value. */
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
