import { weigh } from '../context/text-size.ts';
import { definitionsOf } from './definitions.ts';
import type { CodeFinal, GuestTextSource, SandboxLimits, ToWorker } from './messages.ts';
import { type Ended, type NumberedCall, startWorker, untilEnded, type WorkerThread } from './worker-thread.ts';

const longestMessage = 2_000;

/** Returns the line of the code where something was thrown: the innermost line that belongs to the code. */
function lineIn(stack: string): number | null {
  const found = /turn-\d+\.js:(\d+)/.exec(stack);
  return found === null ? null : Number(found[1]);
}

/** Whether the state that the code left would keep further code from running. */
const leavesNoRoom = (thrown: string): boolean => /^(?:InternalError: )?(?:out of memory|endless jobs)/.test(thrown);

const explanations: readonly [RegExp, (limits: SandboxLimits) => string][] = [
  [
    /^InternalError: interrupted/,
    ({ turnMs }) =>
      `the code was stopped after ${turnMs / 1000} s. Variables that it had set by then are kept. Do less at once.`,
  ],
  [
    /^(?:InternalError: )?out of memory/,
    ({ memoryMb }) =>
      `out of memory: all values together may take ${memoryMb} MB. Keep parts of the text, not copies of all of it.`,
  ],
  [/^InternalError: endless jobs/, () => 'the code was stopped: its promises go on without an end.'],
  [
    /^(?:InternalError|RangeError): (?:stack overflow|Maximum call stack)/,
    () => 'stack overflow: a function calls itself without an end.',
  ],
];

/**
 * Words an error of the code for its model.
 * @param thrown name and message, and on lines of their own where it was thrown.
 */
function showError(thrown: string, code: string, limits: SandboxLimits): string {
  const stackAt = thrown.search(/\n\s+at /);
  const said = (stackAt < 0 ? thrown : thrown.slice(0, stackAt)).trim().slice(0, longestMessage);
  const known = explanations.find(([pattern]) => pattern.test(said));
  const line = lineIn(stackAt < 0 ? '' : thrown.slice(stackAt));
  const source = line === null ? '' : (code.split('\n')[line - 1] ?? '').trim().slice(0, 200);
  const place = line === null ? '' : `\n  in line ${line}: ${source}`;
  return `${known ? known[1](limits) : said}${place}`;
}

/** A call that the code makes. */
export interface CodeCall extends NumberedCall {
  readonly turn: number;
}

/** Answers a call. The code receives a rejection as an error with the same message. */
type AnswerCall = (call: CodeCall) => Promise<string>;

/** The result of a turn. */
export interface TurnResult {
  /** What was printed, cut in the middle to the limit. */
  readonly output: string;
  /** Characters that were printed in all. */
  readonly printed: number;
  /** The error that the code threw, with the line, or why it was stopped; null when it ended well. */
  readonly error: string | null;
  /** The last answer that the code gave, or null. */
  readonly final: CodeFinal | null;
  /** What went wrong without stopping the code, a line each. */
  readonly problems: string;
  /** The variables that are set, with types and sizes; empty: none. */
  readonly variables: string;
  /** Whether the variables of all turns are lost. */
  readonly isLost: boolean;
}

/** Runs code of a model, turn by turn. The code reaches the text and what `answer` returns, and nothing else. */
export interface Sandbox {
  /**
   * Runs code; its global variables last to the next turn. Whatever the code does, this resolves, at the latest a
   * second after its time limit. Throws the signal's reason.
   */
  run(code: string): Promise<TurnResult>;
  /** Returns a global variable as text, or null where there is none. Throws the signal's reason. */
  variable(name: string): Promise<string | null>;
  /** Ends the thread. */
  close(): void;
}

