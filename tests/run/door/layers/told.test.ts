import { expect, it } from 'vitest';
import type { ParsedObtained } from '../../../../src/run/door/layer.ts';
import { told } from '../../../../src/run/door/layers/told.ts';
import { callTo, fromModel, keptReply, modelNamed, said } from '../../../support/door.ts';

function ask(next: () => Promise<ParsedObtained>, turns: readonly never[] = []) {
  const [events, exchanges]: [object[], object[]] = [[], []];
  const parts = {
    emit: (event: object) => void events.push(event),
    onExchange: (one: object) => void exchanges.push(one),
  };
  const price = { input: 1_000_000, output: 0 };
  return { read: told(parts)(next)(callTo(modelNamed('a', { price }), 'h', { turns })), events, exchanges };
}

const { parsed } = said('yes');

it('emits a call with its reply and its cost', async () => {
  const { read, events, exchanges } = ask(async () => ({ ...fromModel('yes', 4), parsed }), [{} as never]);
  await read;
  expect(events).toMatchObject([{ type: 'call.completed', call: 4, reply: 'repaired', cost: 10 }]);
  expect(exchanges).toMatchObject([{ call: 4, reply: 'yes', cost: 10, messages: [{ content: 'Why?' }] }]);
});

it('marks a stored reply as such', async () => {
  const { read, events, exchanges } = ask(async () => ({
    reply: keptReply('yes'),
    from: 'cache',
    number: null,
    parsed,
  }));
  await read;
  expect(events).toMatchObject([{ type: 'call.reused', from: 'cache' }]);
  expect(exchanges).toMatchObject([{ call: null, from: 'cache', cost: 0 }]);
});

it('emits a failure with the message of the request', async () => {
  const { read, events, exchanges } = ask(() => Promise.reject(new Error('down')));
  await expect(read).rejects.toThrow('down');
  expect(events).toEqual([]);
  expect(exchanges).toMatchObject([{ reply: null, error: expect.any(String) }]);
});
