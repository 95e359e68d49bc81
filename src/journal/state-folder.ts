import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../config/layers.ts';
import type { Settings } from '../config/settings.ts';

/** Where runs are kept, as an absolute path (XDG Base Directory Specification 0.8, which ignores relative paths). */
export function stateFolder({ stateFolder: own }: Pick<Settings, 'stateFolder'>, env: Environment): string {
  if (own !== null) return resolve(own);
  const xdg = env['XDG_STATE_HOME'] ?? '';
  const base = isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.local', 'state');
  return join(base, 'rlm');
}

/** The folder that holds a folder for each run. */
export const runsFolder = (state: string): string => join(state, 'runs');
