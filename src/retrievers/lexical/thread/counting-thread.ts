import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../../config/package-root.ts';
import { createSpool } from '../../../context/store/spool.ts';
import { type CountedPostings, type IndexBuilder, memoryBytes } from '../postings.ts';
import { createBatch } from './batch.ts';
import type { CountedBatch, CountingRequest } from './messages.ts';
import { ThreadLost } from './thread-lost.ts';

/** Chunks of so many bytes are sent at once. */
const batchBytes = 512 * 1024;
/** So many batches wait for the thread at most: whoever brings more waits, too. */
const mostWaiting = 8;

const startWorker = (): Worker =>
  new Worker(join(packageRoot, 'dist', 'counting-worker.js'), { stdout: true, stderr: true, env: {}, execArgv: [] });

/**
 * A builder that counts in another thread, with the ranking that is shipped. `room` and `finish` reject with RlmError
 * `no-space`, and with ThreadLost.
 */
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
  const keep = (counted: CountedBatch) => {
    waiting--;
    if (waiting === 0) worker.unref();
    for (const piece of counted.pieces) spool.append(piece);
    done = counted.done;
  };
  worker.unref();
  worker.on('message', (counted: CountedBatch) => {
    try {
      keep(counted);
    } catch (error) {
      lose(error);
    }
    tell();
  });
  worker.on('error', (error) => lose(new ThreadLost(error.message)));
  worker.on('exit', () => lose(new ThreadLost('it ended')));

  /** A thread that works holds the process; one that waits does not. */
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
