import { describe, expect, it } from 'vitest';
import { createLetterRuns } from '../../../src/providers/extractive/ranking/letter-runs.ts';

describe('runs of letters', () => {
  it('bring words of one family together, and tell nothing of common ones', () => {
    const share = createLetterRuns('Who invaded the county?', [
      'The invasion came late.',
      'Who was the one?',
      '',
      '漢字',
    ]);
    expect(share(0)).toBeGreaterThan(0.1);
    expect(share(0)).toBeLessThan(0.5);
    expect([share(1), share(2), share(3)]).toEqual([0, 0, 0]);
  });

  it('are all there in the question itself, and none of a question without words', () => {
    expect(createLetterRuns('invaded county', ['The county was invaded.'])(0)).toBeCloseTo(1);
    expect(createLetterRuns('?', ['anything'])(0)).toBe(0);
  });
});
