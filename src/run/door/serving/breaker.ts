import { now } from '../../../base/clock.ts';
import { kindOf, RlmError } from '../../../errors.ts';

/** Keeps calls from a server that is gone, so that each of many calls need not find that out for itself. */
export interface Breaker {
  /** Whether no try would be made now. */
  isOpen(): boolean;
  /** Throws what the last tries failed with while no try would be made. */
  check(): void;
  /**
   * Makes a try, and learns from what becomes of it. Rejects as the try does.
   * @param isSilent whether the server has given no sign of life to it.
   */
  watch<T>(attempt: () => Promise<T>, isSilent: () => boolean): Promise<T>;
}

export interface BreakerOptions {
  /** A clock that never goes back, in ms. */
  readonly clock?: () => number;
}

/** More than the tries of one call: a single call does not decide that a server is gone. */
const failuresInARow = 5;

/** After that time one try may find out whether the server is back. */
const restMs = 10_000;

/** A call that was ended from here says nothing of its server. */
const endedHere = (error: RlmError): boolean => ['limit', 'interruption'].includes(kindOf(error));

/**
 * Whether it shows that nobody serves there: no connection, one that broke, or not a sign within the time of a call.
 */
function isConnectionFailure(error: RlmError, isSilent: boolean): boolean {
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  const isBroken = error.transient && typeof code === 'string';
  return error.code === 'provider-unreachable' || isBroken || (error.code === 'call-timeout' && isSilent);
}

/** The same failure for a call that is not sent; trying again at once is of no use. */
const unsent = ({ code, message, hint, cause }: RlmError): RlmError =>
  new RlmError(code, `${message} (${failuresInARow} tries in a row failed, so no other is made for a while)`, {
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
