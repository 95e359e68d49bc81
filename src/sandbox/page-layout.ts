import { isAscii } from 'node:buffer';
import { guestPageBytes } from './messages.ts';
import type { PageLoads } from './page-loads.ts';
import type { SourceDocument, TextRange } from './text-source.ts';

/** A stretch of the text that is searched at once. Offsets are in UTF-16 units of the whole text. */
export interface Page extends TextRange {
  /** The loads that fill it. */
  readonly load: number;
  readonly start: number;
  readonly end: number;
  readonly isAscii: boolean;
  /** Whether a line feed was added, so that the last line of a document is separate from the next document. */
  readonly isEnded: boolean;
}

/** Where the pages of the text lie. */
export interface PageLayout {
  readonly pages: readonly Page[];
  /** The first offset of each document, and the end of the last. */
  readonly starts: readonly number[];
  readonly loads: readonly TextRange[];
}

const lineFeed = 0x0a;
export const byteOrderMark = '\uFEFF';
/** ASCII is decoded anew each time, in pieces so small that their strings are freed soon. */
const asciiBytes = 64 * 1024;

/** Reads the whole text once, to know its length. */
export function readLayout(documents: readonly SourceDocument[], held: PageLoads): PageLayout {
  const pages: Page[] = [];
  const starts: number[] = [];
  const loads: TextRange[] = [];
  for (const [document, { bytes: size }] of documents.entries()) {
    starts.push(pages.at(-1)?.end ?? 0);
    for (let startByte = 0; startByte < size; ) {
      const most = Math.min(size, startByte + guestPageBytes);
      const loaded = held.take(loads.length, { document, startByte, endByte: most });
      const bytes = loaded.subarray(0, cut(loaded, most === size));
      const range = { document, startByte, endByte: startByte + bytes.length };
      const endsDocument = range.endByte === size && document < documents.length - 1;
      addPages(pages, bytes, range, loads.length, endsDocument);
      loads.push(range);
      startByte = range.endByte;
    }
  }
  starts.push(pages.at(-1)?.end ?? 0);
  return { pages, starts, loads };
}

/**
 * Adds the pages of a load.
 * @param endsDocument whether the load is the last one of a document that another one follows.
 */
function addPages(pages: Page[], bytes: Buffer, range: TextRange, load: number, endsDocument: boolean): void {
  const ascii = isAscii(bytes);
  const step = ascii ? asciiBytes : bytes.length;
  for (let at = 0; at < bytes.length; at += step) {
    const part = bytes.subarray(at, at + step);
    const startByte = range.startByte + at;
    const endByte = startByte + part.length;
    const isEnded = endsDocument && endByte === range.endByte && part.at(-1) !== lineFeed;
    const page = { document: range.document, startByte, endByte, load, isAscii: ascii, isEnded };
    const start = pages.at(-1)?.end ?? 0;
    const units = ascii ? part.length + (isEnded ? 1 : 0) : pageText(part, page).length;
    pages.push({ ...page, start, end: start + units });
  }
}

/**
 * Returns where a load ends that begins with these bytes, one page or several: after its last line, else after its last
 * whole character.
 */
function cut(bytes: Buffer, isLast: boolean): number {
  if (isLast) return bytes.length;
  const feed = bytes.lastIndexOf(lineFeed);
  if (feed >= 0) return feed + 1;
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end -= 1;
  return bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length;
}

function decode(bytes: Buffer, ascii: boolean, isStart: boolean): string {
  if (ascii) return bytes.toString('latin1');
  const text = bytes.toString();
  return isStart && text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** Returns the text of a page from its bytes. */
export function pageText(bytes: Buffer, page: Pick<Page, 'isAscii' | 'startByte' | 'isEnded'>): string {
  const text = decode(bytes, page.isAscii, page.startByte === 0);
  return page.isEnded ? `${text}\n` : text;
}
