import { expect, it } from 'vitest';
import { examineSetup } from '../../src/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('examines a machine whose folder of model files cannot be read', async () => {
  const folder = tempFolder({ models: 'no folder' });
  const env = { HOME: folder, RLM_HOME: folder, OLLAMA_HOST: 'http://127.0.0.1:1' };
  const { next } = await examineSetup({ env, cwd: folder });
  expect(next).toContainEqual(expect.stringContaining('rlm models pull'));
});
