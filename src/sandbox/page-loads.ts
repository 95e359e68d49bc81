import type { TextRange } from './text-source.ts';

/** Loads bytes of a document into a slot and returns them. */
export type LoadPage = (range: TextRange, slot: number) => Buffer;

/** The loads that are kept in memory: those used last. */
export interface PageLoads {
  /** Returns the bytes of a load, by its index, and loads them where they are not in memory. */
  take(index: number, range: TextRange): Buffer;
}

/** @param slots how many loads are kept in memory. */
export function createPageLoads(slots: number, load: LoadPage): PageLoads {
  /** The load in each slot, the one used last at the end. */
  const held = new Map<number, { readonly slot: number; readonly bytes: Buffer }>();
  return {
    take(index, range) {
      const known = held.get(index);
      if (known !== undefined) {
        held.delete(index);
        held.set(index, known);
        return known.bytes.subarray(0, range.endByte - range.startByte);
      }
      const [oldest] = held.size < slots ? [] : held;
      const slot = oldest ? oldest[1].slot : held.size;
      if (oldest) held.delete(oldest[0]);
      const bytes = load(range, slot);
      held.set(index, { slot, bytes });
      return bytes;
    },
  };
}
