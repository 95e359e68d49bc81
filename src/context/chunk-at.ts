import { firstWhere } from '../base/arrays.ts';
import type { ContextStore } from './document.ts';

/**
 * Returns the index of the chunk that holds a byte of a document. For the document's end, where a pattern can match the
 * empty text, it is the index of the last chunk. The store has to have a chunk of the document.
 */
export function chunkAt(store: ContextStore, document: number, byte: number): number {
  const index = firstWhere(0, store.chunkCount, (at) => {
    const chunk = store.chunk(at);
    return chunk.document > document || (chunk.document === document && chunk.endByte > byte);
  });
  return index < store.chunkCount && store.chunk(index).document === document ? index : index - 1;
}
