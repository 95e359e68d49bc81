import { isAscii } from 'node:buffer';
import { pageBytes } from './messages.ts';
import type { SourceDocument, TextRange } from './text-source.ts';

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

/** Loads bytes of a document into a slot and returns them. */
export type LoadPage = (range: TextRange, slot: number) => Buffer;

const lineFeed = 0x0a;
const byteOrderMark = '\uFEFF';
/** The room for decoded strings: decoding what is not ASCII takes longer than searching it. */
const decodedBytes = 160 * pageBytes;
/** ASCII is decoded anew each time, in pieces so small that their strings are freed soon. */
const asciiBytes = 64 * 1024;

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

const decode = (bytes: Buffer, ascii: boolean, isStart: boolean): string => {
  if (ascii) return bytes.toString('latin1');
  const text = bytes.toString();
  return isStart && text.startsWith(byteOrderMark) ? text.slice(1) : text;
};

/** @param slots how many pages are kept in memory. */
export function createTextPages(documents: readonly SourceDocument[], slots: number, load: LoadPage): TextPages {
  let pages: Page[] | null = null;
  const starts: number[] = [];
  const loads: TextRange[] = [];
  /** The load in each slot, the one used last at the end. */
  const held = new Map<number, { readonly slot: number; readonly bytes: Buffer }>();
  const decoded = new Map<number, string>();
  let keptBytes = 0;

  function take(index: number, range: TextRange): Buffer {
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
  }

  function bytesOf({ load: index, startByte, endByte }: Pick<Page, 'load' | 'startByte' | 'endByte'>): Buffer {
    const range = loads[index]!;
    return take(index, range).subarray(startByte - range.startByte, endByte - range.startByte);
  }

  function textOf(
    bytes: Buffer,
    { isAscii: ascii, startByte, isEnded }: Pick<Page, 'isAscii' | 'startByte' | 'isEnded'>,
  ) {
    const text = decode(bytes, ascii, startByte === 0);
    return isEnded ? `${text}\n` : text;
  }

  function readPages(found: Page[], document: number): void {
    const { bytes: size } = documents[document]!;
    const isLastDocument = document === documents.length - 1;
    for (let startByte = 0; startByte < size; ) {
      const most = Math.min(size, startByte + pageBytes);
      const load = loads.length;
      const loaded = take(load, { document, startByte, endByte: most });
      const bytes = loaded.subarray(0, cut(loaded, most === size));
      const endByte = startByte + bytes.length;
      loads.push({ document, startByte, endByte });
      const ascii = isAscii(bytes);
      const step = ascii ? asciiBytes : bytes.length;
      for (let at = 0; at < bytes.length; at += step) {
        const part = bytes.subarray(at, at + step);
        const isEnded = startByte + at + part.length === size && !isLastDocument && part.at(-1) !== lineFeed;
        const place = { document, startByte: startByte + at, endByte: startByte + at + part.length };
        const page = { ...place, load, isAscii: ascii, isEnded };
        const start = found.at(-1)?.end ?? 0;
        const units = ascii ? part.length + (isEnded ? 1 : 0) : textOf(part, page).length;
        found.push({ ...page, start, end: start + units });
      }
      startByte = endByte;
    }
  }

  /** Reads the whole text once, to know its length, when that is first needed. */
  function all(): readonly Page[] {
    if (pages !== null) return pages;
    const found: Page[] = [];
    for (let document = 0; document < documents.length; document++) {
      starts.push(found.at(-1)?.end ?? 0);
      readPages(found, document);
    }
    starts.push(found.at(-1)?.end ?? 0);
    pages = found;
    return pages;
  }

  const length = () => all().at(-1)?.end ?? 0;

  function pageAt(offset: number): number {
    let [low, high] = [0, all().length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (all()[middle]!.start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function text(index: number): string {
    const page = all()[index]!;
    if (page.isAscii) return textOf(bytesOf(page), page);
    const known = decoded.get(index);
    if (known !== undefined) return known;
    const made = textOf(bytesOf(page), page);
    keptBytes += 2 * made.length;
    for (const [oldest, kept] of decoded) {
      if (keptBytes <= decodedBytes) break;
      decoded.delete(oldest);
      keptBytes -= 2 * kept.length;
    }
    decoded.set(index, made);
    return made;
  }

  function bytes(index: number): Buffer | null {
    const page = all()[index]!;
    return page.isAscii && !page.isEnded ? bytesOf(page) : null;
  }

  /** Where replaced bytes cannot be counted, returns the nearer end of the page. */
  function byteAt(index: number, offset: number, isEnd: boolean): number {
    const page = all()[index]!;
    const size = page.endByte - page.startByte;
    if (page.isAscii) return page.startByte + Math.min(size, offset - page.start);
    const whole = text(index);
    const mark = page.startByte === 0 && bytesOf(page).toString().startsWith(byteOrderMark) ? 3 : 0;
    const isValid = Buffer.byteLength(whole) + mark - (page.isEnded ? 1 : 0) === size;
    const inside = Math.min(size, Buffer.byteLength(whole.slice(0, offset - page.start)) + mark);
    return page.startByte + (isValid ? inside : isEnd ? size : 0);
  }

  function rangeIn(document: number, from: number, to: number): TextRange {
    const [first, last] = [pageAt(from), pageAt(to - 1)];
    return { document, startByte: byteAt(first, from, false), endByte: byteAt(last, to, true) };
  }

  return {
    length,
    count: () => all().length,
    page: (index) => all()[index]!,
    pageAt,
    text,
    slice: (index, from, to) => bytes(index)?.toString('latin1', from, to) ?? text(index).slice(from, to),
    bytes,
    documentStarts: () => {
      all();
      return starts;
    },
    rangesOf(from, to) {
      all();
      return documents.flatMap((_, document) => {
        const [first, last] = [Math.max(from, starts[document]!), Math.min(to, starts[document + 1]!)];
        return last > first ? [rangeIn(document, first, last)] : [];
      });
    },
  };
}
