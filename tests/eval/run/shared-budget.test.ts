import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharedBudget } from '../../../src/eval/run/shared-budget.ts';

const nothing = { calls: 0, tokens: 0, usd: 0 };

describe('the budget of an evaluation', () => {
  it('has no limit if none is given', () => {
    const budget = createSharedBudget({ calls: null, tokens: null, usd: null }, 2, nothing);
    expect(budget.take()!.allowance).toEqual({ calls: null, tokens: null, usd: null });
  });

  it('grants shares to runs that may be active concurrently', () => {
    const budget = createSharedBudget({ calls: 9, tokens: null, usd: 1 }, 2, nothing);
    const [first, second] = [budget.take()!, budget.take()!];
    expect([first.allowance, second.allowance]).toEqual([
      { calls: 4, tokens: null, usd: 0.5 },
      { calls: 5, tokens: null, usd: 0.5 },
    ]);
    expect(budget.take()).toBeNull();
    first.settle({ calls: 1, tokens: 50, usd: 0.1 });
    expect(budget.take()!.allowance).toEqual({ calls: 3, tokens: null, usd: 0.4 });
  });

  it('counts earlier spending', () => {
    const budget = createSharedBudget({ calls: 3, tokens: null, usd: null }, 1, { calls: 3, tokens: 9, usd: 0 });
    expect(budget.take()).toBeNull();
    expect(budget.spent().calls).toBe(3);
  });

  it('is never overspent, in whatever order answers arrive', () => {
    const step = fc.record({ takes: fc.boolean(), part: fc.double({ min: 0, max: 1, noNaN: true }), which: fc.nat(3) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(step),
        (limit, atOnce, steps) => {
          const budget = createSharedBudget({ calls: limit, tokens: null, usd: null }, atOnce, nothing);
          const open: NonNullable<ReturnType<typeof budget.take>>[] = [];
          for (const { takes, part, which } of steps) {
            const grant = takes && open.length < atOnce ? budget.take() : null;
            if (grant !== null) open.push(grant);
            const [done] = takes ? [] : open.splice(which % Math.max(1, open.length), 1);
            done?.settle({ calls: Math.floor(done.allowance.calls! * part), tokens: 0, usd: 0 });
          }
          const held = open.reduce((sum, { allowance }) => sum + allowance.calls!, 0);
          expect(budget.spent().calls + held).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});
