import { onAbort } from '../../../base/abort.ts';
import { now } from '../../../base/clock.ts';

/** What is heard of one server. */
export interface Hearing {
  /** When it last gave a sign of life to any call, on the clock of `now`, in ms. */
  lastSign: number;
}

/** How long a call may be silent. */
export interface Silence {
  readonly ms: number;
  /** Until its first sign: a long prompt takes time to read. */
  readonly firstMs: number;
  /** The error for a call that was silent for longer. */
  readonly late: () => Error;
  /**
   * Of a server that may have calls wait for each other: a call that waits for its first sign is not silent while
   * another one gets signs. Null: the server answers each call by itself.
   */
  readonly hearing: Hearing | null;
}

/**
 * What `work` comes to under a signal that aborts with the given one, or with the error of `late` once nothing was
 * heard for so long. Rejects as `work` does.
 * @param work tells of each sign of life, and may end itself with an error.
 */
export async function untilSilent<T>(
  { ms, firstMs, late, hearing }: Silence,
  signal: AbortSignal,
  work: (signal: AbortSignal, onSign: () => void, end: (reason: Error) => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const either = new AbortController();
  const stopListening = onAbort(signal, () => either.abort(signal.reason));
  const startedAt = now();
  let ownSign: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const quietSince = () => ownSign ?? Math.max(startedAt, hearing?.lastSign ?? startedAt);
  function watch(): void {
    const left = quietSince() + (ownSign === null ? firstMs : ms) - now();
    if (left <= 0) either.abort(late());
    else timer = setTimeout(watch, left);
  }
  function onSign(): void {
    ownSign = now();
    if (hearing !== null) hearing.lastSign = ownSign;
  }
  watch();
  try {
    const result = await work(either.signal, onSign, (reason) => either.abort(reason));
    onSign();
    return result;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}
