import { onAbort } from '../../base/abort.ts';
import { now } from '../../base/clock.ts';
import { counted } from '../../base/counted.ts';
import { type ErrorCode, RlmError } from '../../errors.ts';

/** ordinary: most calls. kept: composing and the critic, which may use the share that is kept for them. */
export type Share = 'ordinary' | 'kept';

/** What a call costs: one request, its tokens (input and output together), and money in USD. */
export interface Spending {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** What a run may spend; null is no limit. */
export interface Limits {
  readonly calls: number;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly wallTimeMs: number;
  /** Searches for passages. */
  readonly fetches: number;
}

/** A call's worst case, held back until it is known what the call came to. Only the first of the two counts. */
export interface Reservation {
  /** Spends what the call came to; the rest goes back. */
  settle(spent: Spending): void;
  /** Nothing was spent: all of it goes back. */
  release(): void;
}

/**
 * One counter for the whole tree, never copied to children. The worst case of a call is reserved before it is made and
 * settled after it, so concurrent children cannot overspend. A part of everything is kept back, so that a run that hits
 * a limit can still compose an answer from what it has.
 */
export interface Budget {
  /**
   * Takes a call's worst case. Waits while it could yet be paid from what running calls give back.
   * @throws RlmError `limit-calls`, `limit-tokens`, `limit-cost` or `limit-time` when the share has not enough left;
   *   the signal's reason.
   */
  reserve(share: Share, worst: Spending, signal: AbortSignal): Promise<Reservation>;
  /** Takes one search for passages. Throws `limit-fetches`. */
  takeFetch(): void;
  /** Searches for passages that are left, 0 or more. */
  fetchesLeft(): number;
  /** Calls that the share can pay for whatever they come to, 0 or more. */
  callsLeft(share: Share): number;
  /** From now on a call may come to so much: `callsLeft` and the kept share are counted in that. */
  expect(dearest: Spending): void;
  /** Time until the share's deadline in ms, 0 or more. */
  timeLeftMs(share: Share): number;
  /** What was spent so far, and what is held back for running calls. */
  spent(): Spending;
  reserved(): Spending;
}

export interface BudgetOptions {
  /** The most that any call of the run can come to: what `callsLeft` and the kept share are counted in. */
  readonly dearest: Spending;
  /** Time that an earlier part of the same run has used, in ms. */
  readonly usedMs?: number;
  /** Calls besides composing and the critic that a share is kept for; default: none. */
  readonly lastCalls?: number;
  /** A clock that never goes back, in ms. */
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

/** The most of each kind that any of the calls can come to. */
export const dearestOf = (calls: readonly Spending[]): Spending =>
  calls.reduce((a, b) => ({
    calls: Math.max(a.calls, b.calls),
    tokens: Math.max(a.tokens, b.tokens),
    usd: Math.max(a.usd, b.usd),
  }));

/** Sums of money are compared to a millionth of a cent, since adding fractions is not exact. */
const slack = 1e-8;

/** The part of the wall time that only composing and the critic may use, at most a minute. */
const keptTime = (wallTimeMs: number) => Math.min(60_000, wallTimeMs * 0.15);

/** Calls kept for composing, for the critic and for the `last`; with very few calls, answering comes first. */
const keptCalls = (calls: number, last: number) => (calls >= 4 ? 2 + last : calls >= 2 ? 1 : 0);

const limitNames: Readonly<
  Record<Kind, { readonly code: ErrorCode; readonly flag: string; readonly setting: string }>
> = {
  calls: { code: 'limit-calls', flag: '--max-calls', setting: 'budget.maxCalls' },
  tokens: { code: 'limit-tokens', flag: '--max-tokens', setting: 'budget.maxTokens' },
  usd: { code: 'limit-cost', flag: '--max-cost', setting: 'budget.maxCost' },
};

const amounts: Readonly<Record<Kind, (amount: number) => string>> = {
  calls: (amount) => counted(amount, 'model call'),
  tokens: (amount) => counted(amount, 'token'),
  usd: (amount) => `$${Number(amount.toPrecision(4))}`,
};

/** The error for a run that cannot pay for another call. */
function exhausted(kind: Kind, limit: number, left: number, needed: number): RlmError {
  const { code, flag, setting } = limitNames[kind];
  const show = amounts[kind];
  const why = kind === 'calls' ? '' : `; another call may need ${show(needed)} and ${show(Math.max(0, left))} are left`;
  const used = kind === 'calls' ? `has used its ${show(limit)}` : `has reached its limit of ${show(limit)}`;
  const more = Number((Math.max(limit, needed) * 2).toPrecision(4));
  return new RlmError(code, `the run ${used}${why}`, { hint: `Allow more with ${flag} ${more} (setting ${setting}).` });
}

/** The error for a run that has no more time. @param when that was, where it had not begun; with a space before it. */
export function outOfTime(wallTimeMs: number, when = ''): RlmError {
  const seconds = wallTimeMs / 1000;
  return new RlmError('limit-time', `the run has used its ${seconds} s${when}`, {
    hint: `Allow more with --timeout ${Math.ceil(seconds * 2)} (setting budget.timeout).`,
  });
}

function outOfFetches(limit: number): RlmError {
  return new RlmError('limit-fetches', `the run has made its ${limit} searches for passages`, {
    hint: 'Allow more with RLM_MAX_FETCHES (setting budget.maxFetches).',
  });
}

/** Lets callers wait until what they need is there. */
function createQueue() {
  const waiting = new Set<() => void>();
  return {
    /** Makes all waiting callers look again. */
    wake(): void {
      for (const look of waiting) look();
    },
    /** Resolves to the first result of `find` that is not null; rejects where that is an error. */
    wait<T extends object>(find: () => T | RlmError | null, signal: AbortSignal): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        let stopListening = () => {};
        const look = () => {
          const found = find();
          if (found === null) return;
          waiting.delete(look);
          stopListening();
          if (found instanceof RlmError) reject(found);
          else resolve(found);
        };
        waiting.add(look);
        look();
        if (!waiting.has(look)) return;
        stopListening = onAbort(signal, () => {
          waiting.delete(look);
          reject(signal.reason);
        });
      });
    },
  };
}

