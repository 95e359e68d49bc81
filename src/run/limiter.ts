import { onAbort } from '../providers/abort.ts';

/** Lets at most so many tasks run at once; the others wait in the order they came. */
export type Limiter = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** A limiter for `width` tasks. A task whose signal aborts while it waits rejects with the signal's reason. */
export function createLimiter(width: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];

  const release = () => {
    running -= 1;
    waiting.shift()?.();
  };

  const enter = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        stopListening();
        running += 1;
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      let stopListening = () => {};
      if (running < width) return start();
      waiting.push(start);
      stopListening = onAbort(signal, leave);
    });

  return async (task, signal) => {
    signal.throwIfAborted();
    await enter(signal);
    try {
      return await task();
    } finally {
      release();
    }
  };
}
