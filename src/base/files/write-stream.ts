import { constants, createWriteStream, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { errnoOf, statsOf } from './system.ts';

const readerWaitMs = 2_000;
const readerCheckMs = 50;

/** Opens a named pipe without blocking. Waits up to 2 s for a reader. Throws the system's `ENXIO` if none comes. */
function openPipe(path: string): number {
  const until = performance.now() + readerWaitMs;
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (errnoOf(error) !== 'ENXIO' || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, readerCheckMs);
    }
  }
}

/**
 * Opens a file to replace its content or to append to it. A named pipe needs a reader. While the reader does not read,
 * the stream holds the text in memory: a write that blocks the process would also block its signals.
 * @returns a stream; `endWriting` reports a failed write.
 * @throws the system's error: `ENXIO` for a named pipe without a reader.
 */
export function openToWrite(path: string, flag: 'w' | 'wx' | 'a', mode?: number): Writable {
  const isPipe = flag !== 'wx' && statsOf(path)?.isFIFO() === true;
  const stream = isPipe
    ? new Socket({ fd: openPipe(path), readable: false, writable: true })
    : createWriteStream(path, { fd: openSync(path, flag, mode) });
  return stream.on('error', () => {});
}

/** Writes the last text, and closes the stream. Rejects with the system's error if any write failed. */
export async function endWriting(stream: Writable, text = ''): Promise<void> {
  stream.end(text);
  await finished(stream);
}
