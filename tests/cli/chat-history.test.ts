import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from '../../src/cli/actions/chat.ts';
import { createRedactor } from '../../src/secrets/redactor.ts';
import { tempFolder } from '../support/temp-folder.ts';

const redactor = createRedactor(['hunter2-hunter2']);

it('keeps questions for the next chat, each once, on one line, for their owner alone and without secrets', async () => {
  const folder = tempFolder();
  const history = openHistory(folder, redactor);
  for (const question of ['Who?', 'Where is\nhunter2-hunter2?', 'Who?']) await history.add(question);
  expect(openHistory(folder, redactor).lines()).toEqual(['Who?', 'Where is [secret]?']);
  expect(statSync(join(folder, 'chat-history.json')).mode & 0o777).toBe(0o600);
});

it.each(['{"a":1}', '[1, null, "Who?"]', 'not JSON', '[["x"]]'])('reads the usable part of %j', (text) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'chat-history.json'), text);
  expect(openHistory(folder, redactor).lines()).toEqual(text.includes('Who?') ? ['Who?'] : []);
});

it('continues in memory if the folder cannot be written, and says so once', async () => {
  const history = openHistory(join(tempFolder({ file: '' }), 'file', 'state'), redactor);
  await expect(history.add('Who?')).rejects.toMatchObject({ code: 'output-unwritable' });
  await history.add('Where?');
  expect(history.lines()).toEqual(['Where?', 'Who?']);
});
