import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { untilAborted, withDeadline } from '../base/abort.ts';
import { packageRoot, readBinary } from '../config/folders.ts';
import type { TextSource } from '../context/shown-text.ts';
import { RlmError } from '../errors.ts';
import { type FromThread, type Outcomes, pageBytes, type QueryWork, type ThreadSetup } from './messages.ts';
import type { QueryLimits } from './query-result.ts';
import type { CompiledSqlite } from './sqlite/start.ts';
import type { RowOrigin } from './tables/fill-table.ts';

/**
 * The text of a store, or of a view of a store. For a view, `origin` returns the name of the whole document and the
 * line at which the view's part of the document begins.
 */
export type QueriedText = TextSource & {
  origin?(document: number): { readonly source: string; readonly startLine: number };
};

const { Module } = (globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => CompiledSqlite } })
  .WebAssembly;

let compiled: CompiledSqlite | null = null;

/** All threads share the compiled module. */
function compiledSqlite(): CompiledSqlite {
  compiled ??= new Module(readBinary('query', 'sql-wasm.wasm'));
  return compiled;
}

/** Maximum size of the query thread's JavaScript heap, which does not include SQLite's memory. */
const heapMb = 256;
/** Maximum size of the heap's part for new objects. A larger part gains nothing, because lines are short-lived. */
const youngMb = 16;

function launch(text: QueriedText, task: Pick<ThreadSetup, 'work' | 'limits'>, port: MessagePort) {
  const page = new SharedArrayBuffer(pageBytes);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const origins = text.documents.map(({ name }, index): RowOrigin => {
    const origin = text.origin?.(index);
    return { name: origin?.source ?? name, linesBefore: (origin?.startLine ?? 1) - 1 };
  });
  const documents = text.documents.map(({ name, bytes, lines }) => ({ name, bytes, lines }));
  const workerData: ThreadSetup = { ...task, documents, origins, page, flag, port, sqlite: compiledSqlite() };
  const worker = new Worker(join(packageRoot, 'dist', 'query-worker.cjs'), {
    workerData,
    transferList: [port],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  return { worker, page, flag };
}

function fillPage(
  text: TextSource,
  { ranges }: Extract<FromThread, { kind: 'read' }>,
  { page, flag }: { readonly page: SharedArrayBuffer; readonly flag: Int32Array },
): void {
  let status = 2;
  try {
    let at = 0;
    for (const { document, startByte, endByte } of ranges) {
      const room = new Uint8Array(page, at, endByte - startByte);
      const bytes = text.read(document, startByte, endByte, room);
      if (bytes.buffer !== page) room.set(bytes);
      at += room.length;
    }
    status = 1;
  } catch {
    // The status 2 makes the thread report the failure.
  }
  Atomics.store(flag, 0, status);
  Atomics.notify(flag, 0);
}

function lostError(error: Error): RlmError {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new RlmError('query-limit', `reading the records needs more than ${heapMb} MB of memory`, {
      hint: 'Query fewer files, or select fewer columns.',
    });
  return new RlmError('internal', `the thread of the query failed: ${error.message}`, { cause: error });
}

/** Runs work in a thread of its own. Throws RlmError, or the signal's reason as soon as the signal aborts. */
async function inThread<K extends keyof Outcomes>(
  text: QueriedText,
  work: Extract<QueryWork, { kind: K }>,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<Outcomes[K]> {
  signal.throwIfAborted();
  const { port1: port, port2 } = new MessageChannel();
  const { worker, ...buffers } = launch(text, { work, limits }, port2);
  const ended = new Promise<Outcomes[K]>((resolve, reject) => {
    port.on('message', (message: FromThread) => {
      if (message.kind === 'read') fillPage(text, message, buffers);
      else if (message.kind === 'done') resolve(message.outcome as Outcomes[K]);
      else reject(new RlmError(message.code, message.message, { hint: message.hint }));
    });
    worker.on('error', (error) => reject(lostError(error)));
    worker.on('exit', () => reject(new RlmError('internal', 'the thread of the query ended')));
  });
  const tooSlow = (): RlmError =>
    new RlmError('query-limit', `the query took longer than ${limits.timeoutMs / 1000} s and was ended`, {
      hint: 'Query fewer files or rows, or raise query.timeout in the configuration. A recursive query needs an end.',
    });
  try {
    return await withDeadline(limits.timeoutMs, tooSlow, signal, (limited) => untilAborted(ended, limited));
  } finally {
    port.close();
    void worker.terminate();
  }
}

/**
 * Runs one statement of SQL over the records and lines of a text. The statement can only read, and cannot access
 * files or the network.
 * @throws RlmError `query-invalid` for wrong SQL or `query-limit` for a reached limit. Also throws the signal's reason.
 */
export const query = (text: QueriedText, sql: string, limits: QueryLimits, signal: AbortSignal) =>
  inThread(text, { kind: 'query', sql }, limits, signal);

/**
 * Describes the tables of a text: names, column types, first rows, row counts and time ranges.
 * @throws RlmError `query-limit` for a reached limit. Also throws the signal's reason.
 */
export const describeTables = (text: QueriedText, limits: QueryLimits, signal: AbortSignal) =>
  inThread(text, { kind: 'describe' }, limits, signal);

/**
 * Translates a question to SQL by fixed rules and runs it.
 * @throws RlmError `query-limit` for a reached limit. Also throws the signal's reason.
 */
export const translateQuestion = (text: QueriedText, question: string, limits: QueryLimits, signal: AbortSignal) =>
  inThread(text, { kind: 'translate', question }, limits, signal);
