import { now } from '../../base/time.ts';
import { kindOf, RlmError } from '../../errors.ts';

/** Keeps calls from an unreachable server, so that each of many calls does not have to fail by itself. */
export interface Breaker {
  /** Whether attempts are refused now. */
  isOpen(): boolean;
  /** Throws the error of the last attempts while attempts are refused. */
  check(): void;
  /**
   * Makes an attempt, and records its outcome. Rejects as the attempt does.
   * @param isSilent whether the server has sent nothing to this attempt.
   */
  watch<T>(attempt: () => Promise<T>, isSilent: () => boolean): Promise<T>;
}

interface BreakerOptions {
  /** A monotonic clock, in ms. */
  readonly clock?: () => number;
}

/**
 * Failures in a row that open the breaker: more than the attempts of one call, so that a single call cannot open it.
 */
const failuresInARow = 5;

/** Time in ms after which one attempt may test whether the server is back. */
const restMs = 10_000;

/** Whether the client ended the call, which says nothing about the server. */
const endedHere = (error: RlmError): boolean => ['limit', 'interruption'].includes(kindOf(error));

/**
 * Whether an error shows that the server is unreachable: no connection, a broken one, or no data within the call
 * timeout.
 */
function isConnectionFailure(error: RlmError, isSilent: boolean): boolean {
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  const isBroken = error.transient && typeof code === 'string';
  return error.code === 'provider-unreachable' || isBroken || (error.code === 'call-timeout' && isSilent);
}

/** Returns the same failure for a call that is not sent; an immediate retry is useless. */
const unsent = ({ code, message, hint, cause }: RlmError): RlmError =>
  new RlmError(code, `${message} (${failuresInARow} attempts in a row failed; further ones wait)`, {
    hint,
    cause,
  });

/**
 * A circuit breaker for one server: after 5 connection failures in a row no call is sent for 10 s, then a single one;
 * when that succeeds all are sent again.
 */
export function createBreaker({ clock = now }: BreakerOptions = {}): Breaker {
  let failures = 0;
  let last: RlmError | null = null;
  let openedAt = 0;
  let isTrying = false;

  function learn(error: unknown, isSilent: boolean): void {
    if (!(error instanceof RlmError) || endedHere(error)) return;
    failures = isConnectionFailure(error, isSilent) ? failures + 1 : 0;
    last = error;
    if (failures >= failuresInARow) openedAt = clock();
  }

  const isOpen = () => failures >= failuresInARow && (isTrying || clock() - openedAt < restMs);

  return {
    isOpen,
    check() {
      if (isOpen()) throw unsent(last!);
    },
    async watch(attempt, isSilent) {
      const isTrial = failures >= failuresInARow;
      isTrying ||= isTrial;
      try {
        const result = await attempt();
        failures = 0;
        return result;
      } catch (error) {
        learn(error, isSilent());
        throw error;
      } finally {
        if (isTrial) isTrying = false;
      }
    },
  };
}
