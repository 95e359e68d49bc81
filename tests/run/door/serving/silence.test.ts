import { describe, expect, it, vi } from 'vitest';
import { type Hearing, untilSilent } from '../../../../src/run/door/silence.ts';

const late = () => new Error('silent');
const never = new AbortController().signal;

/** Creates a call that ends on request, with a manual clock. */
function call(hearing: Hearing | null, firstMs = 100) {
  let sign = () => {};
  let end: (value: string) => void = () => {};
  const done = untilSilent({ ms: 100, firstMs, late, hearing }, never, (signal, onSign) => {
    sign = onSign;
    return new Promise<string>((resolve, reject) => {
      end = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  }).catch((error: Error) => error.message);
  return { done, sign: () => sign(), end: () => end('done') };
}

async function onClock(test: () => Promise<void>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
  vi.spyOn(process, 'uptime').mockImplementation(() => Date.now() / 1_000);
  try {
    await test();
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
}

const hearing = (): Hearing => ({ lastSign: Number.NEGATIVE_INFINITY });

describe('the silence of a call', () => {
  it('ends it, unless there are signs of life', () =>
    onClock(async () => {
      const one = call(null);
      for (let step = 0; step < 5; step++) {
        await vi.advanceTimersByTimeAsync(90);
        one.sign();
      }
      one.end();
      expect(await one.done).toBe('done');
      const other = call(null);
      other.sign();
      await vi.advanceTimersByTimeAsync(101);
      expect(await other.done).toBe('silent');
    }));

  it('may be longer than any timer, and is not checked continuously', () =>
    onClock(async () => {
      const set = vi.spyOn(globalThis, 'setTimeout');
      const one = call(null, 2 ** 32);
      await vi.advanceTimersByTimeAsync(100);
      expect(set).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(2 ** 32);
      expect(await one.done).toBe('silent');
    }));

  it('may be longer before the first sign, while the prompt is read', () =>
    onClock(async () => {
      const one = call(null, 300);
      await vi.advanceTimersByTimeAsync(290);
      one.sign();
      await vi.advanceTimersByTimeAsync(101);
      expect(await one.done).toBe('silent');
    }));

  it('does not count while it waits and another call of its server is active', () =>
    onClock(async () => {
      const heard = hearing();
      const [first, second] = [call(heard), call(heard)];
      for (let step = 0; step < 5; step++) {
        await vi.advanceTimersByTimeAsync(90);
        first.sign();
      }
      first.end();
      expect(await first.done).toBe('done');
      await vi.advanceTimersByTimeAsync(90);
      second.sign();
      second.end();
      expect(await second.done).toBe('done');
    }));

  it('counts once it has begun, whatever other calls do', () =>
    onClock(async () => {
      const heard = hearing();
      const [first, second] = [call(heard), call(heard)];
      second.sign();
      await vi.advanceTimersByTimeAsync(60);
      first.sign();
      await vi.advanceTimersByTimeAsync(60);
      expect(await second.done).toBe('silent');
      first.end();
      await first.done;
    }));
});
