import { setMaxListeners } from 'node:events';

/** Calls `listener` when the signal aborts. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  // Otherwise, Node warns on stderr from the eleventh listener on.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Resolves or rejects as `work` does. Rejects with the signal's reason if the signal aborts first. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stop = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(stop);
  });
}

/** How long work may take to end after its signal aborts, in ms. Work may use this time to report what it used. */
const graceMs = 1_000;

/** Resolves or rejects as `work` does. Rejects with the signal's reason if the work goes on for 1 s after an abort. */
export function soonAfterAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<never>((_, reject) => {
    const expire = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    };
    if (signal.aborted) expire();
    work.catch(() => {}).finally(onAbort(signal, expire));
  });
  return Promise.race([work, isLate]).finally(() => clearTimeout(timer));
}

/** Waits `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** Calls `work` with a signal that aborts when `signal` does, or after `ms` milliseconds with the error of `late`. */
export async function withDeadline<T>(
  ms: number,
  late: () => Error,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  if (ms <= 0) throw late();
  const controller = new AbortController();
  const stopListening = onAbort(signal, () => controller.abort(signal.reason));
  const timer = setTimeout(() => controller.abort(late()), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
