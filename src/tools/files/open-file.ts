import { closeSync, readSync } from 'node:fs';
import type { Checked } from './open-checked.ts';

/** A regular file under a root, open for reading. */
export interface OpenFile {
  /** A path that leads to it again, as the user would type it. */
  readonly name: string;
  /** When it was opened. */
  readonly bytes: number;
  /** Bytes of it, fewer where it ends. Throws the system's error. */
  read(startByte: number, endByte: number): Buffer;
  close(): void;
}

/** Makes a file that was opened and checked readable; closing it closes that. */
export function toOpenFile({ descriptor, stats }: Checked, name: string): OpenFile {
  return {
    name,
    bytes: Number(stats.size),
    read: (startByte, endByte) => readRange(descriptor, startByte, endByte - startByte),
    close: () => closeSync(descriptor),
  };
}

function readRange(descriptor: number, startByte: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  let filled = 0;
  for (let count = -1; count !== 0 && filled < bytes.length; filled += count)
    count = readSync(descriptor, bytes, filled, bytes.length - filled, startByte + filled);
  return bytes.subarray(0, filled);
}