/** A fresh budget whose time runs from now. */
export function createBudget(
  limits: Limits,
  { usedMs = 0, clock = now, lastCalls = 0, ...options }: BudgetOptions,
): Budget {
  let { dearest } = options;
  const start = clock() - usedMs;
  const held = new Set<Spending>();
  const queue = createQueue();
  let spent = none;
  let fetches = 0;

  const limitOf = (kind: Kind): number => limits[kind] ?? Number.POSITIVE_INFINITY;
  const affordable = (amount: number, kind: Kind): number =>
    dearest[kind] > 0 ? Math.max(0, Math.floor((amount + slack) / dearest[kind])) : Number.POSITIVE_INFINITY;
  const keptOf = (kind: Kind): number => {
    const calls = affordable(limitOf(kind), kind);
    return calls === Number.POSITIVE_INFINITY ? 0 : keptCalls(calls, lastCalls) * dearest[kind];
  };
  const allowed = (kind: Kind, share: Share) => limitOf(kind) - (share === 'ordinary' ? keptOf(kind) : 0);
  const reserved = () => [...held].reduce(add, none);
  const timeLeftMs = (share: Share) =>
    Math.max(0, start + limits.wallTimeMs - (share === 'ordinary' ? keptTime(limits.wallTimeMs) : 0) - clock());

  /** The first kind of which there is not enough, were only so much taken already; null when there is. */
  const lacking = (share: Share, worst: Spending, taken: Spending): Kind | null =>
    kinds.find((kind) => taken[kind] + worst[kind] > allowed(kind, share) + slack) ?? null;

  function hold(worst: Spending): Reservation {
    const mine = { ...worst };
    held.add(mine);
    const end = (amount: Spending) => {
      if (!held.delete(mine)) return;
      spent = add(spent, amount);
      queue.wake();
    };
    return { settle: end, release: () => end(none) };
  }

  /** What the share takes of it now: a reservation, an error when it never can, or null while it has to wait. */
  function tryToHold(share: Share, worst: Spending): Reservation | RlmError | null {
    if (timeLeftMs(share) <= 0) return outOfTime(limits.wallTimeMs);
    const kind = lacking(share, worst, spent);
    if (kind !== null) return exhausted(kind, limitOf(kind), allowed(kind, share) - spent[kind], worst[kind]);
    return lacking(share, worst, add(spent, reserved())) === null ? hold(worst) : null;
  }

  return {
    timeLeftMs,
    reserved,
    spent: () => spent,
    callsLeft(share) {
      const taken = add(spent, reserved());
      return Math.min(...kinds.map((kind) => affordable(allowed(kind, share) - taken[kind], kind)));
    },
    expect(most) {
      dearest = most;
    },
    takeFetch() {
      if (fetches >= limits.fetches) throw outOfFetches(limits.fetches);
      fetches += 1;
    },
    fetchesLeft: () => limits.fetches - fetches,
    reserve: (share, worst, signal) => queue.wait(() => tryToHold(share, worst), signal),
  };
}
