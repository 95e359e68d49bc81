import { expect, it } from 'vitest';
import { kept } from '../../../../src/run/door/layers/kept.ts';
import { archiveOf, callTo, fromModel, keptReply, modelNamed } from '../../../support/door.ts';

it('a reply is stored in every archive that lacks it, with whether it could be read', async () => {
  const call = callTo(modelNamed('a'), 'h');
  const [own, others] = [archiveOf('journal'), archiveOf('cache')];
  const parts = { archives: [own.archive, others.archive] };
  const read = await kept(parts)(async () => fromModel('new', 7))(call);
  expect(read).toMatchObject({ number: 7, parsed: { class: 'ok' } });
  expect([own.kept[0], others.kept[0]]).toMatchObject([{ isUsable: true }, { isUsable: true }]);
  await kept(parts)(async () => ({ reply: keptReply(''), from: 'cache', number: null }))(call);
  expect(own.kept[1]).toMatchObject({ isUsable: false, reply: { tries: 0, tokens: { input: 0, output: 0 } } });
  expect(others.kept).toHaveLength(1);
});
