/**
 * Installs node-llama-cpp, without its parts for graphics cards, into a folder of its own outside node_modules, and
 * runs the tests of tests/llama with it. What is installed stays for the next time.
 *
 * npm run test:llama
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installCommand } from '../src/providers/llama-cpp/package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.llama-cpp');
/** Written last: a folder without it is not whole. */
const installed = join(folder, 'installed.json');

/** The command that the program itself names, but into this folder. */
function install(): boolean {
  const [npm = '', ...args] = installCommand().replace(' -g ', ' --no-audit --no-fund ').split(' ');
  if (existsSync(installed)) return true;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const { status } = spawnSync(npm, args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status === 0) writeFileSync(installed, JSON.stringify({ command: installCommand() }));
  return status === 0;
}

function test(): boolean {
  const config = join(root, 'tests', 'llama', 'vitest.config.ts');
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', config], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, LLAMA_TEST_FOLDER: folder },
  });
  return status === 0;
}

const isInstalled = install();
if (!isInstalled) console.error('test:llama: npm cannot install node-llama-cpp, so nothing was tested');
const passed = isInstalled && test();
console.log(passed ? 'test:llama: passed' : 'test:llama: failed');
process.exitCode = passed ? 0 : 1;
