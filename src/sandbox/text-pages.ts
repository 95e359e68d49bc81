import { isAscii } from 'node:buffer';
import { guestPageBytes, type SourceDocument, type TextRange } from './messages.ts';

/** Loads bytes of a document into a slot and returns them. */
export type LoadPage = (range: TextRange, slot: number) => Buffer;

/** The loads that are kept in memory: those used last. */
interface PageLoads {
  /** Returns the bytes of a load, by its index, and loads them where they are not in memory. */
  take(index: number, range: TextRange): Buffer;
}

/** @param slots how many loads are kept in memory. */
function createPageLoads(slots: number, load: LoadPage): PageLoads {
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

/** A stretch of the text that is searched at once. Offsets are in UTF-16 units of the whole text. */
interface Page extends TextRange {
  /** The loads that fill it. */
  readonly load: number;
  readonly start: number;
  readonly end: number;
  readonly isAscii: boolean;
  /** Whether a line feed was added, so that the last line of a document is separate from the next document. */
  readonly isEnded: boolean;
}

/** Where the pages of the text lie. */
interface PageLayout {
  readonly pages: readonly Page[];
  /** The first offset of each document, and the end of the last. */
  readonly starts: readonly number[];
  readonly loads: readonly TextRange[];
}

const lineFeed = 0x0a;
const byteOrderMark = '\uFEFF';
/** ASCII is decoded anew each time, in pieces so small that their strings are freed soon. */
const asciiBytes = 64 * 1024;

/** Reads the whole text once, to know its length. */
function readLayout(documents: readonly SourceDocument[], held: PageLoads): PageLayout {
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
function pageText(bytes: Buffer, page: Pick<Page, 'isAscii' | 'startByte' | 'isEnded'>): string {
  const text = decode(bytes, page.isAscii, page.startByte === 0);
  return page.isEnded ? `${text}\n` : text;
}

/** The text of all documents one after the other, as a string of which only parts are in memory. */
export interface TextPages {
  /** Length in UTF-16 units. */
  length(): number;
  count(): number;
  page(index: number): Page;
  /** Returns the index of the page that holds the offset. */
  pageAt(offset: number): number;
  text(index: number): string;
  /** Returns a part of a page's text. */
  slice(index: number, from: number, to: number): string;
  /** Returns a page's text where each byte is one character; null elsewhere. */
  bytes(index: number): Buffer | null;
  /** The first offset of each document, and the end of the last. */
  documentStarts(): readonly number[];
  /** Returns the byte ranges of a stretch, one for each document that it reaches into. */
  rangesOf(from: number, to: number): readonly TextRange[];
}

/** The room for decoded strings: decoding what is not ASCII takes longer than searching it. */
const decodedBytes = 160 * guestPageBytes;

/** Creates a function that returns the decoded text of a page by its index, and keeps the last ones in memory. */
function createDecodedTexts(decodePage: (index: number) => string): (index: number) => string {
  const decoded = new Map<number, string>();
  let keptBytes = 0;
  return (index) => {
    const known = decoded.get(index);
    if (known !== undefined) return known;
    const made = decodePage(index);
    keptBytes += 2 * made.length;
    for (const [oldest, kept] of decoded) {
      if (keptBytes <= decodedBytes) break;
      decoded.delete(oldest);
      keptBytes -= 2 * kept.length;
    }
    decoded.set(index, made);
    return made;
  };
}

/** Returns the index of the page that holds the offset. */
function indexOfPage(pages: readonly Page[], offset: number): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pages[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Returns the byte of the document at an offset in a page that is not ASCII. Where replaced bytes cannot be counted,
 * returns the nearer end of the page.
 * @param markBytes size of the byte order mark that the page begins with, which is not in its text.
 */
function decodedByteAt(page: Page, text: string, markBytes: number, offset: number, isEnd: boolean): number {
  const size = page.endByte - page.startByte;
  const isValid = Buffer.byteLength(text) + markBytes - (page.isEnded ? 1 : 0) === size;
  const inside = Math.min(size, Buffer.byteLength(text.slice(0, offset - page.start)) + markBytes);
  return page.startByte + (isValid ? inside : isEnd ? size : 0);
}

/** @param slots how many pages are kept in memory. */
export function createTextPages(documents: readonly SourceDocument[], slots: number, load: LoadPage): TextPages {
  const held = createPageLoads(slots, load);
  let known: PageLayout | null = null;
  const layout = (): PageLayout => {
    known ??= readLayout(documents, held);
    return known;
  };
  const page = (index: number): Page => layout().pages[index]!;
  const pageAt = (offset: number): number => indexOfPage(layout().pages, offset);

  function bytesOf({ load: index, startByte, endByte }: Page): Buffer {
    const range = layout().loads[index]!;
    return held.take(index, range).subarray(startByte - range.startByte, endByte - range.startByte);
  }

  const decodePage = (index: number) => pageText(bytesOf(page(index)), page(index));
  const decodedText = createDecodedTexts(decodePage);
  const text = (index: number) => (page(index).isAscii ? decodePage(index) : decodedText(index));

  function bytes(index: number): Buffer | null {
    const wanted = page(index);
    return wanted.isAscii && !wanted.isEnded ? bytesOf(wanted) : null;
  }

  function byteAt(index: number, offset: number, isEnd: boolean): number {
    const wanted = page(index);
    if (wanted.isAscii) return Math.min(wanted.endByte, wanted.startByte + offset - wanted.start);
    const isMarked = wanted.startByte === 0 && bytesOf(wanted).toString().startsWith(byteOrderMark);
    return decodedByteAt(wanted, text(index), isMarked ? 3 : 0, offset, isEnd);
  }

  function rangeIn(document: number, from: number, to: number): TextRange {
    const [first, last] = [pageAt(from), pageAt(to - 1)];
    return { document, startByte: byteAt(first, from, false), endByte: byteAt(last, to, true) };
  }

  return {
    length: () => layout().pages.at(-1)?.end ?? 0,
    count: () => layout().pages.length,
    page,
    pageAt,
    text,
    slice: (index, from, to) => bytes(index)?.toString('latin1', from, to) ?? text(index).slice(from, to),
    bytes,
    documentStarts: () => layout().starts,
    rangesOf(from, to) {
      const { starts } = layout();
      return documents.flatMap((_, document) => {
        const [first, last] = [Math.max(from, starts[document]!), Math.min(to, starts[document + 1]!)];
        return last > first ? [rangeIn(document, first, last)] : [];
      });
    },
  };
}
