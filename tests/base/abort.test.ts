import { expect, it, onTestFinished, vi } from 'vitest';
import { soonAfterAbort, untilAborted, wait, withDeadline } from '../../src/base/abort.ts';

const never = (signal: AbortSignal) => untilAborted(new Promise<never>(() => {}), signal);
const late = () => new Error('too late');
const { signal } = new AbortController();

it('a deadline ends work that takes too long with its own error', async () => {
  await expect(withDeadline(5, late, signal, never)).rejects.toThrow('too late');
  const begun = async () => expect.fail('no time is left');
  await expect(withDeadline(0, late, signal, begun)).rejects.toThrow('too late');
});

it("an aborted signal ends work with the signal's reason", async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  await expect(withDeadline(60_000, late, aborted, never)).rejects.toThrow('enough');
});

it('work that ends in time keeps its outcome, and nothing is aborted afterwards', async () => {
  let given: AbortSignal | null = null;
  const work = async (either: AbortSignal) => {
    given = either;
    return 'done';
  };
  expect(await withDeadline(5, late, signal, work)).toBe('done');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(given).toMatchObject({ aborted: false });
  await expect(withDeadline(60_000, late, signal, () => Promise.reject(new Error('its own')))).rejects.toThrow(
    'its own',
  );
});

it('work that does not heed its signal is left 1 s after the abort, and may report until then', async () => {
  const run = new AbortController();
  const deaf = soonAfterAbort(new Promise<never>(() => {}), run.signal);
  const reporting = soonAfterAbort(
    new Promise<string>((resolve) => run.signal.addEventListener('abort', () => setTimeout(resolve, 10, 'used 3'))),
    run.signal,
  );
  run.abort(new Error('enough'));
  expect(await reporting).toBe('used 3');
  await expect(deaf).rejects.toThrow('enough');
  await expect(soonAfterAbort(Promise.reject(new Error('its own')), run.signal)).rejects.toThrow('its own');
});

it('many calls of one run may wait concurrently without a warning of Node about listeners', async () => {
  const warn = vi.spyOn(process, 'emitWarning');
  onTestFinished(() => warn.mockRestore());
  const run = new AbortController();
  const waiting = Array.from({ length: 20 }, () => wait(60_000, run.signal));
  run.abort(new Error('enough'));
  for (const one of waiting) await expect(one).rejects.toThrow('enough');
  expect(warn).not.toHaveBeenCalled();
});
