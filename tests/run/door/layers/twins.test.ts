import { expect, it } from 'vitest';
import type { Obtained } from '../../../../src/run/door/layer.ts';
import { twins } from '../../../../src/run/door/layers/archives.ts';
import { callTo, fromModel, modelNamed, settingsWith } from '../../../support/door.ts';

function setUp({ settings = settingsWith(), held = false } = {}) {
  let calls = 0;
  const waiting: ((outcome: Obtained | Error) => void)[] = [];
  const obtain = twins(
    { settings },
    async () => held,
  )(() => {
    calls += 1;
    return new Promise((resolve, reject) =>
      waiting.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))),
    );
  });
  const ask = () => obtain(callTo(modelNamed('a'), 'same'));
  return { ask, calls: () => calls, waiting };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('merges identical calls, and reports the second as reused', async () => {
  const { ask, calls, waiting } = setUp();
  const both = [ask(), ask()];
  waiting[0]!(fromModel('yes'));
  const [first, second] = await Promise.all(both);
  expect(calls()).toBe(1);
  expect(first).toMatchObject({ from: 'model', number: 1 });
  expect(second).toMatchObject({ from: 'run', number: null, reply: { text: 'yes' } });
});

it('asks separately if the first has failed', async () => {
  const { ask, calls, waiting } = setUp();
  const [first, second] = [ask(), ask()];
  waiting[0]!(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await turn();
  waiting[1]!(fromModel('yes', 2));
  expect(await second).toMatchObject({ number: 2 });
  expect(calls()).toBe(2);
});

it('makes separate calls if samples differ, or if each is recorded', async () => {
  const warm = setUp({ settings: settingsWith({ temperatures: { query: 0.7 } }) });
  const recorded = setUp({ held: true });
  for (const { ask, calls } of [warm, recorded]) {
    void ask();
    void ask();
    await turn();
    expect(calls()).toBe(2);
  }
});
