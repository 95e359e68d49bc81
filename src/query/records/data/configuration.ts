import { parse } from 'smol-toml';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import { isStackFull } from '../../../base/stack-full.ts';
import {
  columnsNamed,
  type FindTables,
  type ReadRows,
  type RecordRow,
  recordLines,
  tableOf,
  wholeText,
} from '../reader.ts';
import { isDeep } from './json.ts';

const columns = columnsNamed('path value');

/** Adds a key to a path such as `services.web.ports[0]`. Quotes a key with a dot, a bracket, a quote or a space. */
function joinFieldPath(path: string, key: string): string {
  const shown = /[.[\]"\s]/.test(key) ? JSON.stringify(key) : key;
  return path === '' ? shown : `${path}.${shown}`;
}

/** Maximum size of a YAML document in bytes. A YAML document is parsed as a whole. */
const mostBytes = 16 * 1024 * 1024;

function* valuesOf(
  node: unknown,
  path: string,
  at = 0,
): Generator<readonly [path: string, value: unknown, at: number]> {
  const start = (node as Node | null)?.range?.[0] ?? at;
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      yield* valuesOf(value, joinFieldPath(path, name), (key as Node).range?.[0]);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* valuesOf(item, `${path}[${index}]`);
  } else if (isScalar(node)) yield [path, node.value, start];
  else if (isAlias(node)) yield [path, `*${node.source}`, start];
  else if (node === null && path !== '') yield [path, null, start];
}

/** @param linesBefore number of lines that precede the text in its document. */
function* yamlValues(text: string, linesBefore: number) {
  const counter = new LineCounter();
  const lineAt = (offset: number): number => counter.linePos(offset).line + linesBefore;
  const documents = parseAllDocuments(text, { lineCounter: counter, uniqueKeys: false });
  for (const [index, parsed] of (Array.isArray(documents) ? documents : []).entries()) {
    for (const { pos } of parsed.errors) yield { line: lineAt(pos[0]), problem: 'that are no valid YAML' };
    const root = documents.length > 1 ? `[${index}]` : '';
    for (const [path, value, at] of valuesOf(parsed.contents, root))
      yield { line: lineAt(at), values: [path, value === null ? null : String(value)] };
  }
}

/** Matches a line with many levels, such as `- - -`, for which the parser takes a long time. */
const deepLine = /(?:[-?:][ \t]+){500}/;

/** Yields the rows of YAML. The parser and `valuesOf` are recursive, so the stack may be too small for deep YAML. */
function* yamlRows(text: string, linesBefore: number): Iterable<RecordRow> {
  const deep = { line: linesBefore + 1, problem: 'of YAML that is nested too deeply' };
  try {
    if (deepLine.test(text)) yield deep;
    else yield* yamlValues(text, linesBefore);
  } catch (error) {
    if (!isStackFull(error)) throw error;
    yield deep;
  }
}

const documentRows: ReadRows = (document) =>
  document.bytes > mostBytes ? [{ line: 1, problem: 'of YAML of more than 16 MB' }] : yamlRows(wholeText(document), 0);

export const findYaml: FindTables = (document) =>
  document.kind === 'YAML' ? tableOf('paths', columns, document, documentRows) : [];

/** Finds the front matter of Markdown: YAML between two lines of `---`. */
export const findFrontMatter: FindTables = (document) => {
  const [first, ...rest] = document.head.map((line) => line.trimEnd());
  const end = rest.indexOf('---');
  if (document.kind !== 'Markdown' || first !== '---' || end === -1) return [];
  return tableOf('paths', columns, document, () => yamlRows(rest.slice(0, end).join('\n'), 1));
};

/** Maximum number of lines of a TOML value. */
const mostLines = 500;

function* flatten(value: unknown, path: string): Generator<readonly [path: string, value: string]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* flatten(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, joinFieldPath(path, key));
  } else yield [path, value instanceof Date ? value.toISOString() : String(value)];
}

function parseToml(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = parse(text, { integersAsBigInt: 'asNeeded' });
    return isDeep(value, text.length) ? null : value;
  } catch {
    return null;
  }
}

/**
 * Returns the path of a header: `[a.b]` has the path `a.b`, or `a[1].b` after two headers `[[a]]`.
 * @param value the header, parsed as TOML.
 * @param last the index of the last table of each array, by path.
 */
function headerPath(value: unknown, last: ReadonlyMap<string, number>): string {
  let [path, at] = ['', value];
  for (;;) {
    if (Array.isArray(at)) at = at[0];
    const [key] = Object.keys(at as object);
    if (key === undefined) return path;
    path = joinFieldPath(last.has(path) ? `${path}[${last.get(path)}]` : path, key);
    at = (at as Record<string, unknown>)[key];
  }
}

/** Returns the path of a table header; null for other text. The first `[[a]]` is `a[0]`, the next is `a[1]`. */
function nameHeader(text: string, last: Map<string, number>): string | null {
  const header = /^\s*\[/.test(text) ? parseToml(text) : null;
  if (header === null) return null;
  const path = headerPath(header, last);
  if (!text.trim().startsWith('[[')) return path;
  const index = (last.get(path) ?? -1) + 1;
  last.set(path, index);
  return `${path}[${index}]`;
}

/** Reads one key and its value at a time: collects lines until they can be parsed together. */
const tomlRows: ReadRows = function* (document) {
  const last = new Map<string, number>();
  let table = '';
  let held: string[] = [];
  let start = 0;
  for (const { line, text } of recordLines(document)) {
    if (held.length === 0 && /^\s*(?:#|$)/.test(text)) continue;
    if (held.length === 0) start = line;
    const header = held.length === 0 ? nameHeader(text, last) : null;
    if (header !== null) {
      table = header;
      continue;
    }
    held.push(text);
    const values = parseToml(held.join('\n'));
    if (values !== null) {
      for (const row of flatten(values, table)) yield { line: start, values: row };
      held = [];
    } else if (held.length > mostLines || (held.length === 1 && !/=\s*(?:\[|\{|"""|''')/.test(text))) {
      yield { line: start, problem: 'that are no valid TOML' };
      held = [];
    }
  }
  if (held.length > 0) yield { line: start, problem: 'that are no valid TOML' };
};

export const findToml: FindTables = (document) =>
  document.kind === 'TOML' ? tableOf('paths', columns, document, tomlRows) : [];
