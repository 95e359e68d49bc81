import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOpenedTexts } from '../../src/cli/actions/checks.ts';
import { loadConfiguration } from '../../src/config/layers.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('opens a text once for all checks about it, and reports a missing text to each', async () => {
  const folder = tempFolder({ 'a.md': 'The pool has 4 connections.\n' });
  const texts = createOpenedTexts(loadConfiguration({ env: {}, cwd: folder }), new AbortController().signal);
  const { context } = await texts.of([join(folder, 'a.md')]);
  expect((await texts.of([join(folder, 'a.md')])).context).toBe(context);
  expect((await texts.of([folder])).context).not.toBe(context);
  expect(await texts.of([])).toEqual({ paths: [] });
  for (const _ of [1, 2]) await expect(texts.of(['/nowhere/b.md'])).rejects.toMatchObject({ code: 'input-missing' });
  await texts.close();
});
