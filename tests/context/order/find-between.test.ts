import { expect, it } from 'vitest';
import { findBetween } from '../../../src/context/order/find-between.ts';
import { createContextStore } from '../../../src/context/store/store.ts';

const chat = `[2026-02-09 09:10:10] sam: rotate the password on friday
[2026-02-11 09:30:00] bot: shadow traffic enabled percent=10
[2026-02-11 12:00:00] bot: shadow traffic changed percent=100
`;

it('is the time from one line to another: an end with a number only is of what the other end names', async () => {
  const store = createContextStore([{ name: 'chat.txt', bytes: Buffer.from(chat) }]);
  const found = await findBetween(
    'How long did it take from 10 to 100 percent of shadow traffic?',
    store,
    new AbortController().signal,
  );
  expect(found).toMatchObject({ ms: 9_000_000, isStated: false });
  expect(found!.lines.map(({ text }) => text.slice(1, 20))).toEqual(['2026-02-11 09:30:00', '2026-02-11 12:00:00']);
});
