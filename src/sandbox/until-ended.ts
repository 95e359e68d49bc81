import { counted } from '../base/counted.ts';
import type { SandboxLimits } from './limits.ts';
import type { FromWorker, HostCall, ToWorker, TurnEnd } from './messages.ts';
import type { TextRange } from './text-source.ts';
import type { WorkerThread } from './worker-thread.ts';

/** A call that the code makes in a turn. Its arguments come from the code and are not trusted. */
export interface NumberedCall {
  readonly name: string;
  readonly args: readonly string[];
  /** Places of the text that it may be about. */
  readonly ranges: readonly TextRange[];
  /** From 1 in the turn, in the order of the program. */
  readonly number: number;
}

/** The end of what was sent to a worker. `lost`: the thread cannot be used any more, with the reason. */
export type Ended = TurnEnd | Extract<FromWorker, { kind: 'value' }> | { readonly kind: 'lost'; readonly why: string };

interface TurnParts {
  readonly answer: (call: NumberedCall) => Promise<string>;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
}

/** The result of a call: its text, or the reason of its failure. */
type CallReply = { readonly text: string } | { readonly message: string };

/** The worker stops code by itself; one that does not is given up this much later, in ms. */
const graceMs = 500;

/** Answers the calls of a turn. `onReply` receives each reply. */
function createCalls({ answer, limits }: TurnParts, onReply: (id: number, reply: CallReply) => void) {
  let open = 0;
  let made = 0;
  async function answerCall({ id, name, args, ranges }: HostCall): Promise<CallReply> {
    if (made > limits.calls) return { message: `a turn may make at most ${counted(limits.calls, 'call')}` };
    try {
      return { text: await answer({ name, args, ranges, number: id }) };
    } catch (error) {
      return { message: error instanceof Error ? error.message : 'it failed' };
    }
  }
  return {
    open: () => open,
    /** Returns whether it was the next one. */
    begin(call: HostCall): boolean {
      made += 1;
      if (call.id !== made) return false;
      open += 1;
      void answerCall(call).then((reply) => {
        open -= 1;
        onReply(call.id, reply);
      });
      return true;
    },
  };
}

/**
 * Sends a message to the worker and answers its calls until it has ended, at the latest shortly after the time limit of
 * a turn. Rejects with the signal's reason.
 */
export function untilEnded(thread: WorkerThread, first: ToWorker, parts: TurnParts): Promise<Ended> {
  const { limits, signal } = parts;
  const tooLong = `it took longer than ${limits.turnMs / 1000} s and could not be stopped in another way`;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  return new Promise<Ended>((resolve, reject) => {
    function stop(): void {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
    function end(ended: Ended): void {
      stop();
      resolve(ended);
    }
    function giveUp(): void {
      stop();
      reject(signal.reason);
    }
    const lose = (why: string) => end({ kind: 'lost', why });
    /** Stops the clock while the code waits for calls: that time is not its own. */
    function watch(): void {
      clearTimeout(timer);
      if (calls.open() === 0) timer = setTimeout(() => lose(tooLong), limits.turnMs + graceMs);
    }
    const calls = createCalls(parts, (id, reply) => {
      if (isOver) return;
      watch();
      thread.send('text' in reply ? { kind: 'reply', id, ...reply } : { kind: 'failed', id, ...reply });
    });
    function begin(call: HostCall): void {
      if (calls.begin(call)) watch();
      else lose('it sent an invalid message');
    }

    thread.onLost = lose;
    thread.onMessage = (message) => {
      if (isOver || message.kind === 'ready') return;
      if (message.kind === 'call') begin(message);
      else end(message);
    };
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp, { once: true });
    watch();
    thread.send(first);
  });
}
