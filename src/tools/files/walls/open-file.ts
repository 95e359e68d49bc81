import { closeSync, readSync } from 'node:fs';
import type { Checked } from './open-checked.ts';

/** A regular file under a root, open for reading. */
export interface OpenFile {
  /** A path that leads to it again, as the user would type it. */
  readonly name: string;
  /** Size when it was opened. */
  readonly bytes: number;
  /**
   * Reads bytes of it, fewer at its end.
   * @param scratch takes them, where it is large enough.
   * @throws the system's error.
   */
  read(startByte: number, endByte: number, scratch?: Buffer): Buffer;
  close(): void;
}

/** Makes an opened and checked file readable. Closing it closes the descriptor. */
export function toOpenFile({ descriptor, stats }: Checked, name: string): OpenFile {
  return {
    name,
    bytes: Number(stats.size),
    read(startByte, endByte, scratch) {
      const length = Math.max(0, endByte - startByte);
      const isFitting = scratch !== undefined && scratch.length >= length;
      return fill(descriptor, startByte, isFitting ? scratch.subarray(0, length) : Buffer.allocUnsafe(length));
    },
    close: () => closeSync(descriptor),
  };
}

function fill(descriptor: number, startByte: number, bytes: Buffer): Buffer {
  let filled = 0;
  for (let count = -1; count !== 0 && filled < bytes.length; filled += count)
    count = readSync(descriptor, bytes, filled, bytes.length - filled, startByte + filled);
  return bytes.subarray(0, filled);
}
