/** Runs a model's code in a thread. The build bundles this file separately. */
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { counted } from '../base/text.ts';
import { weigh } from '../context/text-size.ts';
import type { FromWorker, TextRange, TurnEnd } from './from-worker.ts';
import type { HostFunctions } from './guest/host-functions.ts';
import { createInterpreter, type Interpreter } from './interpreter.ts';
import {
  type CallReply,
  guestPageBytes,
  mostMissing,
  mostRanges,
  type SandboxLimits,
  type ToWorker,
  tellsOf,
  type WorkerSetup,
} from './messages.ts';
import { rewriteCode } from './rewrite-code.ts';
import { candidateIn, findLineFeeds, findPieces, firstIndexOf, lastIndexOf, sliceText } from './text-operations.ts';
import { createTextPages } from './text-pages.ts';

const { documents, pages: shared, flag, port, interpreter: compiled, memoryMb, seed } = workerData as WorkerSetup;

// Each run of the same code sees the same clock and random numbers.
Date.now = () => Date.UTC(2000, 0, 1) + seed;
Date.prototype.getTimezoneOffset = () => 0;

const mostKept = 200_000;
const mostTold = 10_000;

const newTurn = (limits: SandboxLimits) => ({
  limits,
  startedAt: performance.now(),
  waitedMs: 0,
  output: '',
  printed: 0,
  /** The size of all printed text, in bytes of ordinary text. */
  weight: 0,
  final: null as TurnEnd['final'],
  isEnded: false,
  calls: 0,
  /** The number of the last call whose promise was settled. The promises of all earlier calls are settled, too. */
  settled: 0,
  replies: new Map<number, CallReply>(),
});

let turn = newTurn({ turnMs: 10_000, memoryMb, calls: 0, outputCharacters: 0 });

const post = (message: FromWorker): void => port.postMessage(message);

/** Waits for the next message. The code's time limit excludes the waiting time. */
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

function receiveUntil<T>(wanted: (message: ToWorker) => T | null): T {
  for (;;) {
    const message = receive();
    if (message.kind === 'reply') turn.replies.set(message.id, message);
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

const offset = (value: unknown): number =>
  Math.min(text.length(), Math.max(0, Math.trunc(typeof value === 'number' ? value : 0) || 0));

/** Returns the average weight of a character of the sample (see `weigh`); at least 1. */
const densityOf = (sample: string): number => Math.max(1, weigh(sample) / Math.max(1, sample.length));

const string = (value: unknown): string => (typeof value === 'string' ? value : '');

function rangesOf(json: string): TextRange[] {
  const given = JSON.parse(json) as [number, number][];
  return given.flatMap(([from, to]) => text.rangesOf(offset(from), offset(to))).slice(0, mostRanges);
}

function readArguments(args: string[], ranges: string) {
  const [first, second, place] = args;
  // The code passes the place of a text instead of a copy.
  if (place === undefined) return { args, ranges: rangesOf(ranges) };
  return { args: [first!, second!], ranges: rangesOf(`[${place}]`) };
}

function wait(id: number): string {
  if (id <= turn.settled || id > turn.calls)
    throw new Error('this reply was asked for in an earlier turn, which was stopped');
  const reply =
    turn.replies.get(id) ?? receiveUntil((message) => (message.kind === 'reply' && message.id === id ? message : null));
  if (reply.isFailure) throw new Error(reply.text);
  return reply.text;
}

const floats = (numbers: Float64Array): ArrayBuffer => numbers.slice().buffer as ArrayBuffer;

const searchWith =
  (find: typeof firstIndexOf) =>
  (words: string, from: number, to: number, isFolded: number): number =>
    find(text, { words: string(words), isFolded: isFolded === 1 }, offset(from), offset(to));

const host: HostFunctions = {
  length: () => text.length(),
  slice: (from, to) => sliceText(text, offset(from), offset(to)),
  indexOf: searchWith(firstIndexOf),
  lastIndexOf: searchWith(lastIndexOf),
  firstCandidate: (source, ignoreCase, from, to) =>
    candidateIn(text, string(source), ignoreCase === 1, offset(from), offset(to)),
  lineFeeds: () => floats(findLineFeeds(text)),
  pieces: (from, to, size, overlap) =>
    floats(findPieces(text, offset(from), offset(to), Math.max(1, size || 1), Math.max(0, overlap || 0))),
  documents: () => {
    const starts = text.documentStarts();
    return JSON.stringify(documents.map(({ name }, index) => ({ name, from: starts[index], to: starts[index + 1] })));
  },
  print(line) {
    const added = `${string(line)}\n`;
    turn.printed += added.length;
    turn.weight += weigh(added);
    if (turn.output.length < mostKept) turn.output += added.slice(0, mostKept - turn.output.length);
  },
  room: (sample) => Math.max(0, Math.floor((turn.limits.outputCharacters - turn.weight) / densityOf(string(sample)))),
  final(answer, tells, missing) {
    const questions = (JSON.parse(string(missing)) as unknown[]).slice(0, mostMissing).map(String);
    const named = questions.filter((one) => one.trim() !== '');
    turn.final = { answer: string(answer), tells: tellsOf(tells), missing: named };
  },
  begin(name, args, ranges) {
    const { calls: most } = turn.limits;
    if (turn.isEnded) throw new Error('the turn has ended');
    if (turn.calls >= most) throw new Error(`a turn may make at most ${counted(most, 'call')}`);
    const read = readArguments(JSON.parse(string(args)) as string[], string(ranges));
    const id = turn.calls + 1;
    post({ kind: 'call', id, name: string(name), ...read });
    turn.calls = id;
    return id;
  },
  wait,
};

const isOver = (): boolean => performance.now() - turn.startedAt - turn.waitedMs > turn.limits.turnMs;

/** Settles promises in the order of the calls, not of the replies, so that the same code always runs the same way. */
function settleAll({ settle, runJobs }: Interpreter): string | null {
  let thrown = runJobs();
  while (turn.settled < turn.calls && thrown === null && !isOver()) {
    const id = turn.settled + 1;
    try {
      settle(id, wait(id), false);
    } catch (error) {
      settle(id, (error as Error).message, true);
    }
    turn.replies.delete(id);
    turn.settled = id;
    thrown = runJobs();
  }
  return thrown;
}

function runTurn(interpreter: Interpreter, number: number, code: string): string | null {
  const failed = interpreter.begin(rewriteCode(code), `turn-${number}.js`) ?? settleAll(interpreter);
  if (failed !== null) return failed;
  if (isOver()) return 'InternalError: interrupted';
  const { value, thrown = null } = interpreter.ended();
  if (value === undefined) return thrown ?? 'the code awaits something that never comes';
  if (value !== '' && turn.printed === 0 && turn.final === null) host.print(value);
  return null;
}

const interpreter = await createInterpreter({ compiled, memoryMb, host, isOver });
post({ kind: 'ready' });
for (;;) {
  const message = receive();
  if (message.kind !== 'turn' && message.kind !== 'variable') continue;
  turn = newTurn(message.limits);
  if (message.kind === 'variable') {
    post({ kind: 'value', text: interpreter.variable(message.name) });
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
