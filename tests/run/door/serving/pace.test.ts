import { describe, expect, it } from 'vitest';
import { createPace, type Speed } from '../../../../src/run/door/pace.ts';

describe('the speed of a model', () => {
  it('is measured from a reply that is long enough', () => {
    const pace = createPace();
    expect(pace.writtenIn(1_000)).toBe(Number.POSITIVE_INFINITY);
    pace.took({ input: 0, output: 10 }, { readMs: 0, writeMs: 5_000 });
    pace.took({ input: 0, output: 100 }, { readMs: 0, writeMs: 10 });
    expect(pace.writtenIn(1_000)).toBe(Number.POSITIVE_INFINITY);
    pace.took({ input: 0, output: 70 }, { readMs: 0, writeMs: 10_000 });
    expect(pace.writtenIn(120_000)).toBe(840);
    expect(pace.msFor({ input: 1_000, output: 7 })).toBeNull();
  });

  it('predicts the time of a call, as soon as both speeds are known', () => {
    const told: Speed[] = [];
    const pace = createPace(null, (speed) => void told.push(speed));
    pace.took({ input: 700, output: 10 }, { readMs: 10_000, writeMs: 1_000 });
    expect(told).toEqual([]);
    pace.took({ input: 100, output: 50 }, { readMs: 1, writeMs: 10_000 });
    expect(told).toEqual([{ read: 70, written: 5 }]);
    expect(pace.msFor({ input: 700, output: 50 })).toBe(20_000);
  });

  it('does not rise because a prompt had been read before, but follows a faster machine', () => {
    const pace = createPace({ read: 70, written: 5 });
    pace.took({ input: 1_000, output: 5 }, { readMs: 20, writeMs: 10 });
    expect(pace.msFor({ input: 105, output: 0 })).toBe(1_000);
    for (const _ of Array(20)) pace.took({ input: 1_000, output: 5 }, { readMs: 100, writeMs: 10 });
    expect(pace.msFor({ input: 10_000, output: 0 })).toBe(1_000);
    pace.took({ input: 1_000, output: 5 }, { readMs: 20_000, writeMs: 10 });
    expect(pace.msFor({ input: 50, output: 0 })).toBe(1_000);
  });
});
