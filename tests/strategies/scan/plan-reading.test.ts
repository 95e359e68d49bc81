import { describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/run/door/budget.ts';
import type { Run } from '../../../src/run/run.ts';
import { tooLong } from '../../../src/strategies/scan/plan-reading.ts';

describe('the error for a text that is partly read', () => {
  const none = { maxTokens: null, maxCost: null };

  it.each([
    ['calls that are too few for the text', { ...none, maxCalls: 12 }, 'limit-calls', '--max-calls 20 '],
    ['calls that were spent before', { ...none, maxCalls: 20 }, 'limit-calls', '--max-calls 24 '],
    ['tokens', { ...none, maxCalls: 50, maxTokens: 9_000 }, 'limit-tokens', '--max-tokens '],
    ['money', { ...none, maxCalls: 50, maxCost: 1 }, 'limit-cost', '--max-cost '],
    ['money that ends before tokens', { maxCalls: 50, maxTokens: 1e9, maxCost: 0.01 }, 'limit-cost', '--max-cost '],
    ['tokens that end before money', { maxCalls: 50, maxTokens: 9_000, maxCost: 1e3 }, 'limit-tokens', '--max-tokens '],
  ])('names the limit of %s', (_, budget, code, hint) => {
    const pieces = Array.from({ length: 13 }, (__, start) => ({ name: 'a.log', start, end: start + 1, bytes: 100 }));
    const plan = { pieces, chosen: pieces.slice(0, 10), fewestCalls: 11, mostCalls: 99 };
    const { maxCalls: calls, maxTokens: tokens, maxCost: usd } = budget;
    const dearest = { calls: 1, tokens: 1_000, usd: 0.001 };
    const counter = createBudget({ calls, tokens, usd, wallTimeMs: 1e6, fetches: 9 }, { dearest });
    const error = tooLong(plan, { settings: { budget }, budget: counter } as unknown as Run);
    expect(error).toMatchObject({ code, hint: expect.stringContaining(hint) });
  });
});
