import { now } from '../clock.ts';
import { RlmError } from '../errors.ts';

/** ordinary: most calls. kept: composing and the critic, which may use the share that is kept for them. */
export type Share = 'ordinary' | 'kept';

/** What a run may spend. */
export interface Limits {
  readonly calls: number;
  readonly wallTimeMs: number;
}

/**
 * One counter for the whole tree, never copied to children. A call is reserved before it is made, so concurrent
 * children cannot overspend. A part of the calls and of the time is kept back, so that a run that hits a limit can
 * still compose an answer from what it has.
 */
export interface Budget {
  /** Takes one call. Throws `limit-calls` or `limit-time` when the share has none left. */
  reserve(share: Share): void;
  /** Calls that the share may still make. */
  callsLeft(share: Share): number;
  /** Time until the share's deadline in ms, 0 or more. */
  timeLeftMs(share: Share): number;
}

/** The part of the wall time that only composing and the critic may use, at most a minute. */
const keptTime = (wallTimeMs: number) => Math.min(60_000, wallTimeMs * 0.15);

/** Calls kept for composing and for the critic; with very few calls, answering comes first. */
const keptCalls = (calls: number) => (calls >= 4 ? 2 : calls >= 2 ? 1 : 0);

/** The error for a run that has no more calls. */
function outOfCalls(limit: number): RlmError {
  return new RlmError('limit-calls', `the run has used its ${limit} model call${limit === 1 ? '' : 's'}`, {
    hint: `Allow more with --max-calls ${limit * 2} (setting budget.maxCalls).`,
  });
}

/** The error for a run that has no more time. */
export function outOfTime(wallTimeMs: number): RlmError {
  const seconds = wallTimeMs / 1000;
  return new RlmError('limit-time', `the run has used its ${seconds} s`, {
    hint: `Allow more with --timeout ${Math.ceil(seconds * 2)} (setting budget.timeout).`,
  });
}

/**
 * A fresh budget whose time runs from now.
 * @param clock a clock that never goes back, in ms.
 */
export function createBudget(limits: Limits, clock: () => number = now): Budget {
  const start = clock();
  let used = 0;
  const callsLeft = (share: Share) => limits.calls - used - (share === 'ordinary' ? keptCalls(limits.calls) : 0);
  const timeLeftMs = (share: Share) =>
    Math.max(0, start + limits.wallTimeMs - (share === 'ordinary' ? keptTime(limits.wallTimeMs) : 0) - clock());
  return {
    callsLeft,
    timeLeftMs,
    reserve(share) {
      if (timeLeftMs(share) <= 0) throw outOfTime(limits.wallTimeMs);
      if (callsLeft(share) <= 0) throw outOfCalls(limits.calls);
      used += 1;
    },
  };
}
