import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { type Budget, createBudget, type Limits, type Share, type Spending } from '../../../src/run/door/budget.ts';

const { signal: never } = new AbortController();
const one: Spending = { calls: 1, tokens: 0, usd: 0 };

function budgetOf(limits: Partial<Limits>, dearest = one, clock = () => 0, usedMs = 0): Budget {
  const all = { calls: 1_000, tokens: null, usd: null, wallTimeMs: 1e6, fetches: 10, ...limits };
  return createBudget(all, { dearest, clock, usedMs });
}

/** Returns the code of the refusal; null if the reservation was granted. */
const take = (budget: Budget, share: Share, worst = one, spent = worst): Promise<string | null> =>
  budget.reserve(share, worst, never).then(
    (held) => {
      held.settle(spent);
      return null;
    },
    (error: RlmError) => error.code,
  );

async function takeAll(budget: Budget, share: Share, worst = one): Promise<number> {
  for (let made = 0; ; made++) if ((await take(budget, share, worst)) !== null) return made;
}

describe('calls', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [50, 48],
  ])('of %i, ordinary ones may use %i; the others are reserved', async (calls, ordinary) => {
    expect(await takeAll(budgetOf({ calls }), 'ordinary')).toBe(ordinary);
    expect(await takeAll(budgetOf({ calls }), 'kept')).toBe(calls);
  });

  it('are counted over both shares', async () => {
    const budget = budgetOf({ calls: 6 });
    await take(budget, 'kept');
    await take(budget, 'ordinary');
    expect([budget.callsLeft('ordinary'), budget.callsLeft('kept')]).toEqual([2, 4]);
  });

  it('are refused with a hint on what to type', async () => {
    const budget = budgetOf({ calls: 1 });
    await take(budget, 'kept');
    await expect(budget.reserve('kept', one, never)).rejects.toThrow(
      new RlmError('limit-calls', 'the run has used its 1 model call', {
        hint: 'Allow more with --max-calls 2 (setting budget.maxCalls).',
      }),
    );
    expect(await take(budget, 'ordinary')).toBe('limit-calls');
    const more = budgetOf({ calls: 5 });
    await takeAll(more, 'ordinary');
    await expect(more.reserve('ordinary', one, never)).rejects.toThrow(
      'the run has used its 5 model calls, apart from what is kept for composing and checking the answer',
    );
  });
});

