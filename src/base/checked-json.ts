import { sha256 } from './sha256.ts';

const sumLength = 8;
const sumOf = (json: string): string => sha256(json, sumLength);
const head = '{"sum":"';

/** Adds a checksum to the JSON of an object, as its first field. */
export const encodeChecked = (json: string): string => `${head}${sumOf(json)}",${json.slice(1)}`;

/** Decodes a text that `encodeChecked` returned. Returns null if its checksum is missing or wrong. */
export function decodeChecked(text: string): unknown {
  const start = head.length + sumLength;
  if (!text.startsWith(head) || text.slice(start, start + 2) !== '",') return null;
  const json = `{${text.slice(start + 2)}`;
  return sumOf(json) === text.slice(head.length, start) ? JSON.parse(json) : null;
}
