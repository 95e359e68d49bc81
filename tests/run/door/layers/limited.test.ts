import { expect, it } from 'vitest';
import { limited } from '../../../../src/run/door/door.ts';
import { callTo, fromModel, modelNamed } from '../../../support/door.ts';

it('a call waits for its turn at its server', async () => {
  const limiter = (task: () => Promise<unknown>, key: string) => (key === '0' ? task() : Promise.reject(key));
  expect(await limited(async () => fromModel('yes'))(callTo(modelNamed('a', { limiter }), 'h'))).toMatchObject({
    reply: { text: 'yes' },
  });
});
