import { readBuffer, type TextSource } from '../../../../context/shown-text.ts';
import { mostRowBytes } from './row.ts';

const blockBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** A line of a document, and its position. */
export interface LinePlace {
  /** The line without its line feed; null where it is longer than a row may be. */
  readonly line: string | null;
  readonly startByte: number;
  /** Exclusive; with the line feed. */
  readonly endByte: number;
}

/** Yields the lines of a document from one byte to another; an overlong line without its text. */
export function* linesOf(
  store: TextSource,
  document: number,
  startByte = 0,
  endByte = store.documents[document]!.bytes,
): Generator<LinePlace> {
  let start = startByte;
  let held: Buffer[] = [];
  let heldBytes = 0;
  function hold(bytes: Buffer): void {
    heldBytes += bytes.length;
    if (heldBytes > mostRowBytes) held = [];
    else held.push(Buffer.from(bytes));
  }
  /** Returns the line of the buffered bytes and its rest. */
  function lineOf(rest: Buffer): string | null {
    if (heldBytes + rest.length > mostRowBytes) return null;
    return heldBytes === 0 ? rest.toString('utf8') : Buffer.concat([...held, rest]).toString('utf8');
  }
  for (let at = startByte; at < endByte; at += blockBytes) {
    const bytes = readBuffer(store, document, at, Math.min(endByte, at + blockBytes));
    let from = 0;
    for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, from)) {
      const line = lineOf(bytes.subarray(from, feed));
      const place = { line, startByte: start, endByte: at + feed + 1 };
      [start, held, heldBytes, from] = [place.endByte, [], 0, feed + 1];
      yield place;
    }
    hold(bytes.subarray(from));
  }
  if (start < endByte) yield { line: lineOf(Buffer.alloc(0)), startByte: start, endByte };
}
