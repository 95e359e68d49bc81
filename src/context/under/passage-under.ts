import type { Passage } from '../../state.ts';
import type { Chunk, ContextStore } from '../document.ts';
import { createTalkReader, createUnderReader } from './under-reader.ts';

/** So much before a passage is read to tell what it stands under, and so much of a document's beginning; in bytes. */
const mostBefore = 16_384;
const mostHead = 400;

/** The nearest ones tell most. */
const mostLines = 4;

/** The document's first line, and the whole lines that stand near before a place in it. */
function textsBefore(store: ContextStore, { document }: Pick<Chunk, 'document'>, start: number): string[] {
  const from = Math.max(0, start - mostBefore);
  const before = store.read(document, from, start).toString();
  if (from === 0) return [before];
  const [first = ''] = store.read(document, 0, mostHead).toString().split('\n', 1);
  return [first, before.slice(before.indexOf('\n') + 1)];
}

/**
 * A passage of a store with what it stands under, as far as the document's first line and the 16 KB before it tell. One
 * of another store, such as a search server's, stays as it is. Throws the system's error.
 */
export function withUnder(store: ContextStore, passage: Passage): Passage {
  const index = store.indexOf(passage.id);
  const { source } = passage;
  const isFirst = passage.startByte === 0;
  const read = index < 0 || isFirst ? null : (createUnderReader(source) ?? createTalkReader(source));
  if (read === null) return passage;
  const chunk = store.chunk(index);
  const overlap = passage.endByte - passage.startByte - (chunk.endByte - chunk.startByte);
  for (const text of textsBefore(store, chunk, chunk.startByte - overlap)) read(text);
  const under = read(passage.text).slice(-mostLines);
  return under.length === 0 ? passage : { ...passage, under };
}

/** What a passage stands under takes so many bytes of a prompt. */
export const underBytes = ({ under = [] }: Pick<Passage, 'under'>): number =>
  under.reduce((sum, line) => sum + Buffer.byteLength(line) + 3, 0);
