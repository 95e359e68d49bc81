/** Reads JSON from a server that may send anything. */
export type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as an object; an empty one when it is none. */
export const asObject = (value: unknown): Json => (isObject(value) ? { ...value } : {});

/** A value as a list; an empty one when it is none. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text as a JSON object; null when it is none. */
export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
