import { onAbort } from '../../../base/abort.ts';

/**
 * Runs a task when a slot is free. Rejects as the task does, or with the signal's reason while it waits.
 * @param path the place in the recursion tree that the task is for, or a stage's name.
 */
export type Limiter = <T>(task: () => Promise<T>, path: string, signal: AbortSignal) => Promise<T>;

/** A task that waits. */
interface Waiting {
  readonly branch: string;
  readonly depth: number;
  begin(): void;
}

/** Returns the root's branch that a path belongs to: `0.2` for `0.2.1.3`. */
const branchOf = (path: string): string => path.split('.', 2).join('.');

const depthOf = (path: string): number => path.split('.').length;

/**
 * Creates a limiter for `width()` concurrent tasks; the number may change whenever a task ends. Branches of the tree
 * take turns, so that none starves. Within a branch the deepest task goes first, since shallower ones wait for it, and
 * among equals the one that waits longest. A task whose signal aborts while it waits rejects with the signal's reason.
 */
export function createLimiter(width: () => number): Limiter {
  /** Waiting tasks, in order of arrival. */
  const waiting: Waiting[] = [];
  /** When each branch was last served, counted in turns. */
  const served = new Map<string, number>();
  let turn = 0;
  let running = 0;

  const goesBefore = (a: Waiting, b: Waiting): boolean => {
    const turns = (served.get(a.branch) ?? 0) - (served.get(b.branch) ?? 0);
    return turns < 0 || (turns === 0 && a.depth > b.depth);
  };

  function beginNext(): void {
    const next = waiting.reduce<Waiting | null>((best, one) => (best && !goesBefore(one, best) ? best : one), null);
    if (next === null) return;
    waiting.splice(waiting.indexOf(next), 1);
    next.begin();
  }

  function enter(path: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const branch = branchOf(path);
      let stopListening = () => {};
      const begin = () => {
        stopListening();
        running += 1;
        turn += 1;
        served.set(branch, turn);
        resolve();
      };
      if (running < width()) return begin();
      const mine = { branch, depth: depthOf(path), begin };
      waiting.push(mine);
      stopListening = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(mine), 1);
        reject(signal.reason);
      });
    });
  }

  return async (task, path, signal) => {
    signal.throwIfAborted();
    await enter(path, signal);
    try {
      return await task();
    } finally {
      running -= 1;
      while (waiting.length > 0 && running < width()) beginNext();
    }
  };
}
