import { onAbort, untilAborted } from '../../base/abort.ts';
import { counted } from '../../base/text.ts';
import { now } from '../../base/time.ts';
import { type ErrorCode, kindOf, RlmError } from '../../errors.ts';
import type { EventBody } from '../events.ts';

/**
 * kept: calls that compose the answer, check it, or fill a JSON Schema. They may use the reserve. ordinary: all other
 * calls.
 */
export type Share = 'ordinary' | 'kept';

/** The cost of calls: requests, tokens (input and output together), and money in USD. */
export interface Spending {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Limits on a run's spending; null: no limit. */
export interface Limits {
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly wallTimeMs: number;
  readonly fetches: number;
}

/** A call's worst-case cost, held until its actual cost is known. */
export interface Reservation {
  /** Charges the call's actual cost and frees the rest of the reservation. Only the first use has an effect. */
  settle(spent: Spending): void;
}

/** Counts the spending of the whole tree. Keeps a reserve, so that a run at its limit can still compose an answer. */
export interface Budget {
  /**
   * Reserves a call's worst case, so that concurrent calls cannot overspend. Waits while running calls may still free
   * enough of the budget.
   * @throws RlmError `limit-calls`, `limit-tokens`, `limit-cost` or `limit-time` if too little of the share is left, or
   *   the signal's reason.
   */
  reserve(share: Share, worst: Spending, signal: AbortSignal): Promise<Reservation>;
  /** Charges what earlier sessions of the run, or a recorded run, spent. The sum may exceed the limits. */
  charge(spent: Spending): void;
  /** Counts one search for passages. Throws `limit-fetches` if none is left. */
  takeFetch(): void;
  fetchesLeft(): number;
  /** Returns how many worst-case calls the share can pay for, 0 or more. */
  callsLeft(share: Share): number;
  /** Returns the kind of spending whose limit allows the fewest further calls of the share. */
  scarcest(share: Share): keyof Spending;
  /** Sets the worst-case cost of a call, from which `callsLeft` and the reserve are computed. */
  expect(dearest: Spending): void;
  /** Returns the time until the share's deadline in ms, 0 or more. */
  timeLeftMs(share: Share): number;
  /** Returns what was spent so far, without the reservations of running calls. */
  spent(): Spending;
  reserved(): Spending;
}

interface BudgetOptions {
  readonly dearest: Spending;
  /** Time that an earlier part of the same run used, in ms. */
  readonly usedMs?: number;
  /** Number of calls in the reserve besides those for composing and for the critic; default: 0. */
  readonly lastCalls?: number;
  /** Returns a monotonic time, in ms. */
  readonly clock?: () => number;
}

const kinds = ['calls', 'tokens', 'usd'] as const;
type Kind = (typeof kinds)[number];

const none: Spending = { calls: 0, tokens: 0, usd: 0 };

const add = (a: Spending, b: Spending): Spending => ({
  calls: a.calls + b.calls,
  tokens: a.tokens + b.tokens,
  usd: a.usd + b.usd,
});

/** Returns the highest spending of each kind among the calls. */
export const dearestOf = (calls: readonly Spending[]): Spending =>
  calls.reduce((a, b) => ({
    calls: Math.max(a.calls, b.calls),
    tokens: Math.max(a.tokens, b.tokens),
    usd: Math.max(a.usd, b.usd),
  }));

/** Tolerance for comparing sums of money, in USD: adding fractions is not exact. */
const slack = 1e-8;

/** Returns the time in the reserve, in ms. */
const keptTime = (wallTimeMs: number) => Math.min(60_000, wallTimeMs * 0.15);

/**
 * Returns the number of calls in the reserve: one to compose, one for the critic, `last` more; fewer for a low limit.
 */
const keptCalls = (calls: number, last: number) => (calls >= 4 ? 2 + last : calls >= 2 ? 1 : 0);

const besidesKept = ', apart from what is kept for composing and checking the answer';

type LimitWords = readonly [code: ErrorCode, flag: string, setting: string, show: (amount: number) => string];

/** The error code, flag and setting of each limit, and how to write an amount. */
export const limitWords: Readonly<Record<Kind, LimitWords>> = {
  calls: ['limit-calls', '--max-calls', 'budget.maxCalls', (amount) => counted(amount, 'model call')],
  tokens: ['limit-tokens', '--max-tokens', 'budget.maxTokens', (amount) => counted(amount, 'token')],
  usd: ['limit-cost', '--max-cost', 'budget.maxCost', (amount) => `$${Number(amount.toPrecision(4))}`],
};

/** Creates the error for a limit that is reached. `allowed`: the limit of the share. */
function exhausted(kind: Kind, limit: number, allowed: number, used: number, needed: number): RlmError {
  const [code, flag, setting, show] = limitWords[kind];
  const ofCalls = used < limit ? `has used its ${show(limit)}${besidesKept}` : `has used its ${show(limit)}`;
  const why = `another call may need ${show(needed)} and ${show(Math.max(0, allowed - used))} are left`;
  const more = Number((Math.max(limit, needed) * 2).toPrecision(4));
  return new RlmError(
    code,
    `the run ${kind === 'calls' ? ofCalls : `has reached its limit of ${show(limit)}; ${why}`}`,
    { hint: `Allow more with ${flag} ${more} (setting ${setting}).` },
  );
}

/** Creates the error for a run whose time is used up. `when`: text to append to the message. */
export function outOfTime(wallTimeMs: number, when = ''): RlmError {
  const seconds = Number((wallTimeMs / 1000).toPrecision(4));
  return new RlmError('limit-time', `the run has used its ${seconds} s${when}`, {
    hint: `Allow more with --timeout ${Math.ceil(seconds * 2)} (setting budget.timeout).`,
  });
}

function outOfFetches(limit: number): RlmError {
  return new RlmError('limit-fetches', `the run reached its limit of ${limit} searches for passages`, {
    hint: 'Allow more with RLM_MAX_FETCHES (setting budget.maxFetches).',
  });
}

/** Creates a budget whose time runs from now. */
export function createBudget(
  limits: Limits,
  { usedMs = 0, clock = now, lastCalls = 0, ...options }: BudgetOptions,
): Budget {
  let { dearest } = options;
  const start = clock() - usedMs;
  const held = new Set<Spending>();
  let spent = none;
  let fetches = 0;
  const waiting = new Set<() => void>();

  const limitOf = (kind: Kind): number => limits[kind] ?? Number.POSITIVE_INFINITY;
  const affordable = (amount: number, kind: Kind): number =>
    dearest[kind] > 0 ? Math.max(0, Math.floor((amount + slack) / dearest[kind])) : Number.POSITIVE_INFINITY;
  const keptOf = (kind: Kind): number => keptCalls(affordable(limitOf(kind), kind), lastCalls) * dearest[kind];
  const allowed = (kind: Kind, share: Share) => limitOf(kind) - (share === 'ordinary' ? keptOf(kind) : 0);
  const reserved = () => [...held].reduce(add, none);
  const timeLeftMs = (share: Share) =>
    Math.max(0, start + limits.wallTimeMs - (share === 'ordinary' ? keptTime(limits.wallTimeMs) : 0) - clock());

  const callsBy = (kind: Kind, share: Share): number =>
    affordable(allowed(kind, share) - spent[kind] - reserved()[kind], kind);

  const lacking = (share: Share, worst: Spending, taken: Spending): Kind | null =>
    kinds.find((kind) => taken[kind] + worst[kind] > allowed(kind, share) + slack) ?? null;

  function hold(worst: Spending): Reservation {
    const mine = { ...worst };
    held.add(mine);
    return {
      settle(amount) {
        if (!held.delete(mine)) return;
        spent = add(spent, amount);
        for (const wake of waiting) wake();
        waiting.clear();
      },
    };
  }

  /** Reserves a call's worst case. Returns null if the call has to wait, an error if the share can never afford it. */
  function tryToHold(share: Share, worst: Spending): Reservation | RlmError | null {
    if (timeLeftMs(share) <= 0) return outOfTime(limits.wallTimeMs, share === 'ordinary' ? besidesKept : '');
    const kind = lacking(share, worst, spent);
    if (kind !== null) return exhausted(kind, limitOf(kind), allowed(kind, share), spent[kind], worst[kind]);
    return lacking(share, worst, add(spent, reserved())) === null ? hold(worst) : null;
  }

  return {
    timeLeftMs,
    reserved,
    spent: () => spent,
    callsLeft: (share) => Math.min(...kinds.map((kind) => callsBy(kind, share))),
    scarcest: (share) => kinds.reduce((a, b) => (callsBy(b, share) < callsBy(a, share) ? b : a)),
    expect(most) {
      dearest = most;
    },
    charge(amount) {
      spent = add(spent, amount);
    },
    takeFetch() {
      if (fetches >= limits.fetches) throw outOfFetches(limits.fetches);
      fetches += 1;
    },
    fetchesLeft: () => limits.fetches - fetches,
    async reserve(share, worst, signal) {
      for (;;) {
        signal.throwIfAborted();
        const found = tryToHold(share, worst);
        if (found instanceof RlmError) throw found;
        if (found !== null) return found;
        await untilAborted(new Promise<void>((wake) => void waiting.add(wake)), signal);
      }
    },
  };
}

/** Creates the signals that end calls when the user cancels or the share's time ends. `close` stops the timers. */
export function createDeadlines(
  user: AbortSignal,
  budget: Budget,
  wallTimeMs: number,
): { readonly signals: Readonly<Record<Share, AbortSignal>>; close(): void } {
  const [ordinary, kept] = [new AbortController(), new AbortController()];
  const cancel = () => {
    const { reason } = user;
    const error = reason instanceof RlmError ? reason : new RlmError('interrupted', 'the run was cancelled');
    for (const share of [ordinary, kept]) share.abort(error);
  };
  if (user.aborted) cancel();
  const stopListening = onAbort(user, cancel);
  const end = (share: AbortController, timeLeftMs: number, when: string) =>
    setTimeout(() => share.abort(outOfTime(wallTimeMs, when)), timeLeftMs);
  const timers = [end(ordinary, budget.timeLeftMs('ordinary'), besidesKept), end(kept, budget.timeLeftMs('kept'), '')];
  return {
    signals: { ordinary: ordinary.signal, kept: kept.signal },
    close() {
      for (const timer of timers) clearTimeout(timer);
      stopListening();
    },
  };
}

export interface RunBudget extends Budget {
  readonly signal: AbortSignal;
  /** Returns the first error that ended the run's ordinary calls; null while they continue. */
  stopped(): RlmError | null;
}

const stops = (error: RlmError): boolean =>
  ['limit', 'interruption'].includes(kindOf(error)) || error.code === 'call-not-recorded';

/**
 * Creates `watch`, which records and emits the first failure that ends the run. Work may also end well although
 * `signal` has aborted, with the part of a reply that arrived.
 */
export function createStop(emit: (event: EventBody) => void) {
  let stop: RlmError | null = null;
  function note(error: unknown): void {
    if (stop !== null || !(error instanceof RlmError) || !stops(error)) return;
    stop = error;
    emit({ type: 'run.stopped', error: error.toInfo() });
  }
  async function watch<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      const found = await work;
      note(signal?.reason);
      return found;
    } catch (error) {
      note(error);
      throw error;
    }
  }
  return { watch, stopped: () => stop };
}
