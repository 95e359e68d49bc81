import { wait } from '../../base/abort.ts';
import { RlmError } from '../../errors.ts';

const retries = 2;
const firstWaitMs = 500;
const longestWaitMs = 8_000;

/**
 * Returns the wait before a retry, in ms: what the server asked for, else 0.5 s, doubled each time up to 8 s and
 * shortened by up to a quarter at random. Where the server's waits were too short twice, the longer of the two.
 */
function waitBefore(attempt: number, error: RlmError): number {
  const asked = error.retryAfterMs;
  if (asked !== null && attempt <= retries + 1) return asked;
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 2));
  return Math.max(asked ?? 0, Math.round(backoff * (1 - Math.random() / 4)));
}

/** Whether a rate limit says when it ends: such a limit is not a failure and is waited for while time is left. */
const saysWhen = ({ code, retryAfterMs }: RlmError): boolean => code === 'rate-limited' && (retryAfterMs ?? 0) > 0;

/** Returns the rate limit instead of `limit-time` where waiting for it used up the time. */
function endedBy(error: unknown, limit: RlmError | null): unknown {
  return limit !== null && error instanceof RlmError && error.code === 'limit-time' ? limit : error;
}

/**
 * The one retry loop of the program: two further tries after a transient failure, and as many as there is time for
 * after a rate limit that says when to come back.
 * @param timeLeftMs returns the time until the deadline; a wait that would pass it is not begun.
 * @param mayRetry whether another try can be paid for.
 * @param onRetry called before each further try.
 * @throws the last error, or the signal's reason; the rate limit where waiting for it took the rest of the time.
 */
export async function withRetries<T>(
  task: () => Promise<T>,
  options: {
    readonly signal: AbortSignal;
    readonly timeLeftMs: () => number;
    readonly mayRetry: () => boolean;
    readonly onRetry: (attempt: number, waitMs: number, error: RlmError) => void;
  },
): Promise<T> {
  let limit: RlmError | null = null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (options.signal.aborted) throw endedBy(options.signal.reason, limit);
      if (!(error instanceof RlmError) || !error.transient) throw endedBy(error, limit);
      if (attempt > retries && !saysWhen(error)) throw error;
      const waitMs = waitBefore(attempt + 1, error);
      if (waitMs >= options.timeLeftMs() || !options.mayRetry()) throw error;
      options.onRetry(attempt + 1, waitMs, error);
      limit = saysWhen(error) ? error : null;
      await wait(waitMs, options.signal).catch((reason: unknown) => {
        throw endedBy(reason, limit);
      });
    }
  }
}
