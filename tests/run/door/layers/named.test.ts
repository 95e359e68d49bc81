import { expect, it } from 'vitest';
import { createNames, named } from '../../../../src/run/door/layers/named.ts';
import { callTo, fromModel, modelNamed, said, settingsWith } from '../../../support/door.ts';

it('a call is named by its place and its number among the calls of its prompt there; looking a name up does not use it', async () => {
  const seen: string[] = [];
  const identify = (place: string) => ({ ...callTo(modelNamed('a'), 'h').identity, place });
  const names = createNames({ settings: settingsWith() });
  const controller = new AbortController();
  const signals = { ordinary: controller.signal, kept: controller.signal };
  const send = named(
    { signals },
    names,
  )(async ({ identity }) => {
    seen.push(identity.place);
    return { ...fromModel('yes'), parsed: said('yes').parsed };
  });
  const asked = callTo(modelNamed('a', { identify }), 'h');
  expect(names.next(asked).place).toBe('0 query 1');
  await send(asked);
  await send(asked);
  expect(seen).toEqual(['0 query 1', '0 query 2']);
  controller.abort(new Error('stop'));
  await expect(send(asked)).rejects.toThrow('stop');
  expect(seen).toHaveLength(2);
});
