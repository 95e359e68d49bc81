import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../config/folders.ts';
import { type ReadLimits, UnreadableFile } from './reader.ts';
import type { DoneJob, Job, ReaderOutcome } from './worker.ts';

const maxWorkers = 2;
const idleMs = 2_000;
/** Memory limits of a thread; only a hostile file needs more. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, stackSizeMb: 8 };

export type JobLimits = Pick<ReadLimits, 'timeoutMs' | 'signal'>;

const idle: Worker[] = [];
const waiting: (() => void)[] = [];
let busy = 0;

/** Runs a job in another thread, which ends when it takes too long or too much memory. Throws UnreadableFile. */
export async function runJob(job: Job, limits: JobLimits): Promise<DoneJob> {
  await takePlace();
  try {
    const outcome = await runIn(idle.pop() ?? startWorker(), job, limits);
    if (outcome.kind === 'text') return outcome;
    throw new UnreadableFile(outcome.reason, outcome.detail);
  } finally {
    busy--;
    waiting.shift()?.();
  }
}

async function runIn(worker: Worker, job: Job, limits: JobLimits): Promise<ReaderOutcome> {
  worker.ref();
  try {
    const outcome = await untilDone(worker, job, limits);
    // A thread in which a file failed is not used again.
    if (outcome.kind === 'text') keepForNext(worker);
    else void worker.terminate();
    return outcome;
  } catch (error) {
    void worker.terminate();
    throw error;
  }
}

async function takePlace(): Promise<void> {
  while (busy >= maxWorkers) await new Promise<void>((resolve) => waiting.push(resolve));
  busy++;
}

/** Starts a thread. What a parser prints is discarded. */
const startWorker = (): Worker =>
  new Worker(join(packageRoot, 'dist', 'reader-worker.js'), {
    resourceLimits,
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
  });

/** Keeps a thread for the next file, without keeping the process alive: starting one takes time. */
function keepForNext(worker: Worker): void {
  const drop = () => {
    const index = idle.indexOf(worker);
    if (index >= 0) void idle.splice(index, 1)[0]!.terminate();
  };
  worker.unref();
  worker.once('error', drop);
  idle.push(worker);
  setTimeout(drop, idleMs).unref();
}

function untilDone(worker: Worker, job: Job, { timeoutMs, signal }: JobLimits): Promise<ReaderOutcome> {
  signal.throwIfAborted();
  const over = new AbortController();
  const timeout = setTimeout(() => over.abort(), timeoutMs);
  worker.removeAllListeners();
  return new Promise<ReaderOutcome>((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true, signal: over.signal });
    worker.once('message', resolve);
    worker.once('error', (error) => reject(failure(error)));
    worker.once('exit', () => reject(new UnreadableFile('corrupt', 'it ended its reader')));
    over.signal.addEventListener('abort', () => reject(tooSlow(timeoutMs)));
    const bytes = new Uint8Array(job.bytes);
    worker.postMessage({ ...job, bytes }, [bytes.buffer]);
  }).finally(() => {
    clearTimeout(timeout);
    over.abort();
    worker.removeAllListeners();
  });
}

const tooSlow = (timeoutMs: number) =>
  new UnreadableFile('too slow to read', `not done after ${timeoutMs / 1000} s (inputs.readTimeout)`);

function failure(error: Error): Error {
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return outOfMemory ? new UnreadableFile('too large', 'reading it needs too much memory') : error;
}
