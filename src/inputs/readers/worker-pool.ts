import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../config/folders.ts';
import type { ExtractionJob } from './extractor.ts';
import { type ReadLimits, tooSlow, UnreadableFile } from './reader.ts';
import type { DoneJob, ReaderOutcome } from './worker.ts';

const maxWorkers = 2;
const idleMs = 2_000;
/** Memory limits of a thread; only a hostile file needs more. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, stackSizeMb: 8 };

export type JobLimits = Pick<ReadLimits, 'timeoutMs' | 'signal'>;

const idle: Worker[] = [];
/** The timers that end unused threads. */
const endings = new WeakMap<Worker, NodeJS.Timeout>();
const waiting: (() => void)[] = [];
let busy = 0;

/** Runs a job in another thread, which is ended when it takes too much time or memory. Throws UnreadableFile. */
export async function runJob(job: ExtractionJob, limits: JobLimits): Promise<DoneJob> {
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

async function runIn(worker: Worker, job: ExtractionJob, limits: JobLimits): Promise<ReaderOutcome> {
  try {
    const outcome = await outcomeOf(worker, job, limits);
    // A thread in which a file failed is not used again.
    if (outcome.kind === 'text') keepForNext(worker);
    else void worker.terminate();
    return outcome;
  } catch (error) {
    void worker.terminate();
    throw error;
  }
}

async function outcomeOf(worker: Worker, job: ExtractionJob, { timeoutMs, signal }: JobLimits) {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const over = new AbortController();
  const until = { signal: AbortSignal.any([signal, timeout, over.signal]) };
  const bytes = new Uint8Array(job.bytes);
  worker.ref();
  worker.postMessage({ ...job, bytes }, [bytes.buffer]);
  try {
    const exit = once(worker, 'exit', until).then((): never => {
      throw new UnreadableFile('corrupt', 'the thread that read it has ended');
    });
    const [outcome] = await Promise.race([once(worker, 'message', until), exit]);
    return outcome as ReaderOutcome;
  } catch (error) {
    signal.throwIfAborted();
    throw timeout.aborted ? tooSlow(timeoutMs) : failure(error);
  } finally {
    over.abort();
  }
}

async function takePlace(): Promise<void> {
  while (busy >= maxWorkers) await new Promise<void>((resolve) => waiting.push(resolve));
  busy++;
}

/** Starts a thread, and discards the output of parsers. */
function startWorker(): Worker {
  const path = join(packageRoot, 'dist', 'reader-worker.js');
  const worker = new Worker(path, { resourceLimits, stdout: true, stderr: true, env: {}, execArgv: [] });
  return worker.on('error', () => drop(worker));
}

function drop(worker: Worker): void {
  const index = idle.indexOf(worker);
  if (index >= 0) void idle.splice(index, 1)[0]!.terminate();
}

/** Keeps a thread for the next file, since starting one takes time. An idle thread does not keep the process alive. */
function keepForNext(worker: Worker): void {
  worker.unref();
  idle.push(worker);
  clearTimeout(endings.get(worker));
  endings.set(worker, setTimeout(() => drop(worker), idleMs).unref());
}

function failure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new UnreadableFile('too large', 'reading it needs too much memory')
    : error;
}
