/**
 * Installs packages that are not part of this program into a folder outside node_modules, and runs the tests that need
 * them. The packages stay installed for the next run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PeerTest {
  /** The folder of the tests, with its vitest.config.ts; also the name of the script. */
  readonly name: string;
  /** The target folder of the installation. */
  readonly folder: string;
  /** The command that the program tells users to type; it is run without -g. */
  readonly installCommand: string;
  /** The environment variable that tells the tests where the packages are. */
  readonly variable: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const shell = process.platform === 'win32';

/** The marker is written last, so a folder without it is incomplete. */
function install(folder: string, installCommand: string): boolean {
  const marker = join(folder, 'installed.json');
  const [npm = '', ...args] = installCommand.replace(' -g ', ' --no-audit --no-fund ').split(' ');
  if (existsSync(marker)) return true;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const { status } = spawnSync(npm, args, { cwd: folder, stdio: 'inherit', shell });
  if (status === 0) writeFileSync(marker, JSON.stringify({ command: installCommand }));
  return status === 0;
}

function test(name: string, env: Readonly<Record<string, string>>): boolean {
  const config = join(root, 'tests', name, 'vitest.config.ts');
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', config], {
    stdio: 'inherit',
    shell,
    env: { ...process.env, ...env },
  });
  return status === 0;
}

/** Runs the tests, and sets the exit status. */
export function testWithPeer({ name, folder, installCommand, variable }: PeerTest): void {
  const place = join(root, folder);
  const isInstalled = install(place, installCommand);
  if (!isInstalled) console.error(`test:${name}: npm cannot install the packages, so nothing was tested`);
  const passed = isInstalled && test(name, { [variable]: place });
  console.log(passed ? `test:${name}: passed` : `test:${name}: failed`);
  process.exitCode = passed ? 0 : 1;
}
