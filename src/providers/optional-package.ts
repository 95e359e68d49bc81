/** Finds packages that do not ship with this program: a user who wants one installs it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { untilAborted } from '../base/abort.ts';
import { packageRoot } from '../config/package-root.ts';
import { RlmError } from '../errors.ts';
import { clean } from './wire/http-errors.ts';

/** A package for a part of the program. */
export interface OptionalPackage {
  readonly name: string;
  /** Its purpose, for messages: `which runs GGUF files`. */
  readonly does: string;
  /** The major version that is known to work. */
  readonly major: number;
  /** Its size on the disk, for messages: `85 MB`. */
  readonly size: string;
  /** The setting that names its folder. */
  readonly setting: string;
  readonly installCommand: () => string;
}

/** Where a package is. */
export interface FoundPackage {
  readonly folder: string;
  readonly version: string;
}

const unusable = (message: string, hint: string, cause?: unknown): RlmError =>
  new RlmError('provider-unreachable', message, { hint, cause });

const notInstalled = ({ name, does, size, installCommand }: OptionalPackage, where: string): RlmError =>
  unusable(`${name}, ${does}, is not installed${where}`, `Install it (${size}): ${installCommand()}`);

/** The error for an installed package that does not work. */
export const broken = (
  { name, installCommand }: OptionalPackage,
  { folder, version }: FoundPackage,
  why: string,
  cause: unknown,
): RlmError =>
  unusable(
    `${name} ${version} in ${folder} does not work: ${clean(why)}`,
    `Install it again: ${installCommand()}`,
    cause,
  );

/** Returns the package in one of the `node_modules` from a folder upwards, as Node does, or null. */
function findAbove(name: string, folder: string): string | null {
  const place = join(folder, 'node_modules', name);
  if (existsSync(place)) return place;
  const parent = dirname(folder);
  return parent === folder ? null : findAbove(name, parent);
}

/** Returns the package in npm's folder for programs, or null. */
async function findGlobal(name: string, signal: AbortSignal): Promise<string | null> {
  const asked = promisify(execFile)('npm', ['root', '--global'], {
    timeout: 10_000,
    shell: process.platform === 'win32',
    signal,
  });
  const root = await asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const place = join(root, name);
  return root !== '' && existsSync(place) ? place : null;
}

function describe(wanted: OptionalPackage, folder: string): FoundPackage {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: unknown };
    return { folder, version: String(version) };
  } catch (error) {
    throw broken(wanted, { folder, version: '' }, (error as Error).message, error);
  }
}

function checkVersion(wanted: OptionalPackage, found: FoundPackage): FoundPackage {
  const { name, major, installCommand } = wanted;
  if (found.version.startsWith(`${major}.`)) return found;
  throw unusable(
    `${name} in ${found.folder} is version ${found.version}; version ${major} is needed`,
    `Install it: ${installCommand()}`,
  );
}

/** Looks only in the folder that the user names, or in its `node_modules`. */
function findNamed(wanted: OptionalPackage, folder: string): string {
  const { name, setting } = wanted;
  const found = folder.endsWith(join('/', name)) && existsSync(folder) ? folder : findAbove(name, folder);
  if (found === null) throw notInstalled(wanted, ` in ${folder} (${setting})`);
  return found;
}

/**
 * Finds a package: in the folder that the user names, else beside this program, in npm's global folder, and from the
 * working folder upwards. The working folder comes last, because its packages may come with somebody else's files.
 * @throws RlmError `provider-unreachable` when it is not installed, or is another version.
 */
export async function findOptionalPackage(
  wanted: OptionalPackage,
  folder: string | null,
  cwd: string,
  signal: AbortSignal,
): Promise<FoundPackage> {
  signal.throwIfAborted();
  const { name } = wanted;
  const place =
    folder === null
      ? (findAbove(name, packageRoot) ?? (await untilAborted(findGlobal(name, signal), signal)) ?? findAbove(name, cwd))
      : findNamed(wanted, resolve(cwd, folder));
  if (place === null) throw notInstalled(wanted, '');
  return checkVersion(wanted, describe(wanted, place));
}
