/**
 * Builds the program as one executable for this system, which contains Node and the package's files. When it first
 * runs, it unpacks the files to the user's cache folder. The build tests it in a folder without the source.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'single-file', `rlm-${process.platform}-${process.arch}`);
/** The files that the program reads at run time: all but the library, its types and the manual. */
const parts = [
  'dist/cli',
  'dist/mcp',
  'dist/readers',
  'dist/sandbox',
  'dist/query',
  'dist/grammars',
  'prompts',
  'roles',
  'rlm.config.json',
  'prices.json',
  'package.json',
];
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

function filesBelow(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function pack(): Buffer {
  const workers = readdirSync(join(root, 'dist')).filter((name) => /-worker\.c?js$|^THIRD-PARTY/.test(name));
  const paths = [...parts, ...workers.map((name) => `dist/${name}`)].flatMap((part) => filesBelow(join(root, part)));
  const files = paths.map((path) => [relative(root, path), readFileSync(path).toString('base64')]);
  return gzipSync(JSON.stringify(Object.fromEntries(files)), { level: 9 });
}

function build(work: string): void {
  writeFileSync(join(work, 'files'), pack());
  const main = fileURLToPath(new URL('./unpack.cjs', import.meta.url));
  const config = { main, output: 'blob', disableExperimentalSEAWarning: true, assets: { files: 'files' } };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: work, stdio: 'pipe' });
  run(process.execPath, '--experimental-sea-config', 'sea.json');
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', 'postject@1.0.0-alpha.6');
  mkdirSync(join(root, 'single-file'), { recursive: true });
  copyFileSync(process.execPath, target);
  chmodSync(target, 0o755);
  run(process.execPath, 'node_modules/postject/dist/cli.js', target, 'NODE_SEA_BLOB', 'blob', '--sentinel-fuse', fuse);
}

/** Runs the executable and returns its output. */
function attempt(home: string, args: readonly string[], input = ''): string {
  const env = { HOME: home, PATH: '/usr/bin:/bin', OLLAMA_HOST: 'http://127.0.0.1:1' };
  return execFileSync(join(home, 'rlm'), args, {
    cwd: home,
    env,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Tests features: start, an answer, a report, a reader in a thread, a grammar, prompts and roles. */
function tryOut(home: string): readonly (readonly [string, boolean])[] {
  copyFileSync(target, join(home, 'rlm'));
  writeFileSync(join(home, 'notes.md'), 'The deploy changed the pool.\nIt was lowered from 40 to 4 connections.\n');
  writeFileSync(join(home, 'page.html'), '<h1>Title</h1><p>The limit is 17 requests.</p>');
  writeFileSync(join(home, 'a.ts'), 'export function parse(text: string) {\n  return text;\n}\n'.repeat(3));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const ask = (...args: string[]) => attempt(home, ['ask', ...args]);
  return [
    ['--version', attempt(home, ['--version']) === `${version}\n`],
    ['ask', ask('How many connections has the pool?', 'notes.md', '--report', 'r.html').includes('from 40 to 4')],
    ['--report', readFileSync(join(home, 'r.html'), 'utf8').includes('<!doctype html>')],
    ['a reader', ask('What is the limit?', 'page.html').includes('17 requests')],
    ['a grammar', ask('What does parse return?', 'a.ts', '--chunking', 'code').includes('a.ts:')],
    ['roles', attempt(home, ['roles']).includes('debugger')],
    ['configuration', attempt(home, ['config', 'get', 'budget.maxCalls']).trim() === '50'],
    ['completion', attempt(home, ['completion', 'bash']).includes('complete -o')],
  ];
}

const work = mkdtempSync(join(tmpdir(), 'rlm-single-'));
try {
  build(work);
  const home = join(work, 'home');
  mkdirSync(home);
  const tried = tryOut(home);
  for (const [what, works] of tried) console.log(`${works ? 'works' : 'FAILS'}  ${what}`);
  console.log(`${target}: ${Math.round(statSync(target).size / 1e6)} MB`);
  if (tried.some(([, works]) => !works)) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
