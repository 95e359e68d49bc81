import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import type { RecordReader, RecordRow } from '../reader.ts';
import { type RecordDocument, recordLines, wholeText } from '../record-document.ts';
import { joinFieldPath, type PathValue, pathColumns } from './paths.ts';

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
function* rowsOf(text: string, linesBefore: number): Generator<RecordRow> {
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

function* documentRows(document: RecordDocument): Generator<RecordRow> {
  if (document.bytes > mostBytes) yield { line: 1, problem: 'of YAML of more than 16 MB' };
  else yield* rowsOf(wholeText(document), 0);
}

/** YAML as paths and values. */
export const yamlReader: RecordReader = {
  name: 'YAML',
  isBeside: false,
  find: (document) =>
    document.kind === 'YAML'
      ? [{ table: 'paths', about: null, columns: pathColumns, rows: () => documentRows(document) }]
      : [],
};

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

/** The front matter of Markdown, which is YAML. */
export const frontMatterReader: RecordReader = {
  name: 'front matter',
  isBeside: true,
  find(document) {
    const text = document.kind === 'Markdown' ? frontMatterOf(document) : null;
    return text === null ? [] : [{ table: 'paths', about: null, columns: pathColumns, rows: () => rowsOf(text, 1) }];
  },
};
