import { isAscii } from 'node:buffer';
import { firstWhere } from '../base/arrays.ts';
import { createMemo } from '../base/memo.ts';
import { lower } from '../base/text.ts';
import type { TextRange } from './from-worker.ts';
import { guestPageBytes, type SourceDocument } from './messages.ts';

type LoadPage = (range: TextRange, slot: number) => Buffer;

/** A part of a document. `start` and `end` are offsets in the whole text, in UTF-16 units. */
interface Page extends TextRange {
  readonly start: number;
  readonly end: number;
  readonly isAscii: boolean;
  /** Whether a line feed was added, so that the last line of a document is separate from the next document. */
  readonly isEnded: boolean;
}

const lineFeed = 0x0a;
const byteOrderMark = '\uFEFF';

/** Caches the `slots` most recently used pages. */
function createHeldPages(slots: number, load: LoadPage): (index: number, range: TextRange) => Buffer {
  /** The pages in the slots by page index, most recently used last. */
  const held = new Map<number, { readonly slot: number; readonly bytes: Buffer }>();
  return (index, range) => {
    const known = held.get(index);
    const [oldest] = known !== undefined || held.size < slots ? [] : held;
    const slot = oldest ? oldest[1].slot : held.size;
    const page = known ?? { slot, bytes: load(range, slot) };
    held.delete(oldest?.[0] ?? index);
    held.set(index, page);
    return page.bytes.subarray(0, range.endByte - range.startByte);
  };
}

/** Returns where to end a page: after the last line feed, else between two characters. */
function wholeEnd(bytes: Buffer): number {
  const feed = bytes.lastIndexOf(lineFeed);
  if (feed >= 0) return feed + 1;
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end -= 1;
  return bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length;
}

function decode(bytes: Buffer, { startByte, isEnded, ...page }: Pick<Page, 'isAscii' | 'startByte' | 'isEnded'>) {
  const text = page.isAscii ? bytes.toString('latin1') : bytes.toString();
  const plain = startByte === 0 && text.startsWith(byteOrderMark) ? text.slice(1) : text;
  return isEnded ? `${plain}\n` : plain;
}

function readLayout(documents: readonly SourceDocument[], bytesOf: (index: number, range: TextRange) => Buffer) {
  const pages: Page[] = [];
  const starts: number[] = [];
  const length = () => pages.at(-1)?.end ?? 0;
  for (const [document, { bytes: size }] of documents.entries()) {
    starts.push(length());
    for (let startByte = 0; startByte < size; startByte = pages.at(-1)!.endByte) {
      const most = Math.min(size, startByte + guestPageBytes);
      const loaded = bytesOf(pages.length, { document, startByte, endByte: most });
      const bytes = most === size ? loaded : loaded.subarray(0, wholeEnd(loaded));
      const endByte = startByte + bytes.length;
      const isEnded = endByte === size && document < documents.length - 1 && bytes.at(-1) !== lineFeed;
      const page = { document, startByte, endByte, isAscii: isAscii(bytes), isEnded };
      pages.push({ ...page, start: length(), end: length() + decode(bytes, page).length });
    }
  }
  return { pages, starts: [...starts, length()] };
}

/**
 * Converts an offset in the text to a byte offset in the document. If the page has invalid bytes, returns the start of
 * the page, or its end if `isEnd`.
 * @param markBytes number of bytes of the page's byte order mark, which `text` lacks.
 */
function decodedByteAt(page: Page, text: string, markBytes: number, offset: number, isEnd: boolean): number {
  const size = page.endByte - page.startByte;
  const isValid = Buffer.byteLength(text) + markBytes - (page.isEnded ? 1 : 0) === size;
  const inside = Math.min(size, Buffer.byteLength(text.slice(0, offset - page.start)) + markBytes);
  return page.startByte + (isValid ? inside : isEnd ? size : 0);
}

/** The number of pages that stay decoded, because decoding non-ASCII text takes longer than searching it. */
const decodedPages = 32;
const foldedPages = 8;

/** The concatenated text of all documents, only partly in memory. */
export type TextPages = ReturnType<typeof createTextPages>;

/** Creates the pages of the documents. @param slots how many pages are kept in memory. */
export function createTextPages(documents: readonly SourceDocument[], slots: number, load: LoadPage) {
  const held = createHeldPages(slots, load);
  let known: ReturnType<typeof readLayout> | null = null;
  const layout = () => {
    known ??= readLayout(documents, held);
    return known;
  };
  const page = (index: number): Page => layout().pages[index]!;
  const bytesOf = (index: number) => held(index, page(index));
  const decoded = createMemo(decodedPages, (key) => decode(bytesOf(Number(key)), page(Number(key))));
  const folded = createMemo(foldedPages, (key) => lower(decoded(key)));
  const text = (index: number) => decoded(String(index));

  function pageAt(offset: number): number {
    const { pages } = layout();
    return Math.max(0, firstWhere(0, pages.length, (index) => pages[index]!.start > offset) - 1);
  }

  function byteAt(index: number, offset: number, isEnd: boolean): number {
    const wanted = page(index);
    if (wanted.isAscii) return Math.min(wanted.endByte, wanted.startByte + offset - wanted.start);
    const isMarked = wanted.startByte === 0 && bytesOf(index).toString().startsWith(byteOrderMark);
    return decodedByteAt(wanted, text(index), isMarked ? 3 : 0, offset, isEnd);
  }

  return {
    /** Returns the length of the whole text in UTF-16 units. */
    length: () => layout().starts.at(-1)!,
    count: () => layout().pages.length,
    page,
    pageAt,
    text,
    folded: (index: number) => folded(String(index)),
    /** Returns the start of each document, and the end of the last one. */
    documentStarts: () => layout().starts,
    rangesOf(from: number, to: number): TextRange[] {
      const { starts } = layout();
      return documents.flatMap((_, document) => {
        const [first, last] = [Math.max(from, starts[document]!), Math.min(to, starts[document + 1]!)];
        if (last <= first) return [];
        const startByte = byteAt(pageAt(first), first, false);
        return [{ document, startByte, endByte: byteAt(pageAt(last - 1), last, true) }];
      });
    },
  };
}
