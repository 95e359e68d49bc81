import { parse } from 'smol-toml';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import { columnsNamed, type FindTables, type RecordDocument, recordLines, wholeText } from '../reader.ts';

/** Columns of the table of configuration values. */
const columns = columnsNamed('path value');

/** A value of a configuration, and where it stands. */
interface PathValue {
  /** Such as `services.web.ports[0]`. */
  readonly path: string;
  readonly value: unknown;
  readonly line: number;
}

/** Adds a key to a path. A key with a dot is in quotes. */
function joinFieldPath(path: string, key: string): string {
  const shown = /[.[\]"\s]/.test(key) ? JSON.stringify(key) : key;
  return path === '' ? shown : `${path}.${shown}`;
}

/** Bytes of a document, at most: it is parsed as a whole. */
const mostBytes = 16 * 1024 * 1024;

function* valuesOf(node: unknown, path: string, lineAt: (offset: number) => number): Generator<PathValue> {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const below = joinFieldPath(path, name);
      if (value === null) yield { path: below, value: null, line: lineAt((key as Node).range?.[0] ?? 0) };
      else yield* valuesOf(value, below, lineAt);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* valuesOf(item, `${path}[${index}]`, lineAt);
  } else if (isScalar(node)) {
    yield { path, value: node.value, line: lineAt(node.range?.[0] ?? 0) };
  } else if (isAlias(node)) yield { path, value: `*${node.source}`, line: lineAt(node.range?.[0] ?? 0) };
}

/**
 * Yields the values of YAML. What cannot be parsed is a problem.
 * @param linesBefore lines of the document before the text.
 */
function* yamlRows(text: string, linesBefore: number) {
  const counter = new LineCounter();
  const lineAt = (offset: number): number => counter.linePos(offset).line + linesBefore;
  const documents = parseAllDocuments(text, { lineCounter: counter, uniqueKeys: false });
  for (const [index, parsed] of (Array.isArray(documents) ? documents : []).entries()) {
    for (const { pos } of parsed.errors) yield { line: lineAt(pos[0]), problem: 'that are no valid YAML' };
    const root = documents.length > 1 ? `[${index}]` : '';
    for (const { path, value, line } of valuesOf(parsed.contents, root, lineAt))
      yield { line, values: [path, value === null ? null : String(value)] };
  }
}

function* documentRows(document: RecordDocument) {
  if (document.bytes > mostBytes) yield { line: 1, problem: 'of YAML of more than 16 MB' };
  else yield* yamlRows(wholeText(document), 0);
}

/** Finds the paths and values of YAML. */
export const findYaml: FindTables = (document) =>
  document.kind === 'YAML' ? [{ table: 'paths', columns, rows: () => documentRows(document) }] : [];

/** Returns the lines between the first two lines of `---`; null where there are none. */
function frontMatterOf(document: RecordDocument): string | null {
  if (document.head[0]?.trimEnd() !== '---') return null;
  const lines: string[] = [];
  for (const { line, text } of recordLines(document)) {
    if (line > 1 && text.trimEnd() === '---') return lines.join('\n');
    if (line > 1) lines.push(text);
    if (line > 1_000) break;
  }
  return null;
}

/** Finds the front matter of Markdown, which is YAML. */
export const findFrontMatter: FindTables = (document) => {
  const text = document.kind === 'Markdown' ? frontMatterOf(document) : null;
  return text === null ? [] : [{ table: 'paths', columns, rows: () => yamlRows(text, 1) }];
};

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
function* tomlRows(document: RecordDocument) {
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
    } else if (held.length > mostLines || (held.length === 1 && !/=\s*(?:\[|\{|"""|''')/.test(text))) {
      yield { line: start, problem: 'that are no valid TOML' };
      held = [];
    }
  }
  if (held.length > 0) yield { line: start, problem: 'that are no valid TOML' };
}

/** Finds the paths and values of TOML. */
export const findToml: FindTables = (document) =>
  document.kind === 'TOML' ? [{ table: 'paths', columns, rows: () => tomlRows(document) }] : [];
