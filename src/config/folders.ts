import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { xdgFolder } from '../base/xdg-folder.ts';
import type { Environment } from './setting-layers.ts';
import type { Settings } from './settings.ts';

export const userFilePath = (env: Environment): string =>
  join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'config.json');

export const ownRolesFolder = (env: Environment): string => join(dirname(userFilePath(env)), 'roles');

/** Returns the state folder, which holds the runs, as an absolute path. */
export const stateFolder = ({ stateFolder: own }: Pick<Settings, 'stateFolder'>, env: Environment): string =>
  own === null ? xdgFolder(env, 'XDG_STATE_HOME', '.local', 'state') : resolve(own);

export const runsFolder = (state: string): string => join(state, 'runs');
export const evaluationsFolder = (state: string): string => join(state, 'evaluations');
export const contextsFolder = (state: string): string => join(state, 'contexts');
export const indexesFolder = (state: string): string => join(state, 'indexes');
export const modelsFolder = (state: string): string => join(state, 'models');

/** Returns the cache folder, which holds replies and vectors of earlier runs, as an absolute path. */
export const cacheFolder = ({ stateFolder: own }: Pick<Settings, 'stateFolder'>, env: Environment): string =>
  own === null ? xdgFolder(env, 'XDG_CACHE_HOME', '.cache') : join(resolve(own), 'cache');

/** Returns the folder for audit files; a relative path starts from the working folder. Null if audit is off. */
export const auditFolder = ({ audit }: Pick<Settings, 'audit'>): string | null =>
  audit === true ? join('telemetry', 'rlm') : audit === false ? null : audit;

function findRoot(folder = import.meta.dirname): string {
  if (existsSync(join(folder, 'rlm.config.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('rlm.config.json is missing from the installation');
  return findRoot(dirname(folder));
}

/** The folder of the installed package, which holds `prompts/` and the shipped `rlm.config.json`. */
export const packageRoot: string = findRoot();

/** Decompresses a file of `dist/`: `x.wasm` is there as `x.wasm.br` (Brotli). Throws the system's error. */
export const readBinary = (...names: readonly string[]): Buffer =>
  brotliDecompressSync(readFileSync(`${join(packageRoot, 'dist', ...names)}.br`));
