import type { ContextStore } from './document.ts';

const windowBytes = 1024 * 1024;

/** Yields the bytes of a document in pieces; each begins with the last `overlap` bytes of the one before. */
export function* windowsOf(store: ContextStore, document: number, overlap = 0): Generator<Uint8Array> {
  const { bytes } = store.documents[document]!;
  for (let start = 0; start < bytes; start += windowBytes) {
    yield store.read(document, Math.max(0, start - overlap), Math.min(bytes, start + windowBytes));
  }
}
