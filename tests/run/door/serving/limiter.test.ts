import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../../../src/run/door/limiter.ts';

const { signal: never } = new AbortController();

/** Creates a task that ends on request. */
function manual<T>(value: T) {
  let end = () => {};
  const state = { started: false };
  const task = () => {
    state.started = true;
    return new Promise<T>((resolve) => {
      end = () => resolve(value);
    });
  };
  return { state, task, end: () => end() };
}

describe('the limiter', () => {
  it('starts waiting tasks in order of arrival', async () => {
    const limiter = createLimiter(() => 1);
    const order: number[] = [];
    const tasks = [0, 1, 2, 3].map((number) =>
      limiter(
        async () => {
          await sleep(1);
          order.push(number);
          return number;
        },
        '0',
        never,
      ),
    );
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('serves the branches in turn, and in each the deepest first', async () => {
    const limiter = createLimiter(() => 1);
    const first = manual('first');
    const running = limiter(first.task, '0.1', never);
    const order: string[] = [];
    const paths = ['0.1', '0.1', '0.1.1', '0.1.2.1', '0.2', '0.2.1', '0.3', 'critic'];
    const tasks = paths.map((path) => limiter(async () => void order.push(path), path, never));
    await sleep(0);
    first.end();
    await Promise.all([running, ...tasks]);
    expect(order).toEqual(['0.2.1', '0.3', 'critic', '0.1.2.1', '0.2', '0.1.1', '0.1', '0.1']);
  });

  it('lets no branch starve that has one task among many of another', async () => {
    const limiter = createLimiter(() => 2);
    const order: string[] = [];
    const push = (path: string) => limiter(() => sleep(0).then(() => void order.push(path)), path, never);
    const busy = Array.from({ length: 50 }, (_, index) => push(`0.1.${index}.1`));
    await Promise.all([...busy, push('0.2')]);
    expect(order.indexOf('0.2')).toBeLessThan(4);
  });

  it('frees the place of a failed task, even if it fails at once', async () => {
    const limiter = createLimiter(() => 1);
    const failing = limiter(
      () => {
        throw new Error('at once');
      },
      '0',
      never,
    );
    await expect(failing).rejects.toThrow('at once');
    await expect(limiter(() => Promise.reject(new Error('later')), '0', never)).rejects.toThrow('later');
    expect(await limiter(async () => 'next', '0', never)).toBe('next');
  });

  it('lets a task leave the queue when its signal aborts', async () => {
    const limiter = createLimiter(() => 1);
    const first = manual('first');
    const running = limiter(first.task, '0', never);
    const controller = new AbortController();
    const left = manual('left');
    const waiting = limiter(left.task, '0', controller.signal).catch((reason: unknown) => reason);
    const last = limiter(async () => 'last', '0', never);
    controller.abort('enough');
    expect(await waiting).toBe('enough');
    first.end();
    expect([await running, await last]).toEqual(['first', 'last']);
    expect(left.state.started).toBe(false);
  });

  it('does not begin a task whose signal was aborted', async () => {
    const { task, state } = manual('x');
    await expect(createLimiter(() => 1)(task, '0', AbortSignal.abort('no'))).rejects.toBe('no');
    expect(state.started).toBe(false);
  });

  it('does not stop a running task, and keeps its place until it ends', async () => {
    const limiter = createLimiter(() => 1);
    const controller = new AbortController();
    const first = manual('first');
    const next = manual('next');
    const running = limiter(first.task, '0', controller.signal);
    const after = limiter(next.task, '0', never);
    await sleep(0);
    controller.abort();
    await sleep(0);
    expect(next.state.started).toBe(false);
    first.end();
    expect(await running).toBe('first');
    await sleep(0);
    next.end();
    expect(await after).toBe('next');
  });

  it('causes no warning when many wait on one signal', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    const limiter = createLimiter(() => 1);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => limiter(() => sleep(0), '0', signal)));
    await sleep(5);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('never runs more than its width concurrently, and ends everything', async () => {
    const job = fc.record({
      ms: fc.integer({ min: 0, max: 4 }),
      fails: fc.boolean(),
      abortMs: fc.option(fc.integer({ max: 4, min: 0 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(job, { maxLength: 20 }), async (width, jobs) => {
        const limiter = createLimiter(() => width);
        let running = 0;
        let most = 0;
        const run = async ({ ms, fails, abortMs }: (typeof jobs)[number]) => {
          const signal = abortMs === null ? never : AbortSignal.timeout(abortMs);
          await limiter(
            async () => {
              running += 1;
              most = Math.max(most, running);
              await sleep(ms);
              running -= 1;
              if (fails) throw new Error('failed');
            },
            '0',
            signal,
          );
        };
        await Promise.allSettled(jobs.map(run));
        expect(most).toBeLessThanOrEqual(width);
        expect(running).toBe(0);
        expect(await limiter(async () => 'free', '0', never)).toBe('free');
      }),
      { numRuns: 60 },
    );
  });
});
