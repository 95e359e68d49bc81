import { readBuffer } from '../../../context/shown-text.ts';
import type { RecordDocument } from '../record-document.ts';

const blockBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** Returns a function that returns the line of a byte, from 1. Its bytes must not decrease. */
export function createLineCounter({ source, index, bytes }: RecordDocument): (byte: number) => number {
  let [start, block, at, line] = [0, Buffer.alloc(0), 0, 1];
  /** Counts the line feeds of the block up to an offset. */
  function countTo(offset: number): void {
    for (let feed = block.indexOf(lineFeed, at); feed !== -1 && feed < offset; feed = block.indexOf(lineFeed, at)) {
      line++;
      at = feed + 1;
    }
  }
  return (byte) => {
    while (byte >= start + block.length && start + block.length < bytes) {
      countTo(block.length);
      start += block.length;
      block = Buffer.from(readBuffer(source, index, start, Math.min(bytes, start + blockBytes)));
      at = 0;
    }
    countTo(byte - start);
    return line;
  };
}
