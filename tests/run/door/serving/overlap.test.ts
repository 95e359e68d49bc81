import { describe, expect, it } from 'vitest';
import { createOverlap } from '../../../../src/run/door/limiter.ts';

describe('the number of concurrent calls of a server', () => {
  it('is the known number until the first reply, then one more is tried', () => {
    const overlap = createOverlap(1, 4);
    expect(overlap.width()).toBe(1);
    const first = overlap.begin();
    first.sign();
    expect(overlap.width()).toBe(1);
    first.end();
    expect(overlap.width()).toBe(2);
  });

  it('grows while replies overlap, up to a maximum', () => {
    const overlap = createOverlap(1, 3);
    const calls = [overlap.begin(), overlap.begin(), overlap.begin(), overlap.begin()];
    for (const call of calls) call.sign();
    for (const call of calls) call.end();
    expect(overlap.width()).toBe(3);
    expect(createOverlap(3, 3).width()).toBe(3);
  });

  it('stays if a call waits for the end of another', () => {
    const overlap = createOverlap(1, 4);
    const [first, second] = [overlap.begin(), overlap.begin()];
    first.sign();
    first.end();
    second.sign();
    second.end();
    expect(overlap.width()).toBe(1);
  });

  it('is not learnt from a call that fails before its reply begins', () => {
    const overlap = createOverlap(1, 4);
    overlap.begin().end();
    expect(overlap.width()).toBe(1);
  });
});
