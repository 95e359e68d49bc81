/** Finds `node-llama-cpp`, which is no part of this program: whoever wants it installs it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { untilAborted } from '../../base/abort.ts';
import { packageRoot } from '../../config/package-root.ts';
import { RlmError } from '../../errors.ts';
import { clean } from '../wire/http-errors.ts';

/** Where the package is. */
export interface FoundPackage {
  readonly folder: string;
  readonly version: string;
}

const packageName = 'node-llama-cpp';
const testedVersion = '3.22.1';

/** The parts for processors without a graphics card, by platform; Apple's have one always. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Installs it without the parts for graphics cards, which are ten times as large. */
export function installCommand(platform = `${process.platform}-${process.arch}`): string {
  const binary = binaries[platform];
  const parts = binary === undefined ? '' : ` @${packageName}/${binary}@${testedVersion}`;
  return `npm i -g --omit=optional --ignore-scripts ${packageName}@${testedVersion}${parts}`;
}

const unusable = (message: string, hint: string, cause?: unknown): RlmError =>
  new RlmError('provider-unreachable', message, { hint, cause });

const notInstalled = (where: string): RlmError =>
  unusable(
    `${packageName}, which runs GGUF files, is not installed${where}`,
    `Install it (85 MB): ${installCommand()}`,
  );

/** The error for a package that is there and does not work. */
export const broken = ({ folder, version }: FoundPackage, why: string, cause: unknown): RlmError =>
  unusable(
    `${packageName} ${version} in ${folder} does not work: ${clean(why)}`,
    `Install it again: ${installCommand()}`,
    cause,
  );

/** The package in one of the `node_modules` from a folder upwards, as Node looks for it, or null. */
function findAbove(folder: string): string | null {
  const place = join(folder, 'node_modules', packageName);
  if (existsSync(place)) return place;
  const parent = dirname(folder);
  return parent === folder ? null : findAbove(parent);
}

/** The package in npm's folder for programs, or null. */
async function findGlobal(signal: AbortSignal): Promise<string | null> {
  const asked = promisify(execFile)('npm', ['root', '--global'], {
    timeout: 10_000,
    shell: process.platform === 'win32',
    signal,
  });
  const root = await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const place = join(root, packageName);
  return root !== '' && existsSync(place) ? place : null;
}

function describe(folder: string): FoundPackage {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: unknown };
    return { folder, version: String(version) };
  } catch (error) {
    throw broken({ folder, version: '' }, (error as Error).message, error);
  }
}

function checkVersion(found: FoundPackage): FoundPackage {
  if (/^3\./.test(found.version)) return found;
  throw unusable(
    `${packageName} in ${found.folder} is version ${found.version}; version 3 is needed`,
    `Install it: ${installCommand()}`,
  );
}

/** Only the folder that the user names: it, or one with the package in its `node_modules`. */
function findNamed(folder: string): string {
  const found = basename(folder) === packageName && existsSync(folder) ? folder : findAbove(folder);
  if (found === null) throw notInstalled(` in ${folder} (llamaCpp.folder)`);
  return found;
}

/**
 * Finds the package: in the folder that the user names, else beside this program, in npm's global folder, and from the
 * working folder upwards; that one comes last, since its code came with somebody else's files perhaps.
 * @throws RlmError `provider-unreachable` when it is not installed, or is another version.
 */
export async function findPackage(folder: string | null, cwd: string, signal: AbortSignal): Promise<FoundPackage> {
  signal.throwIfAborted();
  const place =
    folder === null
      ? (findAbove(packageRoot) ?? (await untilAborted(findGlobal(signal), signal)) ?? findAbove(cwd))
      : findNamed(resolve(cwd, folder));
  if (place === null) throw notInstalled('');
  return checkVersion(describe(place));
}
