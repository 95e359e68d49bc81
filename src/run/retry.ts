import { RlmError } from '../errors.ts';
import { wait } from '../providers/abort.ts';

const retries = 2;
const firstWaitMs = 500;
const longestWaitMs = 8_000;

/** Called before each further try. */
export type OnRetry = (attempt: number, waitMs: number, error: RlmError) => void;

/** What the server asked for, else 0.5 s doubled each time up to 8 s, shortened by up to a quarter at random. */
function waitBefore(attempt: number, error: RlmError): number {
  if (error.retryAfterMs !== null) return error.retryAfterMs;
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 2));
  return Math.round(backoff * (1 - Math.random() / 4));
}

/**
 * The one retry loop of the program: two further tries after a transient failure.
 * @param timeLeftMs time until the deadline; a wait that would go past it is not begun.
 * @param mayRetry whether another try can be paid for.
 * @throws the last error, or the signal's reason.
 */
export async function withRetries<T>(
  task: () => Promise<T>,
  options: {
    readonly signal: AbortSignal;
    readonly timeLeftMs: () => number;
    readonly mayRetry: () => boolean;
    readonly onRetry: OnRetry;
  },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof RlmError) || !error.transient || attempt > retries) throw error;
      const waitMs = waitBefore(attempt + 1, error);
      if (waitMs >= options.timeLeftMs() || !options.mayRetry()) throw error;
      options.onRetry(attempt + 1, waitMs, error);
      await wait(waitMs, options.signal);
    }
  }
}
