import { join, resolve } from 'node:path';
import { xdgFolder } from '../base/xdg-folder.ts';

/** Returns the folder of compiled code. Only variables determine it: it is needed before settings are loaded. */
export function codeFolder(env: NodeJS.ProcessEnv): string {
  if (env['RLM_HOME']) return join(resolve(env['RLM_HOME']), 'cache', 'code');
  return join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'code');
}
