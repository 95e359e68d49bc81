import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the path of `rlm` in an XDG folder. A variable with a relative path is ignored (XDG Base Directory). */
export function xdgFolder(env: NodeJS.ProcessEnv, variable: string, ...belowHome: readonly string[]): string {
  const xdg = env[variable] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'rlm');
  const home = env['HOME'] || homedir();
  return join(isAbsolute(home) ? home : userInfo().homedir, ...belowHome, 'rlm');
}
