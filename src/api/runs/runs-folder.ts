import { runsFolder, stateFolder } from '../../config/folders.ts';
import { loadConfiguration } from '../../config/layers.ts';
import type { Environment } from '../../config/setting-layers.ts';

/** Where runs are looked for. */
export interface RunsOptions {
  /** Default: the process's. */
  readonly env?: Environment;
  /** Default: the process's. */
  readonly cwd?: string;
}

/** The state folder, by the configuration in force. */
export function stateFolderOf({ env = process.env, cwd = process.cwd() }: RunsOptions): string {
  return stateFolder(loadConfiguration({ env, cwd }).settings, env);
}

/** The folder that holds a folder for each run, by the configuration in force. */
export const runsFolderOf = (options: RunsOptions): string => runsFolder(stateFolderOf(options));
