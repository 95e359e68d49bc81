import { readFile } from 'node:fs/promises';
import { replaceFile } from '../base/files/replace-file.ts';
import { userFilePath } from './folders.ts';
import type { Environment } from './setting-layers.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a copy of the settings with a value at a key, which is given as its parts. */
function withValue(settings: Json, [name, ...rest]: readonly string[], value: unknown): Json {
  const inner = settings[name!];
  return { ...settings, [name!]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}

async function readUserFile(path: string): Promise<Json> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text.replace(/^\ufeff/, '')) as Json;
}

/**
 * Writes one setting to the user's configuration file and keeps the others.
 * @param key the dotted key.
 * @returns the file's path.
 * @throws RlmError `output-unwritable`; SyntaxError when the file is not JSON, which loading the configuration already
 *   reports.
 */
export async function writeUserSetting(key: string, value: unknown, env: Environment): Promise<string> {
  const path = userFilePath(env);
  const settings = withValue(await readUserFile(path), key.split('.'), value);
  await replaceFile(path, `${JSON.stringify(settings, null, 2)}\n`);
  return path;
}
