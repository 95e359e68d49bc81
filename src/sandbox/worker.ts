/**
 * Runs a model's code in a thread of its own, which the main thread can end. The build bundles it as a file of its own.
 */
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { counted } from '../base/text.ts';
import { weigh } from '../context/text-size.ts';
import { createInterpreter, type Interpreter } from './interpreter.ts';
import type { TextRange } from './messages.ts';
import {
  type CodeFinal,
  type FromWorker,
  guestPageBytes,
  mostMissing,
  mostRanges,
  type ToWorker,
  tellsOf,
  type WorkerSetup,
} from './messages.ts';
import { rewriteCode } from './rewrite-code.ts';
import { createTextOperations } from './text-operations.ts';
import { createTextPages } from './text-pages.ts';

const {
  documents,
  pages: shared,
  flag,
  port,
  interpreter: compiled,
  memoryMb,
  seed,
} = workerData as WorkerSetup & {
  readonly port: MessagePort;
};

// The interpreter takes time and randomness from here: both are the same in each run of the code.
Date.now = () => Date.UTC(2000, 0, 1) + seed;
Date.prototype.getTimezoneOffset = () => 0;

const mostKept = 200_000;
/** Characters of what a turn's end tells besides its output. */
const mostTold = 10_000;

/** The state of a turn. */
interface Turn {
  readonly limitMs: number;
  readonly startedAt: number;
  waitedMs: number;
  output: string;
  printed: number;
  /** The size for a model of what was printed, in bytes of ordinary text. */
  weight: number;
  final: CodeFinal | null;
  /** Whether its code has run; then no call can be begun. */
  isEnded: boolean;
  /** The characters of its output that are shown. */
  readonly room: number;
  readonly mostCalls: number;
  /** The number of calls that were begun. */
  calls: number;
  /** The number of calls whose promises were settled: all up to this one. */
  settled: number;
  readonly replies: Map<number, Extract<ToWorker, { kind: 'reply' | 'failed' }>>;
}

const newTurn = (limitMs: number, room: number, mostCalls: number): Turn => ({
  limitMs,
  room,
  mostCalls,
  startedAt: performance.now(),
  waitedMs: 0,
  output: '',
  printed: 0,
  weight: 0,
  final: null,
  isEnded: false,
  calls: 0,
  settled: 0,
  replies: new Map(),
});

let turn = newTurn(10_000, 0, 0);

const post = (message: FromWorker): void => port.postMessage(message);

/** Returns the next message. The thread sleeps until it comes; that is not the code's time. */
function receive(): ToWorker {
  const began = performance.now();
  for (;;) {
    const seen = Atomics.load(flag, 0);
    const received = receiveMessageOnPort(port) as { readonly message: ToWorker } | undefined;
    if (received !== undefined) {
      turn.waitedMs += performance.now() - began;
      return received.message;
    }
    Atomics.wait(flag, 0, seen);
  }
}

/** Receives until the wanted message comes; replies that come before it are kept. */
function receiveUntil<T>(wanted: (message: ToWorker) => T | null): T {
  for (;;) {
    const message = receive();
    if (message.kind === 'reply' || message.kind === 'failed') turn.replies.set(message.id, message);
    const found = wanted(message);
    if (found !== null) return found;
  }
}

function loadPage({ document, startByte, endByte }: TextRange, slot: number): Buffer {
  post({ kind: 'read', range: { document, startByte, endByte }, slot });
  const bytes = receiveUntil((message) => (message.kind === 'page' ? message.bytes : null));
  return Buffer.from(shared, slot * guestPageBytes, bytes);
}

const text = createTextPages(documents, shared.byteLength / guestPageBytes, loadPage);
const operations = createTextOperations(text);

/** Limits an offset of the code to the text. */
const offset = (value: unknown): number =>
  Math.min(text.length(), Math.max(0, Math.trunc(typeof value === 'number' ? value : 0) || 0));

/** Returns the bytes of ordinary text that a model reads like one character of a sample. */
const densityOf = (sample: string): number => Math.max(1, weigh(sample) / Math.max(1, sample.length));

const string = (value: unknown): string => (typeof value === 'string' ? value : '');

function rangesOf(json: string): readonly TextRange[] {
  const ranges = (JSON.parse(json) as [number, number][]).flatMap(([from, to]) =>
    text.rangesOf(offset(from), offset(to)),
  );
  return ranges.slice(0, mostRanges);
}

/** The arguments of a call, and the places of the text that they are about. */
function readArguments(args: readonly string[], ranges: string) {
  const [first, second, place] = args;
  // A text of the sandbox is passed as its place, and not copied.
  if (place === undefined) return { args, ranges: rangesOf(ranges) };
  return { args: [first!, second!], ranges: rangesOf(`[${place}]`) };
}

