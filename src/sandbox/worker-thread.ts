import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { packageRoot } from '../config/folders.ts';
import {
  type CompiledInterpreter,
  type FromWorker,
  guestPageBytes,
  readMessage,
  type ToWorker,
  type WorkerSetup,
} from './messages.ts';
import type { GuestTextSource, TextRange } from './text-source.ts';

/** A thread that runs code, seen from the main thread. */
export interface WorkerThread {
  send(message: ToWorker): void;
  /** Sets whether the process stays alive for it. */
  hold(isHeld: boolean): void;
  /** Called with each message but requests for text, which are answered here. */
  onMessage: (message: Exclude<FromWorker, { kind: 'read' }>) => void;
  /** Called once, with the reason, when the thread ends without `end`. */
  onLost: (why: string) => void;
  end(): void;
}

/** Pages of text that are kept in memory, at most. */
const mostPages = 128;
/** Memory for text as strings and for what the code passes on. */
const heapMb = 512;
const stackSizeMb = 16;

const slotsFor = ({ documents }: GuestTextSource): number => {
  const bytes = documents.reduce((total, document) => total + document.bytes, 0);
  return Math.min(mostPages, Math.ceil(bytes / guestPageBytes) + 1);
};

/** Whether a range lies within the documents. */
function isThere({ document, startByte, endByte }: TextRange, { documents }: GuestTextSource): boolean {
  const size = documents[document]?.bytes ?? -1;
  return startByte <= endByte && endByte <= size;
}

/** Why a thread ended by itself. */
function whyLost(error: Error): string {
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return outOfMemory ? 'it used up its memory' : 'its interpreter failed';
}

const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => CompiledInterpreter } }
).WebAssembly;

let compiled: CompiledInterpreter | null = null;

/** Returns the interpreter, the same for all threads: optimizing its machine code takes 200 ms of a processor. */
function interpreterOfAll(): CompiledInterpreter {
  compiled ??= new Module(readFileSync(join(packageRoot, 'dist', 'sandbox', 'emscripten-module.wasm')));
  return compiled;
}

/** Starts the worker. It has no environment, and its output is discarded. */
function launch(workerData: WorkerSetup): Worker {
  return new Worker(join(packageRoot, 'dist', 'sandbox-worker.js'), {
    workerData,
    transferList: [workerData.port],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
}

/** Returns the first `size` bytes of a page. Null when there is no such page or it is smaller. */
function pageOf(pages: SharedArrayBuffer, slot: number, size: number): Uint8Array | null {
  if (size > guestPageBytes || (slot + 1) * guestPageBytes > pages.byteLength) return null;
  return new Uint8Array(pages, slot * guestPageBytes, size);
}

/** Copies a range of text into a page. Returns its size in bytes. Throws when the text cannot be read. */
function fill(page: Uint8Array, { document, startByte, endByte }: TextRange, source: GuestTextSource): number {
  const bytes = source.read(document, startByte, endByte, page);
  if (bytes.buffer !== page.buffer) page.set(bytes);
  return bytes.length;
}

/** Creates the main thread's view of a worker. `lose` ends the worker and calls `onLost`, unless it ended before. */
function createThread(worker: Worker, port: MessagePort, flag: Int32Array) {
  let isOver = false;
  const thread: WorkerThread = {
    onMessage: () => {},
    onLost: () => {},
    send(message) {
      port.postMessage(message);
      Atomics.add(flag, 0, 1);
      Atomics.notify(flag, 0);
    },
    hold(isHeld) {
      if (isHeld) port.ref();
      else port.unref();
    },
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
  return { thread, lose };
}

/** Starts the thread. */
export function startWorker(source: GuestTextSource, memoryMb: number, seed: number): WorkerThread {
  const { port1: port, port2 } = new MessageChannel();
  const pages = new SharedArrayBuffer(slotsFor(source) * guestPageBytes);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const documents = source.documents.map(({ name, bytes }) => ({ name, bytes }));
  const worker = launch({ documents, pages, flag, port: port2, interpreter: interpreterOfAll(), memoryMb, seed });
  const { thread, lose } = createThread(worker, port, flag);

  function sendText(range: TextRange, slot: number): void {
    try {
      const page = isThere(range, source) ? pageOf(pages, slot, range.endByte - range.startByte) : null;
      if (page === null) lose('it asked for text that is not there');
      else thread.send({ kind: 'page', bytes: fill(page, range, source) });
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
  worker.on('error', (error) => lose(whyLost(error)));
  worker.on('exit', () => lose('its thread ended'));
  worker.unref();
  return thread;
}
