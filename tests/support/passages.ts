import { createContextStore } from '../../src/context/store/store.ts';
import type { Citation, Passage } from '../../src/state.ts';

/** Returns the passages of one document that is cut into chunks of this size. */
export function passagesOf(text: string | Uint8Array, chunkBytes = 10_000, name = 'notes.md'): Passage[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const store = createContextStore([{ name, bytes }], { chunkBytes });
  return Array.from({ length: store.chunkCount }, (_, index) => store.passage(store.chunk(index), 1));
}

/** Returns the text of the document at the place of a citation. */
export const sourceAt = (text: string, { startByte, endByte }: Citation): string =>
  Buffer.from(text).subarray(startByte, endByte).toString();
