import { expect, it } from 'vitest';
import { fitsWindow } from '../../../../src/run/door/door.ts';
import { callTo, modelNamed, said, settingsWith } from '../../../support/door.ts';

it('a prompt is passed on if it and its reply fit the window', async () => {
  const send = fitsWindow({ settings: settingsWith() })(async () => said('sent'));
  expect(await send(callTo(modelNamed('a'), 'h'))).toMatchObject({ reply: { text: 'sent' } });
  const messages = [{ role: 'user' as const, content: 'word '.repeat(5_000) }];
  await expect(send(callTo(modelNamed('a'), 'h', { messages }))).rejects.toMatchObject({ code: 'prompt-too-long' });
});
