import { readBuffer, type TextSource } from '../shown-text.ts';

/** A part of a document that is searched at once. */
export interface BlockPlace {
  readonly startByte: number;
  /** Whole lines, or the beginning of a line that is longer than a block. */
  readonly bytes: Buffer;
  /** Whether it is the beginning of such a line. */
  readonly isCut: boolean;
}

const lineFeed = 0x0a;

/**
 * Reads the block that begins with the line at `startByte` and fits `room`.
 * @param room memory of that size for the block; allocating it for each block would take longer than searching for a
 *   rare text.
 */
export function readBlock(
  store: TextSource,
  document: number,
  startByte: number,
  blockBytes: number,
  room?: Uint8Array,
): BlockPlace {
  const size = store.documents[document]!.bytes;
  const bytes = readBuffer(store, document, startByte, Math.min(size, startByte + blockBytes), room);
  if (startByte + bytes.length >= size) return { startByte, bytes, isCut: false };
  const end = bytes.lastIndexOf(lineFeed) + 1;
  return end === 0 ? { startByte, bytes, isCut: true } : { startByte, bytes: bytes.subarray(0, end), isCut: false };
}
