import { wait } from '../../base/abort.ts';
import { RlmError } from '../../errors.ts';

const retries = 2;
const firstWaitMs = 500;
const longestWaitMs = 8_000;

/** Returns the wait in ms that the server asks for, else a backoff. From the third retry on, takes the longer one. */
function waitBefore(attempt: number, error: RlmError): number {
  const asked = error.retryAfterMs;
  if (asked !== null && attempt <= retries + 1) return asked;
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 2));
  return Math.max(asked ?? 0, Math.round(backoff * (1 - Math.random() / 4)));
}

const saysWhen = ({ code, retryAfterMs }: RlmError): boolean => code === 'rate-limited' && (retryAfterMs ?? 0) > 0;

function endedBy(error: unknown, limit: RlmError | null): unknown {
  return limit !== null && error instanceof RlmError && error.code === 'limit-time' ? limit : error;
}

/**
 * Runs `task`, and repeats it after a transient failure, up to three tries in all. If a rate limit has a known end,
 * repeats `task` as often as time allows. Does not begin a wait of `timeLeftMs` or longer.
 * @throws the last error, or the signal's reason. If a wait for the end of a rate limit used up the time, throws
 *   the error of this rate limit.
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
