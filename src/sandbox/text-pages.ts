import { guestPageBytes } from './messages.ts';
import { byteOrderMark, type Page, type PageLayout, pageText, readLayout } from './page-layout.ts';
import { createPageLoads, type LoadPage } from './page-loads.ts';
import type { SourceDocument, TextRange } from './text-source.ts';

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