describe('tokens and money', () => {
  const worst = { calls: 1, tokens: 1_000, usd: 0.01 };

  it('are refused if the worst case is not left, with a message', async () => {
    const budget = budgetOf({ tokens: 2_500 }, worst);
    expect(await take(budget, 'kept', worst)).toBeNull();
    expect(await take(budget, 'kept', worst)).toBeNull();
    await expect(budget.reserve('kept', worst, never)).rejects.toMatchObject({
      code: 'limit-tokens',
      message:
        'the run has reached its limit of 2,500 tokens; another call may need 1,000 tokens and 500 tokens are left',
      hint: 'Allow more with --max-tokens 5000 (setting budget.maxTokens).',
    });
    const paid = budgetOf({ usd: 0.015 }, worst);
    await take(paid, 'kept', worst);
    await expect(paid.reserve('kept', worst, never)).rejects.toMatchObject({
      code: 'limit-cost',
      message: 'the run has reached its limit of $0.015; another call may need $0.01 and $0.005 are left',
    });
  });

  it('that were reserved and not used are returned', async () => {
    const budget = budgetOf({ tokens: 4_000 }, worst);
    for (let call = 0; call < 11; call++) {
      expect(await take(budget, 'ordinary', worst, { calls: 1, tokens: 100, usd: 0 })).toBeNull();
    }
    expect(budget.spent()).toEqual({ calls: 11, tokens: 1_100, usd: 0 });
    expect(await take(budget, 'ordinary', worst)).toBe('limit-tokens');
  });

  it('are reserved for two of the most expensive calls', async () => {
    expect(await takeAll(budgetOf({ tokens: 10_000 }, worst), 'ordinary', worst)).toBe(8);
    expect(await takeAll(budgetOf({ usd: 0.1 }, worst), 'ordinary', worst)).toBe(8);
    expect(budgetOf({ tokens: 10_000 }, worst).callsLeft('ordinary')).toBe(8);
  });

  it('that a running call holds are waited for if they may be returned', async () => {
    const budget = budgetOf({ tokens: 3_000 }, worst);
    const first = await budget.reserve('kept', worst, never);
    const others = [budget.reserve('kept', worst, never), budget.reserve('kept', worst, never)];
    const waits = budget.reserve('kept', worst, never);
    let granted = false;
    waits.then(() => {
      granted = true;
    });
    await Promise.all(others);
    expect(granted).toBe(false);
    first.settle({ calls: 1, tokens: 0, usd: 0 });
    await waits;
    expect(budget.reserved().tokens).toBe(3_000);
  });

  it('that a running call has used up are refused to waiting calls', async () => {
    const budget = budgetOf({ tokens: 1_500 }, worst);
    const first = await budget.reserve('kept', worst, never);
    const waits = take(budget, 'kept', worst);
    first.settle(worst);
    expect(await waits).toBe('limit-tokens');
  });

  it('are not waited for by a cancelled call', async () => {
    const controller = new AbortController();
    const budget = budgetOf({ tokens: 1_500 }, worst);
    await budget.reserve('kept', worst, never);
    const waits = budget.reserve('kept', worst, controller.signal);
    controller.abort(new RlmError('interrupted', 'x'));
    await expect(waits).rejects.toMatchObject({ code: 'interrupted' });
    await expect(budget.reserve('kept', worst, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('are returned once, whatever is reported afterwards', async () => {
    const budget = budgetOf({ tokens: 9_000 }, worst);
    const held = await budget.reserve('kept', worst, never);
    held.settle({ calls: 0, tokens: 0, usd: 0 });
    held.settle(worst);
    expect([budget.spent(), budget.reserved()]).toEqual([
      { calls: 0, tokens: 0, usd: 0 },
      { calls: 0, tokens: 0, usd: 0 },
    ]);
  });
});

describe('time', () => {
  it('runs from the start, with a reserved share', async () => {
    let time = 5_000;
    const budget = budgetOf({ calls: 9, wallTimeMs: 10_000 }, one, () => time);
    expect([budget.timeLeftMs('ordinary'), budget.timeLeftMs('kept')]).toEqual([8_500, 10_000]);
    time += 8_500;
    expect(await take(budget, 'ordinary')).toBe('limit-time');
    expect(await take(budget, 'kept')).toBeNull();
    time += 1_500;
    expect(await take(budget, 'kept')).toBe('limit-time');
    expect(budget.callsLeft('kept')).toBe(8);
  });

  it('is never negative, and at most a minute of it is reserved', () => {
    let time = 0;
    const budget = budgetOf({ wallTimeMs: 3_600_000 }, one, () => time);
    expect(budget.timeLeftMs('ordinary')).toBe(3_540_000);
    time = 9e9;
    expect(budget.timeLeftMs('ordinary')).toBe(0);
  });

  it('includes earlier time of the run', () => {
    expect(budgetOf({ wallTimeMs: 10_000 }, one, () => 77, 4_000).timeLeftMs('kept')).toBe(6_000);
  });
});

it('searches have their own limit', () => {
  const budget = budgetOf({ fetches: 2, calls: 1 });
  budget.takeFetch();
  expect(budget.fetchesLeft()).toBe(1);
  budget.takeFetch();
  expect(budget.fetchesLeft()).toBe(0);
  expect(() => budget.takeFetch()).toThrow(
    new RlmError('limit-fetches', 'the run reached its limit of 2 searches for passages', {
      hint: 'Allow more with RLM_MAX_FETCHES (setting budget.maxFetches).',
    }),
  );
});
