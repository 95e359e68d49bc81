import { expect, test } from 'vitest';
import type { ModelInfo } from '../../../src/providers/provider.ts';
import { costOf, findPrice } from '../../../src/run/door/prices.ts';

const served = (model: string) => ({ model, spends: 'money' }) as ModelInfo;
const tokens = (input: number, output: number) => ({ input, output });

test('a price has the date of its table, also for a dated version', async () => {
  const known = {
    price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    date: expect.stringMatching(/^2026-/),
  };
  expect(await findPrice('anthropic', served('claude-haiku-4-5'), {})).toEqual(known);
  expect(await findPrice('anthropic', served('claude-haiku-4-5-20251001'), {})).toEqual(known);
});

test('there is no unknown price, unless the user sets it', async () => {
  expect(await findPrice('anthropic', served('claude-nosuch'), {})).toBeNull();
  const own = { 'anthropic/claude-nosuch': { input: 2, output: 3 } };
  expect(await findPrice('anthropic', served('claude-nosuch'), own)).toEqual({
    price: { input: 2, output: 3 },
    date: null,
  });
});

test('a long prompt costs more if the table says so', async () => {
  const { price } = (await findPrice('anthropic', served('claude-haiku-5-5'), {}))!;
  expect(costOf(tokens(100_000, 1_000), price)).toBeCloseTo(0.0105, 9);
  expect(costOf(tokens(100_001, 1_000), price)).toBeCloseTo(0.0525005, 9);
});

test('input of the prompt cache has its own prices, and other input keeps its own', async () => {
  const { price } = (await findPrice('anthropic', served('claude-haiku-4-5'), {}))!;
  const cached = { input: 10_000, output: 100, cacheRead: 7_000, cacheWritten: 2_000 };
  expect(costOf(cached, price)).toBeCloseTo((1_000 + 700 + 2_500 + 500) / 1e6, 12);
  expect(costOf(cached, { input: 1, output: 5 })).toBeCloseTo((10_000 + 500) / 1e6, 12);
});
