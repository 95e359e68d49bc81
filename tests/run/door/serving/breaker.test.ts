import { describe, expect, it } from 'vitest';
import { type ErrorCode, RlmError } from '../../../../src/errors.ts';
import { createBreaker } from '../../../../src/run/door/breaker.ts';

const refused = () =>
  new RlmError('provider-unreachable', 'connection refused', { transient: true, hint: 'Start it.' });
const reset = () =>
  new RlmError('provider-failed', 'broke off', {
    transient: true,
    cause: Object.assign(new Error(), { code: 'ECONNRESET' }),
  });

/** A breaker with its own clock, and the result of this many tries with the same outcome. */
function setUp() {
  let time = 0;
  const breaker = createBreaker({ clock: () => time });
  let sent = 0;
  async function attempt(outcome: Error | null, isSilent = true): Promise<unknown> {
    try {
      breaker.check();
      await breaker.watch(
        async () => {
          sent += 1;
          if (outcome) throw outcome;
        },
        () => isSilent,
      );
      return null;
    } catch (error) {
      return error;
    }
  }
  async function fail(times: number, error = refused) {
    for (let count = 0; count < times; count++) await attempt(error());
  }
  return { breaker, attempt, fail, pass: (ms: number) => (time += ms), sent: () => sent };
}

describe('a server that is gone', () => {
  it.each([
    ['refuses', refused],
    ['breaks off', reset],
  ])('that %s is left alone after 5 tries in a row', async (_, error) => {
    const { attempt, fail, sent } = setUp();
    await fail(5, error);
    const { code, hint } = error();
    expect(await attempt(null)).toMatchObject({ code, hint, transient: false });
    await fail(50);
    expect(sent()).toBe(5);
  });

  it('that lets calls run out of time counts when it has not given a sign', async () => {
    const timeout = () => new RlmError('call-timeout', 'late');
    const { attempt, sent } = setUp();
    for (let count = 0; count < 9; count++) await attempt(timeout(), false);
    expect(sent()).toBe(9);
    for (let count = 0; count < 9; count++) await attempt(timeout(), true);
    expect(sent()).toBe(14);
  });

  it.each<[ErrorCode]>([['provider-failed'], ['rate-limited'], ['request-refused'], ['model-missing']])(
    'is not one that answers %s',
    async (code) => {
      const { attempt, fail, sent } = setUp();
      await fail(4);
      await attempt(new RlmError(code, 'it says', { transient: true }));
      await fail(4);
      expect(sent()).toBe(9);
      expect(await attempt(null)).toBeNull();
    },
  );

  it('is not judged by calls that were ended from here', async () => {
    const { attempt, fail, sent } = setUp();
    await fail(4);
    for (const code of ['interrupted', 'limit-time'] as const) await attempt(new RlmError(code, 'enough'));
    await fail(1);
    await attempt(null);
    expect(sent()).toBe(7);
  });
});

describe('a server that was gone', () => {
  it('is asked once after a while, and left alone again when it still is', async () => {
    const { breaker, attempt, fail, pass, sent } = setUp();
    await fail(5);
    pass(9_999);
    await fail(1);
    expect(sent()).toBe(5);
    pass(1);
    let end: (error: Error) => void = () => {};
    const trial = breaker
      .watch(
        () => new Promise<void>((_, reject) => (end = reject)),
        () => true,
      )
      .catch(() => {});
    expect(await attempt(null)).toMatchObject({ code: 'provider-unreachable' });
    end(refused());
    await trial;
    expect(await attempt(null)).toMatchObject({ code: 'provider-unreachable' });
    pass(10_000);
    expect(await attempt(null)).toBeNull();
    await fail(4);
    expect(await attempt(null)).toBeNull();
  });
});