export interface SandboxOptions {
  readonly source: GuestTextSource;
  readonly limits: SandboxLimits;
  readonly answer: AnswerCall;
  /** The seed of the code's clock and random numbers, 0 or more. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

const startMs = 20_000;

/** Shortens a long output to lines of its beginning and its end, and says how to see the rest. */
function cut(output: string, printed: number, { outputCharacters }: SandboxLimits, turn: number): string {
  const most = Math.floor(outputCharacters / Math.max(1, weigh(output) / Math.max(1, output.length)));
  if (output.length <= most) return output;
  const half = Math.floor(most / 2);
  const [end, start] = [output.lastIndexOf('\n', half), output.indexOf('\n', output.length - half - 1)];
  // A line that takes more than half of the room is cut.
  const from = end > half / 2 ? end : half;
  const to = start >= 0 && output.length - start > half / 2 ? start + 1 : output.length - half;
  const left = printed - from - (output.length - to);
  return `${output.slice(0, from)}\n[… ${left} of ${printed} characters are left out here: print(printed(${turn}).slice(${from}, ${to})) …]\n${output.slice(to)}`;
}

const variablesLost = 'All variables are lost: set what you need again, and do less at once.';

/** A started thread. */
interface Running {
  readonly thread: WorkerThread;
  readonly isReady: Promise<void>;
}

/** Answers a call: that of the guest's library by the implementation of the tools, others by the caller's. */
async function answerCall(
  call: CodeCall,
  { source, answer }: Pick<SandboxOptions, 'source' | 'answer'>,
): Promise<string> {
  if (call.name !== 'symbol') return answer(call);
  const [name = '', documents = '[0,-1]'] = call.args;
  return JSON.stringify(await definitionsOf(source, name, JSON.parse(documents)));
}

/** Creates a sandbox. Its thread starts with the first turn. */
export function createSandbox({ source, limits, answer, seed, signal }: SandboxOptions): Sandbox {
  let running: Running | null = null;
  let turn = 0;

  function start(): Running {
    const thread = startWorker(source, limits.memoryMb, seed);
    const isReady = new Promise<void>((resolve) => {
      thread.onMessage = ({ kind }) => kind === 'ready' && resolve();
      thread.onLost = () => resolve();
    });
    return { thread, isReady };
  }

  function drop(): void {
    running?.thread.end();
    running = null;
  }

  async function inThread(first: ToWorker): Promise<Ended> {
    signal.throwIfAborted();
    running ??= start();
    const { thread, isReady } = running;
    const late = new Promise<void>((resolve) => setTimeout(resolve, startMs).unref());
    thread.hold(true);
    try {
      await Promise.race([isReady, late]);
      const ended = await untilEnded(thread, first, {
        answer: (call) => answerCall({ ...call, turn }, { source, answer }),
        limits,
        signal,
      });
      if (ended.kind === 'lost') drop();
      return ended;
    } catch (error) {
      drop();
      throw error;
    } finally {
      thread.hold(false);
    }
  }

  return {
    async run(code) {
      turn += 1;
      const { turnMs: limitMs, outputCharacters: room, calls: mostCalls } = limits;
      const ended = await inThread({ kind: 'turn', turn, code, limitMs, room, mostCalls });
      if (ended.kind !== 'done') {
        const why = ended.kind === 'lost' ? ended.why : 'it sent an invalid message';
        drop();
        const error = `the code was stopped: ${why}. ${variablesLost}`;
        return { output: '', printed: 0, error, final: null, problems: '', variables: '', isLost: true };
      }
      const { printed, final, problems, variables } = ended;
      const output = cut(ended.output, printed, limits, turn);
      const told = { output, printed, final, problems };
      if (ended.error === null) return { ...told, error: null, variables, isLost: false };
      // The values that fill the memory, or jobs that go on forever, are still there.
      const isLost = leavesNoRoom(ended.error);
      if (isLost) drop();
      const error = showError(ended.error, code, limits);
      return {
        ...told,
        error: isLost ? `${error}\n${variablesLost}` : error,
        variables: isLost ? '' : variables,
        isLost,
      };
    },
    async variable(name) {
      if (running === null) return null;
      const ended = await inThread({ kind: 'variable', name, limitMs: limits.turnMs });
      return ended.kind === 'value' ? ended.text : null;
    },
    close: drop,
  };
}