function reply(id: number): string {
  if (id <= turn.settled || id > turn.calls)
    throw new Error('this reply was asked for in an earlier turn, which was stopped');
  const known =
    turn.replies.get(id) ?? receiveUntil((message) => ('id' in message && message.id === id ? message : null));
  if (known.kind === 'failed') throw new Error(known.message);
  return known.text;
}

const floats = (numbers: Float64Array): ArrayBuffer => numbers.slice().buffer as ArrayBuffer;

const host = {
  length: () => text.length(),
  slice: (from: number, to: number) => operations.slice(offset(from), offset(to)),
  indexOf: (words: string, from: number, to: number, isFolded: number) =>
    operations.indexOf(string(words), offset(from), offset(to), isFolded === 1),
  lastIndexOf: (words: string, from: number, to: number, isFolded: number) =>
    operations.lastIndexOf(string(words), offset(from), offset(to), isFolded === 1),
  candidate: (source: string, ignoreCase: number, from: number, to: number) =>
    operations.candidate(string(source), ignoreCase === 1, offset(from), offset(to)),
  lineFeeds: () => floats(operations.lineFeeds()),
  pieces: (from: number, to: number, size: number, overlap: number) =>
    floats(operations.pieces(offset(from), offset(to), Math.max(1, size || 1), Math.max(0, overlap || 0))),
  documents: () => {
    const starts = text.documentStarts();
    return JSON.stringify(documents.map(({ name }, index) => ({ name, from: starts[index], to: starts[index + 1] })));
  },
  print(line: string) {
    const added = `${string(line)}\n`;
    turn.printed += added.length;
    turn.weight += weigh(added);
    if (turn.output.length < mostKept) turn.output += added.slice(0, mostKept - turn.output.length);
  },
  room: (sample: string) => Math.max(0, Math.floor((turn.room - turn.weight) / densityOf(string(sample)))),
  final(answer: string, tells: string, missing: string) {
    const questions = (JSON.parse(string(missing)) as unknown[]).slice(0, mostMissing).map(String);
    turn.final = {
      answer: string(answer),
      tells: tellsOf(tells),
      missing: questions.filter((one) => one.trim() !== ''),
    };
  },
  begin(name: string, args: string, ranges: string) {
    if (turn.isEnded) throw new Error('the turn has ended');
    if (turn.calls >= turn.mostCalls) throw new Error(`a turn may make at most ${counted(turn.mostCalls, 'call')}`);
    const read = readArguments(JSON.parse(string(args)) as string[], string(ranges));
    const id = turn.calls + 1;
    post({ kind: 'call', id, name: string(name), ...read });
    turn.calls = id;
    return id;
  },
  wait: (id: number) => reply(id),
};

const isOver = (): boolean => performance.now() - turn.startedAt - turn.waitedMs > turn.limitMs;

/** Settles the calls' promises in the order of the program, not of the replies, so that each run is the same. */
function settleAll({ settle, runJobs }: Interpreter): string | null {
  let thrown = runJobs();
  while (turn.settled < turn.calls && thrown === null && !isOver()) {
    const id = turn.settled + 1;
    try {
      settle(id, reply(id), false);
    } catch (error) {
      settle(id, (error as Error).message, true);
    }
    turn.replies.delete(id);
    turn.settled = id;
    thrown = runJobs();
  }
  return thrown;
}

const neverEnds = 'the code awaits something that never comes';

function runTurn(interpreter: Interpreter, number: number, code: string): string | null {
  const failed = interpreter.begin(rewriteCode(code), `turn-${number}.js`) ?? settleAll(interpreter);
  if (failed !== null) return failed;
  if (isOver()) return 'InternalError: interrupted';
  const ended = interpreter.ended();
  if ('thrown' in ended) return ended.thrown;
  if ('isPending' in ended) return neverEnds;
  if (ended.value !== '' && turn.printed === 0 && turn.final === null) host.print(ended.value);
  return null;
}

const interpreter = await createInterpreter({ compiled, memoryMb, host, isOver });
post({ kind: 'ready' });
for (;;) {
  const message = receive();
  if (message.kind !== 'turn' && message.kind !== 'variable') continue;
  const { room, mostCalls } = message.kind === 'turn' ? message : { room: 0, mostCalls: 0 };
  turn = newTurn(message.limitMs, room, mostCalls);
  if (message.kind === 'variable') {
    const found = interpreter.variable(message.name);
    post({ kind: 'value', text: 'value' in found ? found.value : null });
  } else {
    const error = runTurn(interpreter, message.turn, message.code)?.slice(0, 10_000) ?? null;
    interpreter.keep(message.turn, turn.output);
    turn.isEnded = true;
    const problems = interpreter.problems().slice(0, mostTold);
    const variables = interpreter.variables().slice(0, mostTold);
    const { output, printed, final } = turn;
    post({ kind: 'done', output, printed, error, final, problems, variables });
  }
}
