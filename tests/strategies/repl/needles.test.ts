import { expect, it } from 'vitest';
import { createHaystack, findNeedle } from '../../../scripts/needles.ts';

it('finds a needle every time, with a number of calls that does not grow with the text', async () => {
  const calls: number[] = [];
  for (const tokens of [10_000, 30_000, 300_000]) {
    const haystack = createHaystack(tokens, tokens);
    const result = await findNeedle(haystack);
    expect(result).toMatchObject({ status: 'answered', answer: `The magic number is ${haystack.needle} [1]` });
    const [citation] = result.citations;
    expect(haystack.text.split('\n')[citation!.startLine - 1]).toContain(haystack.needle);
    calls.push(result.usage.calls);
  }
  expect(new Set(calls).size).toBe(1);
}, 60_000);
