/** `node-llama-cpp`: how it is installed, and where it is. */
import type { RlmError } from '../../errors.ts';
import { broken as brokenPackage, type FoundPackage, findOptionalPackage } from '../optional-package.ts';

export type { FoundPackage };

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

const wanted = {
  name: packageName,
  does: 'which runs GGUF files',
  major: 3,
  size: '85 MB',
  setting: 'llamaCpp.folder',
  installCommand: () => installCommand(),
};

/** The error for a package that is there and does not work. */
export const broken = (found: FoundPackage, why: string, cause: unknown): RlmError =>
  brokenPackage(wanted, found, why, cause);

/**
 * Finds the package. @param folder that the user names; null: in the usual places.
 * @throws RlmError `provider-unreachable` when it is not installed, or is another version.
 */
export const findPackage = (folder: string | null, cwd: string, signal: AbortSignal): Promise<FoundPackage> =>
  findOptionalPackage(wanted, folder, cwd, signal);
