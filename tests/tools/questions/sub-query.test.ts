import { expect, it } from 'vitest';
import { subQuery } from '../../../src/tools/questions/sub-query.ts';
import { refusal } from '../file-world.ts';
import { worldOf } from '../tool-world.ts';

it('refuses to divide a document when its path names two', async () => {
  const documents = { 'x/a.log': 'one\ntwo\n', 'y/a.log': 'three\nfour\n' };
  const questions = { refusal: () => null } as never;
  const queries = [{ question: 'What?', path: 'a.log', every: 1 }];
  expect(await refusal(subQuery, { queries }, worldOf(documents, { questions }))).toBe(
    '"a.log" may be x/a.log or y/a.log.',
  );
});
