import { describe, expect, it } from 'vitest';
import { cached, createPeek, replayed } from '../../../../src/run/door/layers/archives.ts';
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
  const obtain = replayed({ archives, budget }, start)(ask);

  it('is charged if this run made the call, but not if it reused the reply', async () => {
    expect(await obtain(call)).toMatchObject({ from: 'journal', number: 3, reply: { text: 'recorded' } });
    expect(spent).toEqual([{ calls: 1, tokens: 12, usd: 0 }]);
    const reused = { ...call, identity: { ...call.identity, hash: 'reused' } };
    expect(await obtain(reused)).toMatchObject({ number: null, reply: { text: 'again' } });
    expect(spent).toHaveLength(1);
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
