import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKeptText } from '../../src/cli/kept-text.ts';
import { loadConfiguration } from '../../src/config/layers.ts';
import { createPdf } from '../support/packed-files.ts';
import { tempFolder } from '../support/temp-folder.ts';

const stage = (name: 'transcription' | 'retriever') =>
  ({ type: 'stage.started', stage: name, runId: 'r', seq: 1, at: '' }) as const;

function setUp() {
  const folder = tempFolder({
    'a.md': 'The pool has 4 connections.\n',
    'mixed.pdf': createPdf(['The pool has 4 connections.', '']),
  });
  const { signal } = new AbortController();
  return { folder, opening: { configuration: loadConfiguration({ env: {}, cwd: folder }), signal } };
}

it('opens a text once for all questions about it, and reports a missing text to each', async () => {
  const { folder, opening } = setUp();
  const text = createKeptText([join(folder, 'a.md')]);
  const { context } = await text.options(opening);
  expect(context?.documents).toHaveLength(1);
  expect((await text.options(opening)).context).toBe(context);
  await text.close();
  expect(await createKeptText([]).options(opening)).toEqual({ paths: [] });
  const missing = createKeptText(['/nowhere/b.md']);
  for (const _ of [1, 2]) await expect(missing.options(opening)).rejects.toMatchObject({ code: 'input-missing' });
});

it('is read for each question if a model reads pages of it, and otherwise only once', async () => {
  const { folder, opening } = setUp();
  const paths = [join(folder, 'mixed.pdf')];
  const [seen, unseen] = [createKeptText(paths), createKeptText(paths)];
  for (const text of [seen, unseen]) expect(await text.options(opening)).toEqual({ paths });
  seen.onEvent(stage('transcription'));
  unseen.onEvent(stage('retriever'));
  for (const text of [seen, unseen]) text.onEvent(stage('retriever'));
  expect(await seen.options(opening)).toEqual({ paths });
  expect((await unseen.options(opening)).context).toMatchObject({ unreadPages: 1 });
  await Promise.all([seen.close(), unseen.close()]);
});

it('ends the reading when the time of a question is over', async () => {
  const { folder, opening } = setUp();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const configuration = loadConfiguration({ env: {}, cwd: folder, flags: new Map([['budget.timeout', '0.2']]) });
  const late = createKeptText([pipe]).options({ ...opening, configuration });
  await expect(late).rejects.toMatchObject({ code: 'limit-time', message: expect.stringContaining('pipe') });
});
