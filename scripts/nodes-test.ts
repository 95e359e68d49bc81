/** Packs the program for publication, installs it, and tests it on each supported Node (about 300 MB). */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'rlm-nodes-'));
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
const run = (command: string, args: readonly string[], cwd = work) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: command === 'npm' ? process.env : { PATH: process.env['PATH'], HOME: work, OLLAMA_HOST: 'http://127.0.0.1:1' },
  });

/** Returns the newest Node of a major version, from the npm package `node`; null if npm cannot install it. */
function installNode(major: string): string | null {
  const folder = join(work, `node-${major}`);
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}`;
  try {
    run('npm', ['install', '--prefix', folder, ...quiet, `${name}@${major}`]);
  } catch {
    return null;
  }
  return join(folder, 'node_modules', name, 'bin', 'node');
}

function tryOn(node: string, installed: string): string[] {
  const rlm = (...args: string[]) => run(node, [join(installed, 'bin', 'rlm.js'), ...args]);
  const library = `import { ask } from 'rlm'; const r = await ask('How many connections?', { paths: ['notes.md'] }); console.log(r.status);`;
  writeFileSync(join(work, 'library.mjs'), library);
  const attempts: readonly (readonly [string, () => boolean])[] = [
    ['rlm --version', () => rlm('--version').trim() !== ''],
    [
      'rlm ask --report',
      () => rlm('ask', 'How many connections has the pool?', 'notes.md', '--report', 'r.html').includes('from 40 to 4'),
    ],
    ['the page', () => readFileSync(join(work, 'r.html'), 'utf8').includes('</html>')],
    ['rlm report', () => rlm('report', '-o', '-').includes('</html>')],
    ['the library', () => run(node, ['library.mjs']).trim() === 'answered'],
    ['the manual', () => existsSync(join(installed, 'dist', 'man', 'rlm.1'))],
  ];
  return attempts.filter(([, works]) => !works()).map(([what]) => what);
}

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], root)) as [
    { filename: string },
  ];
  writeFileSync(join(work, 'package.json'), '{"private": true, "type": "module"}');
  writeFileSync(join(work, 'notes.md'), 'The deploy changed the pool.\nIt was lowered from 40 to 4 connections.\n');
  run('npm', ['install', ...quiet, join(work, packed.filename)]);
  for (const major of ['20', '22', '24']) {
    const node = installNode(major);
    if (node === null) {
      console.log(`Node ${major}: skipped, since npm cannot install it here`);
      continue;
    }
    const failed = tryOn(node, join(work, 'node_modules', 'rlm'));
    console.log(
      `Node ${run(node, ['--version']).trim()}: ${failed.length === 0 ? 'all works' : `FAILS: ${failed.join(', ')}`}`,
    );
    if (failed.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
