import { describe, expect, it } from 'vitest';
import { callKey } from '../../../../src/run/door/call-identity.ts';
import { cached, createPeek, replayed } from '../../../../src/run/door/layers/archives.ts';
import { createLedger, withCosts } from '../../../../src/run/door/ledger.ts';
import { archiveOf, callTo, fromModel, keptReply, modelNamed } from '../../../support/door.ts';

const call = callTo(modelNamed('a'), 'h');
const journal = archiveOf('journal', { h: keptReply('recorded'), reused: keptReply('again', { tries: 0 }) });
const cache = archiveOf('cache', { h: keptReply('remembered') });
const archives = [journal.archive, cache.archive];
const ask = async () => fromModel('new', 7);

describe('a recorded reply', () => {
  const spent: unknown[] = [];
  const budget = { charge: (sum: unknown) => void spent.push(sum) } as never;
  const start = () => ({ number: 3, startedAt: 0 });
  const parts = { archives, budget, lost: [] };
  const obtain = replayed(parts, createLedger({ ...parts, replied: new Map() }), start)(ask);

  it('is charged if this run made the call, but not if it reused the reply', async () => {
    expect(await obtain(call)).toMatchObject({ from: 'journal', number: 3, reply: { text: 'recorded' } });
    expect(spent).toEqual([{ calls: 1, tokens: 12, usd: 0 }]);
    const reused = { ...call, identity: { ...call.identity, hash: 'reused' } };
    expect(await obtain(reused)).toMatchObject({ number: null, reply: { text: 'again' } });
    expect(spent).toHaveLength(1);
  });

  it('is charged before the first request if this session has not used it, and then only once', async () => {
    spent.length = 0;
    const tokens = { input: 40, output: 2 };
    const replied = { provider: 'p', model: 'a', requests: 1, tokens, cost: 0.5 };
    const keys = [callKey(call.identity), 'unused'];
    const ledger = createLedger({ ...parts, replied: new Map(keys.map((key) => [key, replied])) });
    ledger.chargeEarlier();
    ledger.chargeEarlier();
    const sum = { calls: 1, tokens: 42, usd: 0.5 };
    expect(spent).toEqual([sum, sum]);
    await replayed(parts, ledger, start)(ask)(call);
    expect(spent.at(-1)).toEqual({ calls: 0, tokens: 0, usd: -0.5 });
    expect(spent).toHaveLength(3);
  });

  it('costs what its tokens cost, if the price is known', () => {
    const priced = { ...modelNamed('a'), price: { input: 1_000_000, output: 2_000_000 } };
    const { provider, info } = priced;
    const tokens = { input: 3, output: 2 };
    const spending = { provider: provider.name, model: info.model, requests: 1, tokens, cost: 99 };
    const replied = new Map([
      ['a', spending],
      ['b', { ...spending, model: 'unknown' }],
    ]);
    expect([...withCosts(replied, [priced]).values()].map(({ cost }) => cost)).toEqual([7, 99]);
    expect(replied.get('a')!.cost).toBe(99);
  });

  it('costs nothing if another run made it', async () => {
    expect(await cached({ archives })(ask)(call)).toMatchObject({ from: 'cache', number: null });
  });

  it('is requested if no archive has it', async () => {
    const other = { ...call, identity: { ...call.identity, hash: 'other' } };
    expect(await obtain(other)).toMatchObject({ number: 7 });
    expect(await cached({ archives })(ask)(other)).toMatchObject({ number: 7 });
  });

  it('can be looked up, except in the cache', async () => {
    const peek = createPeek({ archives });
    expect(await peek(call.identity)).toBe(true);
    expect(await createPeek({ archives: [cache.archive] })(call.identity)).toBe(false);
  });
});
