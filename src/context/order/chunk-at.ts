import type { ContextStore } from '../document.ts';

/** Returns the index of the chunk that holds a byte of a document. */
export function chunkAt(store: ContextStore, document: number, byte: number): number {
  let [low, high] = [0, store.chunkCount - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const chunk = store.chunk(middle);
    if (chunk.document > document || (chunk.document === document && chunk.endByte > byte)) high = middle;
    else low = middle + 1;
  }
  return low;
}
