/** The folder of compiled code. It is needed before settings are loaded, so only environment variables determine it. */
import { join, resolve } from 'node:path';
import { xdgFolder } from '../base/xdg-folder.ts';

/** Returns the folder of compiled code, inside the cache folder that the environment variables define. */
export function codeFolder(env: NodeJS.ProcessEnv): string {
  if (env['RLM_HOME']) return join(resolve(env['RLM_HOME']), 'cache', 'code');
  return join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'code');
}
