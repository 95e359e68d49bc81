import type { ContextStore } from './document.ts';

const mark = /^\[page (\d+)\]$/gm;
const headBytes = 24;
const windowBytes = 16_384;

/**
 * Returns the number of the page that a byte of a document is on; null for a document without pages. Each page of a
 * PDF or a TIFF stands below a line with its number.
 */
export function pageAt(store: ContextStore, document: number, byte: number): number | null {
  const textOf = (start: number, end: number) => Buffer.from(store.read(document, start, end)).toString('latin1');
  const { bytes } = store.documents[document]!;
  if (!/^\[page \d+\]\n/.test(textOf(0, Math.min(headBytes, bytes)))) return null;
  for (let end = Math.min(bytes, byte + headBytes); end > 0; end -= windowBytes - headBytes) {
    const start = Math.max(0, end - windowBytes);
    const before = [...textOf(start, end).matchAll(mark)].filter(({ index }) => start + index <= byte);
    if (before.length > 0) return Number(before.at(-1)![1]);
  }
  return null;
}
