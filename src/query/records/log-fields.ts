import { isNumber } from './typed.ts';

const pair = /([A-Za-z_][\w.-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,)\]}"]+))/g;

const fieldValue = (text: string): string | number => (isNumber(text) ? Number(text) : text);

/** Adds the JSON object at the end of a message. */
function addObject(fields: Record<string, unknown>, text: string): void {
  const start = text.indexOf('{"');
  if (start === -1 || !text.endsWith('}')) return;
  try {
    Object.assign(fields, JSON.parse(text.slice(start)));
  } catch {
    // It is not JSON: the message has it as it is.
  }
}

/** Returns the `key=value` pairs and the JSON object of a message as JSON; null where it has none. */
export function fieldsOf(text: string): string | null {
  if (!text.includes('=') && !text.includes('{"')) return null;
  const fields: Record<string, unknown> = {};
  for (const [, key, quoted, plain] of text.matchAll(pair)) fields[key!] = quoted ?? fieldValue(plain!);
  addObject(fields, text.trimEnd());
  const json = JSON.stringify(fields);
  return json === '{}' ? null : json;
}
