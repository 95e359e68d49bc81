import { createContextStore } from '../../src/context/store/store.ts';
import type { Citation, Passage } from '../../src/state.ts';

/** The passages of one document, cut into chunks of that size. */
export function passagesOf(text: string | Uint8Array, chunkBytes = 10_000, name = 'notes.md'): Passage[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const store = createContextStore([{ name, bytes }], { chunkBytes });
  return Array.from({ length: store.chunkCount }, (_, index) => store.passage(store.chunk(index), 1));
}

/** The text of the document at the place of a citation. */
export const sourceAt = (text: string, { startByte, endByte }: Citation): string =>
  Buffer.from(text).subarray(startByte, endByte).toString();
