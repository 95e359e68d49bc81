import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { untilAborted } from '../../base/abort.ts';
import { findAbove, findGlobal } from '../../base/find-package.ts';
import { packageRoot } from '../../config/folders.ts';
import { RlmError } from '../../errors.ts';
import { clean } from '../wire/http-errors.ts';
import type { Llama, LlamaModule } from './interface.ts';

const name = 'node-llama-cpp';
const testedVersion = '3.22.1';
const major = 3;

/** The package's binary for each platform. None needs a graphics card. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Returns the command that installs the package without the parts for graphics cards, which are ten times as large. */
export function installCommand(platform = `${process.platform}-${process.arch}`): string {
  const binary = binaries[platform];
  const parts = binary === undefined ? '' : ` @${name}/${binary}@${testedVersion}`;
  return `npm i -g --omit=optional --ignore-scripts ${name}@${testedVersion}${parts}`;
}

export type FoundPackage = ReturnType<typeof describe>;

const unusable = (message: string, hint: string, cause?: unknown): RlmError =>
  new RlmError('provider-unreachable', message, { hint, cause });

const notInstalled = (where: string): RlmError =>
  unusable(`${name}, which runs GGUF files, is not installed${where}`, `Install it (85 MB): ${installCommand()}`);

function broken({ folder, version }: FoundPackage, cause: unknown): RlmError {
  const message = `${name} ${version || '(unknown version)'} in ${folder} does not work: ${clean((cause as Error).message)}`;
  return unusable(message, `Install it again: ${installCommand()}`, cause);
}

function findNamed(folder: string): string {
  const found = folder.endsWith(join('/', name)) && existsSync(folder) ? folder : findAbove(name, folder);
  if (found === null) throw notInstalled(` in ${folder} (llamaCpp.folder)`);
  return found;
}

function describe(folder: string): { readonly folder: string; readonly version: string } {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: unknown };
    return { folder, version: String(version) };
  } catch (error) {
    throw broken({ folder, version: '' }, error);
  }
}

/**
 * Finds the package in the folder that the user names. By default, searches beside this program, then in npm's global
 * folder, then from the working folder upwards. The working folder comes last, because its packages may be untrusted.
 * @throws RlmError `provider-unreachable` when the package is not installed, is broken, or has another major version.
 */
export async function findPackage(folder: string | null, cwd: string, signal: AbortSignal): Promise<FoundPackage> {
  signal.throwIfAborted();
  const place =
    folder === null
      ? (findAbove(name, packageRoot) ?? (await untilAborted(findGlobal(name, signal), signal)) ?? findAbove(name, cwd))
      : findNamed(resolve(cwd, folder));
  if (place === null) throw notInstalled('');
  const found = describe(place);
  if (found.version.startsWith(`${major}.`)) return found;
  const message = `${name} in ${found.folder} is version ${found.version}; version ${major} is needed`;
  throw unusable(message, `Install it: ${installCommand()}`);
}

/** Imports the package. Computes its path at run time, so that no bundler resolves it. */
async function loadPackage(found: FoundPackage): Promise<LlamaModule> {
  try {
    return await import(pathToFileURL(join(found.folder, 'dist', 'index.js')).href);
  } catch (error) {
    throw broken(found, error);
  }
}

type Native = Awaited<ReturnType<typeof start>>;

/** The started packages by `gpu` and folder. Each is started only once, because it supports only one log function. */
const started = new Map<string, Promise<Native>>();

/** Starts the package. Keeps the last line of its log, which it would otherwise write to the terminal. */
async function start(found: FoundPackage, gpu: 'auto' | false) {
  const module = await loadPackage(found);
  let last = '';
  const logger = (_level: string, message: string) => {
    last = clean(message);
  };
  const complaint = () => {
    const said = last;
    last = '';
    return said;
  };
  try {
    const llama: Llama = await module.getLlama({ gpu, build: 'never', skipDownload: true, logLevel: 'error', logger });
    return { module, llama, complaint };
  } catch (error) {
    throw broken(found, error);
  }
}

/** Starts the package, once for each folder and `gpu`. Throws `provider-unreachable` when it is broken. */
export function startNative(found: FoundPackage, gpu: 'auto' | false): Promise<Native> {
  const key = `${gpu} ${found.folder}`;
  const starting = started.get(key) ?? start(found, gpu);
  started.set(key, starting);
  starting.catch(() => started.delete(key));
  return starting;
}
