import { setMaxListeners } from 'node:events';

/** Calls `listener` when the signal aborts. Returns what takes it off again. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // One signal may stand for a whole run of concurrent calls; Node would warn on stderr from the eleventh listener on.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** The outcome of `work`, unless the signal aborts first: then a rejection with the signal's reason. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stop = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(stop);
  });
}

/** Waits so many ms. Rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/**
 * What `work` comes to under a signal that aborts with the given one, or with the error of `late` after so many ms.
 * Rejects as `work` does; without beginning it where no time is left.
 */
export async function withDeadline<T>(
  ms: number,
  late: () => Error,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  if (ms <= 0) throw late();
  const either = new AbortController();
  const stopListening = onAbort(signal, () => either.abort(signal.reason));
  const timer = setTimeout(() => either.abort(late()), ms);
  try {
    return await work(either.signal);
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
