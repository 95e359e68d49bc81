import type { Passage } from '../../state.ts';
import type { Chunk, ContextStore } from '../document.ts';
import { createTalkReader, createUnderReader } from './under-reader.ts';

/** Bytes before a passage that are read for its headings, at most. */
const mostBefore = 16_384;

/** Bytes at the document's start that are read for its first line, at most. */
const mostHead = 400;

/** Headings that are kept, at most: the nearest ones matter most. */
const mostLines = 4;

/** Returns the document's first line, and the whole lines shortly before a byte in it. */
function textsBefore(store: ContextStore, { document }: Pick<Chunk, 'document'>, start: number): string[] {
  const from = Math.max(0, start - mostBefore);
  const before = store.read(document, from, start).toString();
  if (from === 0) return [before];
  const [first = ''] = store.read(document, 0, mostHead).toString().split('\n', 1);
  return [first, before.slice(before.indexOf('\n') + 1)];
}

/**
 * Returns a passage of a store with the headings that apply to it, taken from the document's first line and the 16 KB
 * before the passage. A passage of another store, such as a search server's, is unchanged. Throws the system's error.
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

/** Returns the bytes that a passage's headings take in a prompt. */
export const underBytes = ({ under = [] }: Pick<Passage, 'under'>): number =>
  under.reduce((sum, line) => sum + Buffer.byteLength(line) + 3, 0);
