import { expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import { createStart, reserved } from '../../../../src/run/door/layers/settled.ts';
import { callTo, modelNamed, settingsWith } from '../../../support/door.ts';

function setUp() {
  const events: { type: string }[] = [];
  const sums: unknown[] = [];
  const held = { settle: (sum: unknown) => void sums.push(sum) };
  const budget = { reserve: async () => held, timeLeftMs: () => 60_000, callsLeft: () => 5 } as never;
  const model = modelNamed('a', {
    pace: { took: () => {}, writtenIn: () => 1_000 },
  });
  const parts = {
    settings: settingsWith({ budget: { callTimeout: 1 } }),
    budget,
    emit: (event: never) => void events.push(event),
  };
  return { parts, sums, call: callTo(model, 'h'), types: () => events.map(({ type }) => type) };
}

const reply = { text: 'yes', toolCalls: [], finish: 'stop', tokens: { input: 10, output: 2 } } as const;

it('a call is numbered when its worst case is reserved, and reports its failure', async () => {
  const { parts, call, types } = setUp();
  const start = createStart(parts);
  const good = reserved(parts, start)(async () => reply);
  expect(await good(call)).toMatchObject({ number: 1, from: 'model', reply: { text: 'yes', tries: 1 } });
  const bad = reserved(parts, start)(async () => Promise.reject(new RlmError('request-refused', 'no')));
  await expect(bad(call)).rejects.toThrow('no');
  expect(types()).toEqual(['call.started', 'call.started', 'call.failed']);
});
