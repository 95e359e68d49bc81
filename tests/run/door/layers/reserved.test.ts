import { expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import { BrokenReply } from '../../../../src/providers/broken-reply.ts';
import { createStart, reserved } from '../../../../src/run/door/layers/settled.ts';
import { createLedger } from '../../../../src/run/door/ledger.ts';
import { callTo, modelNamed, settingsWith } from '../../../support/door.ts';

function setUp() {
  const events: { type: string }[] = [];
  const sums: unknown[] = [];
  const held = { settle: (sum: unknown) => void sums.push(sum) };
  const charged: unknown[] = [];
  const noted: unknown[] = [];
  const charge = (spent: unknown) => void charged.push(spent);
  const budget = { reserve: async () => held, timeLeftMs: () => 60_000, callsLeft: () => 5, charge } as never;
  const spend = (_: unknown, spending: unknown, isOver: boolean) => void noted.push([spending, isOver]);
  const model = modelNamed('a', {
    pace: { took: () => {}, writtenIn: () => 1_000 },
  });
  const parts = {
    settings: settingsWith({ budget: { callTimeout: 1 } }),
    budget,
    emit: (event: never) => void events.push(event),
    archives: [{ name: 'journal', replays: true, find: async () => null, keep: async () => {}, spend }] as const,
    lost: [{ provider: 'p', model: 'a', requests: 2, tokens: { input: 50, output: 5 }, cost: null }],
    replied: new Map(),
  };
  const request = () => reserved(parts, createLedger(parts), createStart(parts));
  return {
    parts,
    request,
    sums,
    charged,
    noted,
    events,
    call: callTo(model, 'h'),
    types: () => events.map(({ type }) => type),
  };
}

const reply = { text: 'yes', toolCalls: [], finish: 'stop', tokens: { input: 10, output: 2 } } as const;

it('a call is numbered when its worst case is reserved, and reports its failure', async () => {
  const { request, call, types } = setUp();
  const good = request()(async () => reply);
  expect(await good(call)).toMatchObject({ number: 1, from: 'model', reply: { text: 'yes', tries: 1 } });
  const bad = request()(async () => Promise.reject(new RlmError('request-refused', 'no')));
  await expect(bad(call)).rejects.toThrow('no');
  expect(types()).toEqual(['call.started', 'call.started', 'call.failed']);
});

it('the possible cost of a failed request is recorded, reported, and included in the tokens of the next reply', async () => {
  const { request, charged, noted, events, call } = setUp();
  const broken = new RlmError('hung-up', 'the server hung up', { transient: true });
  const once = request()(async (_, { lose }) => {
    lose({ input: 7, output: 3 }, null);
    throw new RlmError('hung-up', 'the server hung up');
  });
  await expect(once(call)).rejects.toThrow('hung up');
  const most = { requests: 1, tokens: { input: expect.any(Number), output: expect.any(Number) } };
  expect(noted[0]).toMatchObject([most, false]);
  expect(noted.at(-1)).toMatchObject([{ tokens: { input: 7, output: 3 } }, true]);
  expect(events.at(-1)).toMatchObject({ type: 'call.failed', spent: { tokens: { input: 7, output: 3 } } });
  let tries = 0;
  const twice = request()(async (_, { lose }) => {
    tries += 1;
    if (tries > 1) return reply;
    lose({ input: 7, output: 3 }, null);
    throw broken;
  });
  expect(await twice(call)).toMatchObject({ reply: { tries: 2, tokens: { input: 17, output: 5 } } });
  expect(charged).toEqual([
    { calls: 2, tokens: 55, usd: 0 },
    { calls: 2, tokens: 55, usd: 0 },
  ]);
});

it('if a server breaks off each time, the longest part that arrived is the reply, with the tokens of all tries', async () => {
  const { request, call, types } = setUp();
  const broken = new RlmError('provider-failed', 'it broke off', { transient: true, cause: new BrokenReply(null) });
  const part = (text: string) => ({ text, toolCalls: [], finish: 'length', cutShort: true }) as const;
  const given = [part('It ran out.'), part('It ran out. The pool was full.'), null];
  const run = (last: RlmError) => {
    let tries = 0;
    return request()(async (_, { lose }) => {
      lose({ input: 7, output: 3 }, given[tries] ?? null);
      tries += 1;
      throw tries < 3 ? broken : last;
    })(call);
  };
  expect(await run(broken)).toMatchObject({
    reply: { text: 'It ran out. The pool was full.', cutShort: true, tries: 3, tokens: { input: 21, output: 9 } },
  });
  expect(types()).not.toContain('call.failed');
  await expect(run(new RlmError('limit-time', 'too late'))).rejects.toThrow('too late');
});
