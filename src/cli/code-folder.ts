/** Where compiled code is kept: known from variables alone, before anything else of the program is loaded. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** With the cache of replies, as far as variables say where that is. */
export function codeFolder(env: NodeJS.ProcessEnv): string {
  if (env['RLM_HOME']) return join(resolve(env['RLM_HOME']), 'cache', 'code');
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.cache'), 'rlm', 'code');
}
