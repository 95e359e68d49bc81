import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { untilAborted } from '../base/abort.ts';
import { counted } from '../base/text.ts';
import { packageRoot, readBinary } from '../config/folders.ts';
import { type FromWorker, type HostCall, readMessage, type TextRange, type TurnEnd } from './from-worker.ts';
import {
  type CompiledInterpreter,
  type GuestTextSource,
  guestPageBytes,
  type SandboxLimits,
  type ToWorker,
  type WorkerSetup,
} from './messages.ts';

/** The outcome of a request to the worker. `lost`: the thread cannot be used any more; `why` is the reason. */
export type Ended = TurnEnd | Extract<FromWorker, { kind: 'value' }> | { readonly kind: 'lost'; readonly why: string };

interface TurnParts {
  readonly answer: (call: HostCall) => Promise<string>;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
}

/** Time in ms that a worker has after the time limit to stop its code. Then the worker is terminated. */
const graceMs = 500;

/**
 * Sends a message to the worker and answers its calls until the worker has handled the message or the time limit has
 * passed. Rejects with the signal's reason.
 */
export function untilEnded(
  thread: ReturnType<typeof startWorker>,
  first: ToWorker,
  { answer, limits, signal }: TurnParts,
): Promise<Ended> {
  let timer: NodeJS.Timeout | undefined;
  let [made, open, isOver] = [0, 0, false];
  let [leftMs, since] = [limits.turnMs + graceMs, 0];

  const ended = new Promise<Ended>((resolve) => {
    const lose = (why: string) => resolve({ kind: 'lost', why });
    const tooLong = `it took longer than ${limits.turnMs / 1000} s and could not be stopped in another way`;
    /** Stops the timer while calls are open, because the limit excludes their time. */
    function watch(): void {
      if (timer !== undefined) leftMs -= performance.now() - since;
      clearTimeout(timer);
      since = performance.now();
      timer = open === 0 && !isOver ? setTimeout(() => lose(tooLong), leftMs) : undefined;
    }
    async function begin({ id, ...call }: HostCall): Promise<void> {
      made += 1;
      if (id !== made) return lose('it sent an invalid message');
      open += 1;
      watch();
      const reply = await answerOne({ id, ...call }).then(
        (text) => ({ text, isFailure: false }),
        (error) => ({ text: error instanceof Error ? error.message : 'it failed', isFailure: true }),
      );
      open -= 1;
      watch();
      if (!isOver) thread.send({ kind: 'reply', id, ...reply });
    }
    async function answerOne(call: HostCall): Promise<string> {
      if (made > limits.calls) throw new Error(`a turn may make at most ${counted(limits.calls, 'call')}`);
      return answer(call);
    }
    thread.onLost = lose;
    thread.onMessage = (message) => {
      // Ignores messages after the end, because answering a call would cost money.
      if (isOver || message.kind === 'ready') return;
      if (message.kind === 'call') void begin(message);
      else resolve(message);
    };
    if (signal.aborted) return;
    watch();
    thread.send(first);
  });
  return untilAborted(ended, signal).finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
}

const mostPages = 128;
/** Memory for text as strings and for the arguments of calls. */
const heapMb = 512;
const stackSizeMb = 16;

const slotsFor = ({ documents }: GuestTextSource): number => {
  const bytes = documents.reduce((total, document) => total + document.bytes, 0);
  return Math.min(mostPages, Math.ceil(bytes / guestPageBytes) + 1);
};

function isThere({ document, startByte, endByte }: TextRange, { documents }: GuestTextSource): boolean {
  const size = documents[document]?.bytes ?? -1;
  return startByte <= endByte && endByte <= size;
}

const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => CompiledInterpreter } }
).WebAssembly;

let compiled: CompiledInterpreter | null = null;

/** Returns one module for all threads, because optimizing its machine code takes 200 ms of processor time. */
function interpreterOfAll(): CompiledInterpreter {
  compiled ??= new Module(readBinary('sandbox', 'emscripten-module.wasm'));
  return compiled;
}

function launch(workerData: WorkerSetup): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, stackSizeMb };
  const restrictions = { resourceLimits, env: {}, execArgv: [], stdout: true, stderr: true };
  const path = join(packageRoot, 'dist', 'sandbox-worker.js');
  return new Worker(path, { workerData, transferList: [workerData.port], ...restrictions });
}

/** Copies text into a slot. Returns the number of copied bytes; null if the range or the slot is invalid. */
function fill(pages: SharedArrayBuffer, slot: number, range: TextRange, source: GuestTextSource): number | null {
  const { document, startByte, endByte } = range;
  const size = endByte - startByte;
  if (!isThere(range, source) || size > guestPageBytes || (slot + 1) * guestPageBytes > pages.byteLength) return null;
  const page = new Uint8Array(pages, slot * guestPageBytes, size);
  const bytes = source.read(document, startByte, endByte, page);
  if (bytes.buffer !== page.buffer) page.set(bytes);
  return bytes.length;
}

export function startWorker(source: GuestTextSource, memoryMb: number, seed: number) {
  const { port1: port, port2 } = new MessageChannel();
  const pages = new SharedArrayBuffer(slotsFor(source) * guestPageBytes);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const documents = source.documents.map(({ name, bytes }) => ({ name, bytes }));
  const worker = launch({ documents, pages, flag, port: port2, interpreter: interpreterOfAll(), memoryMb, seed });
  let isOver = false;
  const thread = {
    onMessage: (_: Exclude<FromWorker, { kind: 'read' }>): void => {},
    /** Called once, with the reason, if the thread ends before `end` is called. */
    onLost: (_: string): void => {},
    send(message: ToWorker) {
      port.postMessage(message);
      Atomics.add(flag, 0, 1);
      Atomics.notify(flag, 0);
    },
    /** Sets whether the process stays alive for the thread. */
    hold: (isHeld: boolean) => (isHeld ? port.ref() : port.unref()),
    end() {
      isOver = true;
      port.close();
      void worker.terminate();
    },
  };

  function lose(why: string): void {
    if (isOver) return;
    thread.end();
    thread.onLost(why);
  }

  function sendText(range: TextRange, slot: number): void {
    try {
      const bytes = fill(pages, slot, range, source);
      if (bytes === null) lose('it asked for text that is not there');
      else thread.send({ kind: 'page', bytes });
    } catch {
      lose('the text cannot be read any more');
    }
  }

  port.on('message', (raw: unknown) => {
    const message = readMessage(raw);
    if (message === null) lose('it sent an invalid message');
    else if (message.kind === 'call' && !message.ranges.every((range) => isThere(range, source)))
      lose('it named text that is not there');
    else if (message.kind === 'read') sendText(message.range, message.slot);
    else thread.onMessage(message);
  });
  worker.on('error', ({ code }: NodeJS.ErrnoException) =>
    lose(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it used up its memory' : 'its interpreter failed'),
  );
  worker.on('exit', () => lose('its thread ended'));
  worker.unref();
  return thread;
}
