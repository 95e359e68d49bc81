import type { ContextStore } from './document.ts';

const mark = /^\[page (\d+)\]$/gm;
const markBytes = 24;

/** Returns the page number of a byte of a document; null if the document does not begin with a page mark. */
export function pageAt(store: ContextStore, document: number, byte: number): number | null {
  const { bytes } = store.documents[document]!;
  const upTo = (end: number) => Buffer.from(store.read(document, 0, Math.min(bytes, end))).toString('latin1');
  if (!/^\[page \d+\]\n/.test(upTo(markBytes))) return null;
  const before = [...upTo(byte + markBytes).matchAll(mark)].filter(({ index }) => index <= byte);
  return Number(before.at(-1)![1]);
}
