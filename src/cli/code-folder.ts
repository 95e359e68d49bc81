import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** Returns the folder of compiled code. It is needed before settings are loaded, so only variables determine it. */
export function codeFolder(env: NodeJS.ProcessEnv): string {
  if (env['RLM_HOME']) return join(resolve(env['RLM_HOME']), 'cache', 'code');
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.cache'), 'rlm', 'code');
}
