import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WallReport } from './check.ts';
import { askAll, canary, createYard, inside, type Yard } from './file-walls.ts';

/** Targets of the paths, relative to the root. */
const goals: readonly string[] = [
  'outside/canary.txt',
  'outside/sub/canary.txt',
  'outside/sub/canary.ts',
  'outside',
  'root-evil/canary.txt',
  'rootx/canary.txt',
  'canary.txt',
];

/** Matches text that only files of the system contain. */
const systemPaths: readonly string[] = [
  '/etc/passwd',
  '/etc/shadow',
  '/proc/self/environ',
  '/proc/self/cmdline',
  '/proc/self/maps',
  '/proc/self/fd/0',
  '/proc/1/environ',
  '/proc/version',
  '/proc/self/root/etc/passwd',
  '/proc/self/cwd',
  '/sys/kernel/notes',
  '/dev/zero',
  '/dev/random',
  '/dev/tty',
  '/dev/stdin',
  '/dev/fd/0',
  '/dev/mem',
  '/dev',
  '/proc',
  '/',
  '//',
  '///etc/passwd',
];

type Change = (path: string) => string;

/** Ways to get out of the root. */
const ways: readonly Change[] = [
  (goal) => `../${goal}`,
  (goal) => `./../${goal}`,
  (goal) => `sub/../../${goal}`,
  (goal) => `sub/deep/../../../${goal}`,
  (goal) => `missing/../../${goal}`,
  (goal) => `up/${goal}`,
  (goal) => `sub-link/../up/${goal}`,
  (goal) => `self/self/up/${goal}`,
  (goal) => `sub/../up/root/up/${goal}`,
  (goal) => `../root/../${goal}`,
  (goal) => `../root/up/${goal}`,
];

/** Changes to a path that may make it pass a check. */
const disguises: readonly Change[] = [
  (path) => path,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '/./'),
  (path) => path.replaceAll('..', '%2e%2e'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => encodeURIComponent(path),
  (path) => path.replaceAll('..', '%252e%252e'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('..', '\u2024\u2024'),
  (path) => path.replaceAll('/', '\uff0f'),
  (path) => path.replaceAll('..', '\uff0e\uff0e'),
  (path) => path.replaceAll('/', '\u2215'),
  (path) => `${path}\0`,
  (path) => `a.txt\0/../${path}`,
  (path) => `${path}\n`,
  (path) => `\n${path}`,
  (path) => `a.txt\n${path}`,
  (path) => ` ${path}`,
  (path) => `${path}/.`,
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => `~/${path}`,
  (path) => `file://${path}`,
  (path) => `\u202e${path}`,
  (path) => `${path}::$DATA`,
  (path) => `\x1b[2K${path}`,
  (path) => path.normalize('NFD').replaceAll('..', '.\u200b.'),
];

const links: readonly string[] = [
  'file',
  'file-absolute',
  'folder',
  'folder/canary.txt',
  'folder/sub/canary.txt',
  'folder-absolute/canary.txt',
  'up',
  'up/canary.txt',
  'top',
  'top/etc/passwd',
  'evil/canary.txt',
  'first',
  'second',
  'sub/third',
  'sub/out',
  'sub/out/canary.ts',
  'round',
  'about',
  'round/about',
  'self/file',
  'self/self/self/folder/canary.txt',
  'dangling',
  'proc',
  'proc/self/environ',
  'proc-root/etc/passwd',
  'proc-cwd',
  'environment',
  'devices',
  'devices/zero',
  'zero',
  'pipe',
  'sub-link/out',
  'sub-link/third',
  'sub-link/../file',
  'up/root/file',
  'up/root/up/outside/canary.txt',
  'first/',
  'file/.',
  'file/..',
  'folder/..',
  'folder/../outside/canary.txt',
];

const foreign = (base: string): readonly string[] => [
  '',
  '.',
  '.'.repeat(5_000),
  '../'.repeat(2_000),
  'a/'.repeat(3_000),
  '\0',
  '\n',
  '..',
  '...',
  '.. /canary.txt',
  '..;/canary.txt',
  '\\\\server\\share\\canary.txt',
  '//server/share/canary.txt',
  '\\\\?\\C:\\canary.txt',
  '\\\\.\\PhysicalDrive0',
  'C:\\Windows\\win.ini',
  'C:canary.txt',
  'c:/canary.txt',
  'CON',
  'NUL',
  'COM1',
  'a.txt:stream',
  '$HOME/.ssh/id_rsa',
  '~root',
  '~',
  '$HOME',
  '`pwd`',
  '$(pwd)',
  'a.txt;cat ../canary.txt',
  'a.txt|../canary.txt',
  'https://localhost/canary.txt',
  'data:,x',
  '{a,../canary}.txt',
  '../*',
  '../**/*.txt',
  '[.][.]/canary.txt',
  `${base}/ROOT/../canary.txt`,
  `${base}/root/../canary.txt`,
  `${base}/rootx/canary.txt`,
  `${base}/root-evil/canary.txt`,
  `${base}/root`,
  base,
];

/** Creates distinct paths that lead out of a root, or seem to. */
function hostilePaths(base: string): string[] {
  const reaching = goals.flatMap((goal) => [...ways.map((way) => way(goal)), `${base}/${goal}`]);
  const disguised = [...reaching, ...systemPaths, ...links].flatMap((path) =>
    disguises.map((disguise) => disguise(path)),
  );
  return [...new Set([...foreign(base), ...links, ...systemPaths, ...reaching, ...disguised])];
}

/** Returns this many evenly spaced paths, so that all kinds are included. */
function someOf(paths: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => paths[Math.floor((at * paths.length) / count)]!);
}

const isFromOutside = (text: string): boolean => /root:x:0|Linux version|HOME=/.test(text) || text.includes(canary);

/** Opens paths without checks, as a careless program would. This shows that the paths are hostile. */
function readPlainly(path: string, { root }: Yard): string {
  if (/zero|random|tty|pipe|fd\/|stdin/.test(path)) return '';
  try {
    return readFileSync(resolve(root, path), 'utf8');
  } catch {
    return '';
  }
}

/** Passes this many hostile paths to every tool that takes a path. */
export async function checkHostilePaths(count: number): Promise<WallReport> {
  const yard = createYard();
  try {
    const paths = someOf(hostilePaths(yard.base), count);
    const breaches: string[] = [];
    const seen = { replies: 0, inside: 0, plain: 0, bytes: 0 };
    for (const path of paths) {
      for (const reply of await askAll(path, yard.world)) {
        seen.replies++;
        if (reply.includes(inside)) seen.inside++;
        if (!isFromOutside(reply)) continue;
        seen.bytes += Buffer.byteLength(reply);
        breaches.push(`${JSON.stringify(path)}: ${reply.slice(0, 200)}`);
      }
      if (isFromOutside(readPlainly(path, yard))) seen.plain++;
    }
    const figures = [
      ['hostile paths', paths.length],
      ['replies of tools to them', seen.replies],
      ['replies that show a file inside', seen.inside],
      ['paths by which a plain read gets out', seen.plain],
      ['bytes from outside', seen.bytes],
    ] as const;
    return { figures, breaches };
  } finally {
    yard.remove();
  }
}
