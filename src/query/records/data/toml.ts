import { parse } from 'smol-toml';
import type { RecordReader, RecordRow } from '../reader.ts';
import { type RecordDocument, recordLines } from '../record-document.ts';
import { joinFieldPath, pathColumns } from './paths.ts';

/** Lines of a value, at most; one that is not complete then is given up. */
const mostLines = 500;

function* flatten(value: unknown, path: string): Generator<readonly [path: string, value: string]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* flatten(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, joinFieldPath(path, key));
  } else yield [path, value instanceof Date ? value.toISOString() : String(value)];
}

/** Parses TOML; null for what is not valid. */
function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch {
    return null;
  }
}

/** Returns the path of a parsed header, such as that of `[a.b]`. */
function headerPath(value: unknown): string {
  let [path, at] = ['', value];
  for (;;) {
    if (Array.isArray(at)) at = at[0];
    const [key] = Object.keys(at as object);
    if (key === undefined) return path;
    path = joinFieldPath(path, key);
    at = (at as Record<string, unknown>)[key];
  }
}

/** Names the header of a table; those of an array of tables count from 0. */
function createHeaders(): (text: string) => string | null {
  const counts = new Map<string, number>();
  return (text) => {
    const header = parsed(text);
    if (header === null) return null;
    const path = headerPath(header);
    if (!text.trim().startsWith('[[')) return path;
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return `${path}[${count}]`;
  };
}

/** Yields values. A value ends with the first line at which it can be parsed. */
function* rowsOf(document: RecordDocument): Generator<RecordRow> {
  const headerOf = createHeaders();
  let table = '';
  let held: string[] = [];
  let start = 0;
  for (const { line, text } of recordLines(document)) {
    if (held.length === 0 && /^\s*(?:#|$)/.test(text)) continue;
    if (held.length === 0) start = line;
    const header = held.length === 0 && /^\s*\[/.test(text) ? headerOf(text) : null;
    if (header !== null) {
      table = header;
      continue;
    }
    held.push(text);
    const values = parsed(held.join('\n'));
    if (values !== null) {
      for (const row of flatten(values, table)) yield { line: start, values: row };
      held = [];
    } else if (held.length === 1 && !/=\s*(?:\[|\{|"""|''')/.test(text)) {
      yield { line: start, problem: 'that are no valid TOML' };
      held = [];
    } else if (held.length > mostLines) {
      yield { line: start, problem: 'that are no valid TOML' };
      held = [];
    }
  }
  if (held.length > 0) yield { line: start, problem: 'that are no valid TOML' };
}

/** TOML as paths and values. */
export const tomlReader: RecordReader = {
  name: 'TOML',
  isBeside: false,
  find: (document) =>
    document.kind === 'TOML'
      ? [{ table: 'paths', about: null, columns: pathColumns, rows: () => rowsOf(document) }]
      : [],
};
