import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { createBudget, type Share } from '../../src/run/budget.ts';

const budgetOf = (calls: number, wallTimeMs = 1e6, now = () => 0) => createBudget({ calls, wallTimeMs }, now);

function codeOf(work: () => void): string | null {
  try {
    work();
  } catch (error) {
    return (error as RlmError).code;
  }
  return null;
}

function spendAll(calls: number, share: Share): number {
  const budget = budgetOf(calls);
  let made = 0;
  while (codeOf(() => budget.reserve(share)) === null) made += 1;
  return made;
}

describe('calls', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [50, 48],
  ])('of %i, ordinary ones may be %i; the others are kept', (calls, ordinary) => {
    expect(spendAll(calls, 'ordinary')).toBe(ordinary);
    expect(spendAll(calls, 'kept')).toBe(calls);
  });

  it('are counted over both shares', () => {
    const budget = budgetOf(6);
    budget.reserve('kept');
    budget.reserve('ordinary');
    expect([budget.callsLeft('ordinary'), budget.callsLeft('kept')]).toEqual([2, 4]);
  });

  it('are refused with what to type', () => {
    const budget = budgetOf(1);
    budget.reserve('kept');
    expect(() => budget.reserve('kept')).toThrow(
      new RlmError('limit-calls', 'the run has used its 1 model call', {
        hint: 'Allow more with --max-calls 2 (setting budget.maxCalls).',
      }),
    );
    expect(codeOf(() => budget.reserve('ordinary'))).toBe('limit-calls');
  });

  it('are never more than allowed, in any order', () => {
    const shares = fc.array(fc.constantFrom<Share>('ordinary', 'kept'), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), shares, (calls, wanted) => {
        const budget = budgetOf(calls);
        const made = wanted.filter((share) => codeOf(() => budget.reserve(share)) === null);
        expect(made.length).toBeLessThanOrEqual(calls);
        expect(budget.callsLeft('kept')).toBe(calls - made.length);
      }),
    );
  });
});

describe('time', () => {
  it('runs from the start, with a share kept', () => {
    let time = 5_000;
    const budget = budgetOf(9, 10_000, () => time);
    expect([budget.timeLeftMs('ordinary'), budget.timeLeftMs('kept')]).toEqual([8_500, 10_000]);
    time += 8_500;
    expect(codeOf(() => budget.reserve('ordinary'))).toBe('limit-time');
    expect(codeOf(() => budget.reserve('kept'))).toBeNull();
    time += 1_500;
    expect(codeOf(() => budget.reserve('kept'))).toBe('limit-time');
    expect(budget.callsLeft('kept')).toBe(8);
  });

  it('is never negative, and at most a minute of it is kept', () => {
    let time = 0;
    const budget = budgetOf(9, 3_600_000, () => time);
    expect(budget.timeLeftMs('ordinary')).toBe(3_540_000);
    time = 9e9;
    expect(budget.timeLeftMs('ordinary')).toBe(0);
  });
});
