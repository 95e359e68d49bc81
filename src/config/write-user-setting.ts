import { readFile } from 'node:fs/promises';
import { applyEdits, modify } from 'jsonc-parser';
import { replaceFile } from '../base/files/replace-file.ts';
import { userFilePath } from './folders.ts';
import type { Environment } from './setting-layers.ts';

/**
 * Writes one setting, by its dotted key, to the user's configuration file, which must be JSON or missing.
 * @returns the file's path.
 * @throws RlmError `output-unwritable`; the system's error if the file cannot be read.
 */
export async function writeUserSetting(key: string, value: unknown, env: Environment): Promise<string> {
  const path = userFilePath(env);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}\n';
    throw error;
  });
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const settings = text.replace(/^\ufeff/, '');
  await replaceFile(path, applyEdits(settings, modify(settings, key.split('.'), value, { formattingOptions })));
  return path;
}
