/** Finds named documents and lines. A store with a part of a document counts lines from the start of that part. */

import { firstWhere } from '../base/arrays.ts';
import { nearest } from '../base/nearest.ts';
import { counted } from '../base/text.ts';
import type { ContextStore } from '../context/document.ts';
import { type ContextView, createView } from '../context/store/view.ts';
import type { CitedLines } from '../query/query-result.ts';
import type { Passage } from '../state.ts';
import { ToolError } from './tool-error.ts';

export interface Stretch {
  /** Index into the store's documents. */
  readonly document: number;
  /** The document's name in the whole text. */
  readonly source: string;
  /** Line n of the store's document is line n + `linesBefore` of the whole document. */
  readonly linesBefore: number;
}

export function stretchOf(store: ContextStore & Partial<ContextView>, document: number): Stretch {
  const origin = store.origin?.(document);
  if (origin === undefined) return { document, source: store.documents[document]!.name, linesBefore: 0 };
  return { document, source: origin.source, linesBefore: origin.startLine - 1 };
}

export const stretches = (store: ContextStore): Stretch[] =>
  store.documents.map((_, document) => stretchOf(store, document));

/** Returns a path in the form of document names: without `./` before it and `/` after it. */
export const plainPath = (path: string): string => path.trim().replace(/^(?:\.\/)+|\/+$/g, '');

/** Creates the error for a path that matches no document. It lists the nearest name and the first five names. */
export function noSuch(path: string, store: ContextStore): ToolError {
  const names = stretches(store).map(({ source }) => source);
  if (names.length === 0) return new ToolError(`there is no "${path}" to read: the user gave no such path`);
  const near = nearest(path, names.slice(0, 5_000));
  const known = names.slice(0, 5).map((name) => `"${name}"`);
  const others = names.length > 5 ? ` and ${names.length - 5} more (list_files)` : '';
  const there = `There ${names.length === 1 ? 'is only' : 'are'} ${known.join(', ')}${others}.`;
  return new ToolError(`there is no document "${path}" here${near ? `; did you mean "${near}"?` : '.'} ${there}`);
}

/**
 * Returns the parts of the document with this path. If no document has the path, returns the parts of all documents
 * whose path ends with it.
 */
export function documentsNamed(store: ContextStore, path: string): readonly Stretch[] {
  const wanted = plainPath(path);
  const all = stretches(store);
  const found = all.filter(({ source }) => source === path || plainPath(source) === wanted);
  return found.length > 0 || wanted === '' ? found : all.filter(({ source }) => source.endsWith(`/${wanted}`));
}

/** Returns what `documentsNamed` finds. Throws ToolError when it finds nothing. */
export function stretchesOf(store: ContextStore, path: string): readonly Stretch[] {
  const found = documentsNamed(store, path);
  if (found.length > 0) return found;
  throw noSuch(path, store);
}

/** Throws ToolError if the found parts belong to more than one document. */
export function checkOne(path: string, found: readonly Stretch[]): void {
  const names = [...new Set(found.map(({ source }) => source))];
  if (names.length > 1) throw new ToolError(`"${path}" may be ${names.join(' or ')}.`);
}

/** Returns the indexes of the chunks with any of the lines, which are numbered as in the whole document. */
export function chunksOfLines(store: ContextStore, stretch: Stretch, startLine: number, endLine: number): number[] {
  const { document, linesBefore } = stretch;
  const first = firstWhere(0, store.chunkCount, (index) => {
    const chunk = store.chunk(index);
    return chunk.document > document || (chunk.document === document && chunk.endLine + linesBefore >= startLine);
  });
  const indexes: number[] = [];
  for (let index = first; index < store.chunkCount; index++) {
    const chunk = store.chunk(index);
    if (chunk.document !== document || chunk.startLine + linesBefore > endLine) break;
    indexes.push(index);
  }
  return indexes;
}

/** Returns the only document of a text. Throws ToolError for no document or several documents. */
export function onlyStretch(store: ContextStore): Stretch {
  if (store.documents.length !== 1)
    throw new ToolError(`there are ${counted(store.documents.length, 'document')} here; name one as "path".`);
  return stretchOf(store, 0);
}

/** Whether a path names all of the text. */
export const isAll = (path: string | undefined): path is '' | 'text' | undefined =>
  path === undefined || path === '' || path === 'text';

export interface NamedPart {
  /** A document; undefined for all of the text. */
  readonly path?: string | undefined;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** Returns the named lines of a text; null for all of it. Throws ToolError if the lines do not exist. */
export function partOf(store: ContextStore, { path, startLine, endLine }: NamedPart) {
  const hasLines = startLine !== undefined || endLine !== undefined;
  if (isAll(path) && !hasLines) return null;
  const found = isAll(path) ? [onlyStretch(store)] : stretchesOf(store, path);
  const [first, last] = [startLine ?? 1, endLine ?? Number.MAX_SAFE_INTEGER];
  if (last < first) throw new ToolError(`endLine ${last} is before startLine ${first}`);
  const indexes = found.flatMap((stretch) => chunksOfLines(store, stretch, first, last));
  if (indexes.length === 0) {
    const lines = Math.max(...found.map(({ document, linesBefore }) => linesBefore + store.documents[document]!.lines));
    throw new ToolError(`${found[0]!.source} has no lines ${first} to ${endLine ?? 'its end'}: it has ${lines}.`);
  }
  return createView(store, indexes, hasLines ? { startLine: first, endLine: last } : undefined);
}

/**
 * Returns the passage with the first cited line. Null if the text does not contain the line; for example, tables of
 * answers are not in the text.
 */
export function passageAt(store: ContextStore, { document, startLine }: CitedLines): Passage | null {
  for (const stretch of documentsNamed(store, document)) {
    const [index] = chunksOfLines(store, stretch, startLine, startLine);
    if (index !== undefined) return store.passageWithoutOverlap(store.chunk(index));
  }
  return null;
}
