import { createCounts } from '../../../base/growing-array.ts';
import type { CountingRequest } from './messages.ts';

const lineFeed = 0x0a;

/** Chunks that are sent to the thread together. */
export interface Batch {
  /** Copies a part of the chunk; a line feed separates it from the previous part. */
  add(bytes: Uint8Array): void;
  endChunk(): void;
  bytes(): number;
  /** Returns what was collected, and empties the batch. */
  take(): Exclude<CountingRequest, 'finish'>;
}

/** @param usualBytes bytes that are allocated at once. */
export function createBatch(usualBytes: number): Batch {
  let buffer = new Uint8Array(0);
  let length = 0;
  let chunkStart = 0;
  const ends = createCounts();
  const makeRoom = (wanted: number) => {
    const larger = new Uint8Array(Math.max(usualBytes, wanted, buffer.length * 2));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    add: (bytes) => {
      const wanted = length + 1 + bytes.length;
      if (wanted > buffer.length) makeRoom(wanted);
      if (length > chunkStart) buffer[length++] = lineFeed;
      buffer.set(bytes, length);
      length += bytes.length;
    },
    endChunk: () => {
      ends.push(length);
      chunkStart = length;
    },
    bytes: () => length,
    take: () => {
      const taken = { bytes: buffer.subarray(0, length), ends: ends.values().slice() };
      buffer = new Uint8Array(0);
      length = 0;
      chunkStart = 0;
      ends.truncate(0);
      return taken;
    },
  };
}
