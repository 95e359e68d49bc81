import { join, resolve } from 'node:path';
import { xdgFolder } from '../base/xdg-folder.ts';

/** Returns the folder of compiled code. Environment variables alone determine it: settings are not loaded yet. */
export function codeFolder(env: NodeJS.ProcessEnv): string {
  if (env['RLM_HOME']) return join(resolve(env['RLM_HOME']), 'cache', 'code');
  return join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'code');
}
