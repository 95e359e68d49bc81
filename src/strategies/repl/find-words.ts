import type { ContextStore } from '../../context/document.ts';
import { readBuffer } from '../../context/shown-text.ts';
import type { TextRange } from '../../sandbox/from-worker.ts';

const blockBytes = 4 * 1024 * 1024;

/** Returns the text of a range. */
export const textAt = (store: ContextStore, { document, startByte, endByte }: TextRange): string =>
  readBuffer(store, document, startByte, endByte).toString();

/** A text that is searched for: its bytes, and the ranges found so far. */
interface Sought {
  readonly bytes: Buffer;
  readonly places: TextRange[];
}

function lookIn(block: Buffer, document: number, at: number, sought: Sought, most: number): void {
  const { bytes, places } = sought;
  for (let from = 0; places.length < most; ) {
    const found = block.indexOf(bytes, from);
    if (found < 0) return;
    const startByte = at + found;
    const last = places.at(-1);
    if (last === undefined || last.document !== document || last.startByte < startByte)
      places.push({ document, startByte, endByte: startByte + bytes.length });
    from = found + 1;
  }
}

/** Finds the first occurrences of several texts, at most `most` of each, in one pass over the store. */
export function findWords(
  store: ContextStore,
  texts: readonly string[],
  most: number,
): readonly (readonly TextRange[])[] {
  const all = texts.map((text): Sought => ({ bytes: Buffer.from(text), places: [] }));
  const longest = Math.max(0, ...all.map(({ bytes }) => bytes.length));
  for (const [document, { bytes: size }] of store.documents.entries()) {
    for (let at = 0; at < size && texts.length > 0; at += blockBytes) {
      const block = readBuffer(store, document, at, Math.min(size, at + blockBytes + longest));
      for (const sought of all) lookIn(block, document, at, sought, most);
    }
  }
  return all.map(({ places }) => places);
}
