import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createCounts } from '../../../base/arrays.ts';
import { packageRoot } from '../../../config/folders.ts';
import { createSpool } from '../../../context/store/spool.ts';
import { type CountedPostings, type IndexBuilder, memoryBytes } from '../postings.ts';

const lineFeed = 0x0a;

/**
 * Creates a batch: chunks that are sent to the thread together. A line feed separates the parts of a chunk.
 * @param usualBytes the minimum size of its buffer.
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

/** A request to the counting thread: chunks and the end offset of each, or `finish` when the text is complete. */
export type CountingRequest =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> }
  | 'finish';

/** The thread's answer to each request. */
export interface CountedBatch {
  /** The segments that this request finished. */
  readonly pieces: readonly Uint8Array[];
  /** The postings, in the answer to `finish`; null in other answers. */
  readonly done: CountedPostings | null;
}

/** The thread could not be started or has ended. All that it counted is lost. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

const batchBytes = 512 * 1024;
const mostWaiting = 8;

const startWorker = (): Worker =>
  new Worker(join(packageRoot, 'dist', 'counting-worker.js'), { stdout: true, stderr: true, env: {}, execArgv: [] });

/** Creates a builder that counts in another thread. `room` and `finish` reject with `no-space` or `ThreadLost`. */
export function createThreadedBuilder(start: () => Worker = startWorker): IndexBuilder {
  const spool = createSpool(memoryBytes);
  const worker = start();
  const batch = createBatch(batchBytes);
  const changes = new EventTarget();
  let waiting = 0;
  let done: CountedPostings | null = null;
  let failure: unknown = null;

  const announce = () => changes.dispatchEvent(new Event('change'));
  const fail = (error: unknown) => {
    failure ??= error;
    announce();
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
    announce();
  });
  worker.on('error', (error) => fail(new ThreadLost(error.message)));
  worker.on('exit', () => fail(new ThreadLost('it ended')));

  /** Sends a request. Until the thread has answered all requests, it keeps the process alive. */
  function send(request: CountingRequest): void {
    if (waiting++ === 0) worker.ref();
    worker.postMessage(request, request === 'finish' ? [] : [request.bytes.buffer, request.ends.buffer]);
  }
  async function until(isReached: () => boolean): Promise<void> {
    while (failure === null && !isReached())
      await new Promise((resolve) => changes.addEventListener('change', resolve, { once: true }));
    if (failure !== null) throw failure;
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
