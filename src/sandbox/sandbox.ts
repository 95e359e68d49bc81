import type { SandboxLimits } from './limits.ts';
import type { ToWorker } from './messages.ts';
import { leavesNoRoom, showError } from './show-error.ts';
import type { TextSource } from './text-source.ts';
import { type Ended, type NumberedCall, untilEnded } from './until-ended.ts';
import { startWorker, type WorkerThread } from './worker-thread.ts';

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
  readonly final: string | null;
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
  readonly source: TextSource;
  readonly limits: SandboxLimits;
  readonly answer: AnswerCall;
  /** The seed of the code's clock and random numbers, 0 or more. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

const startMs = 20_000;

/** Shortens an output that is too long to its beginning and its end. */
function cut(output: string, printed: number, most: number): string {
  if (output.length <= most) return output;
  const half = Math.floor(most / 2);
  const left = printed - 2 * half;
  return `${output.slice(0, half)}\n[… ${left} of ${printed} characters are left out; print less …]\n${output.slice(-half)}`;
}

const variablesLost = 'All variables are lost: set what you need again, and do less at once.';

/** A started thread. */
interface Running {
  readonly thread: WorkerThread;
  readonly isReady: Promise<void>;
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
      const ended = await untilEnded(thread, first, { answer: (call) => answer({ ...call, turn }), limits, signal });
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
      const ended = await inThread({ kind: 'turn', turn, code, limitMs: limits.turnMs });
      if (ended.kind !== 'done') {
        const why = ended.kind === 'lost' ? ended.why : 'it sent an invalid message';
        drop();
        const error = `the code was stopped: ${why}. ${variablesLost}`;
        return { output: '', printed: 0, error, final: null, isLost: true };
      }
      const { printed, final } = ended;
      const output = cut(ended.output, printed, limits.outputCharacters);
      if (ended.error === null) return { output, printed, error: null, final, isLost: false };
      // The values that fill the memory, or jobs that go on forever, are still there.
      const isLost = leavesNoRoom(ended.error);
      if (isLost) drop();
      const error = showError(ended.error, code, limits);
      return { output, printed, error: isLost ? `${error}\n${variablesLost}` : error, final, isLost };
    },
    async variable(name) {
      if (running === null) return null;
      const ended = await inThread({ kind: 'variable', name, limitMs: limits.turnMs });
      return ended.kind === 'value' ? ended.text : null;
    },
    close: drop,
  };
}
