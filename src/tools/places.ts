/**
 * Where documents of a store stand in the whole text. A store may be a part of it, whose lines count from its own
 * beginning.
 */
import { firstWhere } from '../base/first-where.ts';
import { nearest } from '../base/nearest.ts';
import { chunkAt } from '../context/chunk-at.ts';
import type { ContextStore } from '../context/document.ts';
import { ToolError } from './tool-error.ts';

/** A document, or a part of one. */
export interface Stretch {
  /** Index into the store's documents. */
  readonly document: number;
  /** The document's name in the whole text. */
  readonly source: string;
  /** Added to a line number here, gives the one in the whole text. */
  readonly linesBefore: number;
}

export function stretchOf(store: ContextStore, document: number): Stretch {
  const chunk = store.chunk(chunkAt(store, document, 0));
  const { source, startLine } = store.plainPassage(chunk);
  return { document, source, linesBefore: startLine - chunk.startLine };
}

function noSuch(source: string, names: readonly string[]): ToolError {
  const near = nearest(source, names.slice(0, 5_000));
  const known = names
    .slice(0, 5)
    .map((name) => `"${name}"`)
    .join(', ');
  const others = names.length > 5 ? ` and ${names.length - 5} more (describe_context)` : '';
  return new ToolError(
    `there is no document "${source}" here${near ? `; did you mean "${near}"?` : '.'} There ${names.length === 1 ? 'is only' : 'are'} ${known}${others}.`,
  );
}

/**
 * Finds the parts of a document that a store holds, by its name in the whole text or in the store, or by the end of its
 * path.
 * @throws ToolError when there is none.
 */
export function stretchesOf(store: ContextStore, source: string): readonly Stretch[] {
  const names = store.documents.map(({ name }) => name);
  const matching = (test: (name: string) => boolean) =>
    names.flatMap((name, document) => (test(name) ? [document] : []));
  const isPart = (name: string) => name.startsWith(`${source} lines `);
  const found = matching((name) => name === source || isPart(name));
  const bySuffix = found.length > 0 ? found : matching((name) => name.endsWith(`/${source.replace(/^\.\//, '')}`));
  if (bySuffix.length === 0) throw noSuch(source, names);
  return bySuffix.map((document) => stretchOf(store, document));
}

/** Returns the indexes of the chunks that hold some of the lines, which count from the beginning of the whole text. */
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
