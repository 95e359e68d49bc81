import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RlmError, type RlmErrorOptions } from '../../../src/errors.ts';
import { withRetries } from '../../../src/run/door/retry.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const transient = (options: RlmErrorOptions = {}) =>
  new RlmError('provider-failed', 'busy', { transient: true, ...options });

/** Runs a task that fails this many times. Returns the number of tries and the waits between them. */
async function attempt(
  errors: readonly unknown[],
  { timeLeftMs = 60_000, signal = new AbortController().signal, mayRetry = () => true } = {},
) {
  let tries = 0;
  const waits: number[] = [];
  const task = async () => {
    const error = errors[tries++];
    if (error) throw error;
    return 'done';
  };
  const work = withRetries(task, {
    signal,
    timeLeftMs: () => timeLeftMs,
    mayRetry,
    onRetry: (next, waitMs, error) => {
      expect(next).toBe(tries + 1);
      expect(error).toBe(errors[tries - 1]);
      waits.push(waitMs);
    },
  }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(120_000);
  return { outcome: await work, tries, waits };
}

describe('a call that fails', () => {
  it('is not tried again after success', async () => {
    expect(await attempt([])).toEqual({ outcome: 'done', tries: 1, waits: [] });
  });

  it('is tried twice more if the failure is transient', async () => {
    expect(await attempt([transient(), transient()])).toMatchObject({ outcome: 'done', tries: 3 });
    const last = transient();
    expect(await attempt([transient(), transient(), last])).toMatchObject({ outcome: last, tries: 3 });
  });

  it('waits half a second, then a second, less up to a quarter', async () => {
    const { waits } = await attempt([transient(), transient()]);
    expect(waits[0]).toBeGreaterThanOrEqual(375);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(750);
    expect(waits[1]).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ['a lasting failure', new RlmError('model-missing', 'gone')],
    ['a bug', new TypeError('oops')],
    ['anything else', 'thrown text'],
  ])('is not tried again after %s', async (_, error) => {
    expect(await attempt([error])).toEqual({ outcome: error, tries: 1, waits: [] });
  });

  it('waits as long as the server asks', async () => {
    expect((await attempt([transient({ retryAfterMs: 7_000 }), transient({ retryAfterMs: 0 })])).waits).toEqual([
      7_000, 0,
    ]);
  });

  it('waits for a rate limit with a stated end as long as there is time, and no shorter each time', async () => {
    const limited = new RlmError('rate-limited', 'slow down', { transient: true, retryAfterMs: 1 });
    const { outcome, tries, waits } = await attempt([limited, limited, limited, limited, limited, limited]);
    expect({ outcome, tries }).toEqual({ outcome: 'done', tries: 7 });
    expect(waits.slice(0, 2)).toEqual([1, 1]);
    expect(Math.min(...waits.slice(2))).toBeGreaterThanOrEqual(1_500);
    const vague = new RlmError('rate-limited', 'slow down', { transient: true, retryAfterMs: 0 });
    expect(await attempt([vague, vague, vague])).toMatchObject({ outcome: vague, tries: 3 });
  });

  it('does not wait past the deadline', async () => {
    const error = transient({ retryAfterMs: 5_000 });
    expect(await attempt([error], { timeLeftMs: 5_000 })).toEqual({ outcome: error, tries: 1, waits: [] });
    expect((await attempt([error], { timeLeftMs: 5_001 })).outcome).toBe('done');
  });

  it('ends its wait with the reason of an abort', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('enough'), 1_000);
    const { outcome, tries } = await attempt([transient({ retryAfterMs: 30_000 })], { signal: controller.signal });
    expect({ outcome, tries }).toEqual({ outcome: 'enough', tries: 1 });
  });

  it.each(['while it waits', 'while it is tried again'])(
    'ends as the rate limit if the time runs out %s',
    async (when) => {
      const outOfTime = new RlmError('limit-time', 'the time is over');
      const limited = new RlmError('rate-limited', 'slow down', { transient: true, retryAfterMs: 1_000 });
      const controller = new AbortController();
      if (when === 'while it waits') setTimeout(() => controller.abort(outOfTime), 500);
      const errors = [limited, when === 'while it waits' ? undefined : outOfTime];
      expect((await attempt(errors, { signal: controller.signal })).outcome).toBe(limited);
      expect((await attempt([transient({ retryAfterMs: 0 }), outOfTime])).outcome).toBe(outOfTime);
      expect((await attempt([limited, transient(), outOfTime])).outcome).toBe(outOfTime);
    },
  );

  it('rejects with the reason of an abort while it ran', async () => {
    const outcome = (await attempt([transient()], { signal: AbortSignal.abort('gone') })).outcome;
    expect(outcome).toBe('gone');
  });
});
