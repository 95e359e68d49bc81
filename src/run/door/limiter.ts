import { onAbort } from '../../base/abort.ts';
import { depthOf } from '../roster.ts';
import type { Hearing } from './silence.ts';

/** Runs a task when a slot is free. Rejects with the task's error or the signal's reason. */
export type Limiter = <T>(task: () => Promise<T>, path: string, signal: AbortSignal) => Promise<T>;

interface Waiting {
  readonly branch: string;
  readonly depth: number;
  begin(): void;
}

/** Returns the branch of a path: `0.2` for `0.2.1.3`. */
const branchOf = (path: string): string => path.split('.', 2).join('.');

/**
 * Creates a limiter for `width()` concurrent tasks. Branches of the tree take turns, so that none starves. Within a
 * branch, the deepest task is first, because shallower tasks wait for it.
 */
export function createLimiter(width: () => number): Limiter {
  const waiting: Waiting[] = [];
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

/**
 * Measures how many calls a server handles concurrently: a number that begins at `known` and grows to at most `most`.
 * After the first reply, one call more than this number may run. The number grows if all these calls have received data
 * before one of them ends. If a call ends while a concurrent call has received no data, the server queues calls, and
 * the number no longer grows.
 */
export function createOverlap(known: number, most: number) {
  let proved = known;
  let isSettled = most <= known;
  let hasReplied = false;
  const running = new Set<{ hasBegun: boolean }>();
  return {
    width: () => (isSettled || !hasReplied ? proved : proved + 1),
    begin() {
      const mine = { hasBegun: false };
      const waitedFor = new Set<{ hasBegun: boolean }>();
      running.add(mine);
      return {
        sign(): void {
          if (mine.hasBegun) return;
          mine.hasBegun = true;
          const begun = [...running].filter(({ hasBegun }) => hasBegun).length;
          for (const other of running) if (!other.hasBegun) waitedFor.add(other);
          if (isSettled || begun <= proved) return;
          proved = begun;
          isSettled = proved >= most;
        },
        end(): void {
          running.delete(mine);
          if (!mine.hasBegun) return;
          hasReplied = true;
          if ([...waitedFor].some((other) => running.has(other) && !other.hasBegun)) isSettled = true;
        },
      };
    },
  };
}

/** The shared state of the calls to one server. */
export interface Crowd {
  readonly limiter: Limiter;
  readonly overlap: ReturnType<typeof createOverlap>;
  readonly hearing: Hearing;
}

/** The state of the calls to each server, for runs that share servers. */
export type SharedLimiters = ReturnType<typeof createSharedLimiters>;

export function createCrowd(known: number, most: number): Crowd {
  const overlap = createOverlap(known, most);
  return { overlap, limiter: createLimiter(overlap.width), hearing: { lastSign: Number.NEGATIVE_INFINITY } };
}

/** Creates the limiters that concurrent runs share. */
export function createSharedLimiters() {
  const crowds = new Map<string, Crowd>();
  return {
    /** Returns the state of the calls to a server. `known` and `most` of the first run apply to all runs. */
    of(server: string, known: number, most: number): Crowd {
      const crowd = crowds.get(server) ?? createCrowd(known, most);
      crowds.set(server, crowd);
      return crowd;
    },
  };
}

/** Returns the state for one of several runs: its limiter orders the run's calls, then waits for the shared limiter. */
export function amongOthers({ limiter, overlap, hearing }: Crowd, runId: string): Crowd {
  const own = createLimiter(overlap.width);
  return { overlap, hearing, limiter: (task, path, signal) => own(() => limiter(task, runId, signal), path, signal) };
}
