import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createCounts } from '../../../base/arrays.ts';
import { packageRoot } from '../../../config/folders.ts';
import { createSpool } from '../../../context/store/spool.ts';
import { type CountedPostings, type IndexBuilder, memoryBytes } from '../postings.ts';

const lineFeed = 0x0a;

/**
 * Creates an empty batch of chunks that are sent to the thread together; a line feed separates the parts of a chunk.
 * @param usualBytes bytes that are allocated at once.
 */
function createBatch(usualBytes: number) {
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
    add: (bytes: Uint8Array) => {
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
    /** Returns what was collected, and empties the batch. */
    take: (): Exclude<CountingRequest, 'finish'> => {
      const taken = { bytes: buffer.subarray(0, length), ends: ends.values().slice() };
      buffer = new Uint8Array(0);
      length = 0;
      chunkStart = 0;
      ends.truncate(0);
      return taken;
    },
  };
}

/** A request to the counting thread: consecutive chunks with the end of each, or the end of the text. */
export type CountingRequest =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> }
  | 'finish';

/** The thread's answer to each request. */
export interface CountedBatch {
  /** Bytes of segments that were finished meanwhile, in order. */
  readonly pieces: readonly Uint8Array[];
  /** All segments, after the end of the text; else null. */
  readonly done: CountedPostings | null;
}

/** Thrown when a thread cannot be started, or has ended. What it was sent is lost; the text is not. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

/** Bytes of chunks that are sent at once. */
const batchBytes = 512 * 1024;
/** Batches that wait for the thread, at most; then the sender waits too. */
const mostWaiting = 8;

const startWorker = (): Worker =>
  new Worker(join(packageRoot, 'dist', 'counting-worker.js'), { stdout: true, stderr: true, env: {}, execArgv: [] });

/** Creates a builder that counts in another thread. `room` and `finish` reject with `no-space`, and ThreadLost. */
export function createThreadedBuilder(start: () => Worker = startWorker): IndexBuilder {
  const spool = createSpool(memoryBytes);
  const worker = start();
  const batch = createBatch(batchBytes);
  const heard = new EventTarget();
  let waiting = 0;
  let done: CountedPostings | null = null;
  let failure: unknown = null;

  const tell = () => heard.dispatchEvent(new Event('change'));
  const lose = (why: unknown) => {
    failure ??= why;
    tell();
  };
  worker.unref();
  worker.on('message', (counted: CountedBatch) => {
    waiting--;
    if (waiting === 0) worker.unref();
    try {
      for (const piece of counted.pieces) spool.append(piece);
      done = counted.done;
    } catch (error) {
      failure ??= error;
    }
    tell();
  });
  worker.on('error', (error) => lose(new ThreadLost(error.message)));
  worker.on('exit', () => lose(new ThreadLost('it ended')));

  /** A working thread keeps the process alive; a waiting one does not. */
  function send(request: CountingRequest): void {
    if (waiting++ === 0) worker.ref();
    worker.postMessage(request, request === 'finish' ? [] : [request.bytes.buffer, request.ends.buffer]);
  }
  async function until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      if (failure !== null) throw failure;
      await new Promise((resolve) => heard.addEventListener('change', resolve, { once: true }));
    }
  }
  return {
    count: batch.add,
    endChunk: () => {
      batch.endChunk();
      if (batch.bytes() >= batchBytes) send(batch.take());
    },
    room: () => (waiting < mostWaiting && failure === null ? undefined : until(() => waiting < mostWaiting)),
    finish: async () => {
      if (batch.bytes() > 0) send(batch.take());
      send('finish');
      await until(() => done !== null);
      await worker.terminate();
      return { ...done!, bytes: spool };
    },
    close: () => {
      void worker.terminate();
      spool.close();
    },
  };
}
