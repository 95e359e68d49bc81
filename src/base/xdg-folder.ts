import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns the program's folder in the folder that a variable names, else in `below` the home folder. A relative path in
 * the variable or in HOME is ignored (XDG Base Directory 0.8).
 */
export function xdgFolder(env: NodeJS.ProcessEnv, variable: string, ...below: readonly string[]): string {
  const xdg = env[variable] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'rlm');
  const home = env['HOME'] || homedir();
  return join(isAbsolute(home) ? home : userInfo().homedir, ...below, 'rlm');
}
