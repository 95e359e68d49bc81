import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computedPassage } from '../../src/context/computed-passage.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import { extractSymbols } from '../../src/tools/code/extract-symbols.ts';
import { createFileAccess } from '../../src/tools/files/walls/file-access.ts';
import { grep } from '../../src/tools/texts/grep.ts';
import { listFiles } from '../../src/tools/texts/list-files.ts';
import { readFile } from '../../src/tools/texts/read-file.ts';
import { unitsOf } from '../../src/tools/texts/units.ts';
import type { Tool, ToolWorld } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';

/** A part of every file outside the roots, and of some file names. */
export const canary = 'CANARY-7f3a';

/** A part of every file that may be read. */
export const inside = 'plain inside text';

/** A root with files and links of all kinds, and forbidden files around it. */
export interface Yard {
  readonly base: string;
  readonly root: string;
  readonly world: ToolWorld;
  remove(): void;
}

const files: Readonly<Record<string, string>> = {
  'root/a.txt': inside,
  'root/sub/b.txt': inside,
  'root/sub/deep/c.ts': `export function inner() {} // ${inside}`,
  'root/with space/ü.txt': inside,
  'root/new\nline.txt': inside,
  'outside/canary.txt': canary,
  [`outside/${canary}.txt`]: canary,
  'outside/sub/b.txt': canary,
  'outside/sub/canary.txt': canary,
  'outside/sub/canary.ts': `export function ${canary.replace('-', '_')}() {} // ${canary}`,
  'root-evil/canary.txt': canary,
  'rootx/canary.txt': canary,
  'canary.txt': canary,
};

/** Returns each link with its target. Absolute targets begin with the yard's folder. */
const linksOf = (base: string): Readonly<Record<string, string>> => ({
  file: '../outside/canary.txt',
  'file-absolute': join(base, 'outside/canary.txt'),
  folder: '../outside',
  'folder-absolute': join(base, 'outside'),
  up: '..',
  top: '/',
  evil: '../root-evil',
  first: 'second',
  second: 'sub/third',
  'sub/third': '../../outside/canary.txt',
  'sub/out': '../../outside/sub',
  round: 'about',
  about: 'round',
  self: '.',
  dangling: '../outside/nothing',
  proc: '/proc',
  'proc-root': '/proc/self/root',
  'proc-cwd': '/proc/self/cwd',
  environment: '/proc/self/environ',
  devices: '/dev',
  zero: '/dev/zero',
  'a-link.txt': 'a.txt',
  'sub-link': 'sub',
});

/** Builds the yard in a temporary folder. The only root of its tools is `root`. */
export function createYard(): Yard {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'rlm-walls-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(base, name, '..'), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  const root = join(base, 'root');
  for (const [name, target] of Object.entries(linksOf(base))) symlinkSync(target, join(root, name));
  execFileSync('mkfifo', [join(root, 'pipe'), join(root, '.gitignore')]);
  return { base, root, world: createWorld(root), remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** Creates the world of tools that may read below a folder. */
export function createWorld(root: string): ToolWorld {
  const { signal } = new AbortController();
  const access = createFileAccess(['.'], { cwd: root, unguarded: true });
  return {
    ...{ bounds: { characters: 20_000, lines: 200 }, store: createContextStore(), files: access, signal },
    ...{ pieceBytes: 1_000, questions: null, find: async () => [], note: () => '', compute: computedPassage },
  };
}

/** Returns the text that a tool shows. */
export async function tell<A>(tool: Tool<A>, given: A, world: ToolWorld): Promise<string> {
  const result = await tool.run(given, world);
  return typeof result === 'string' ? result : result(world.bounds).text;
}

/** Returns the reply of every tool that takes a path; for a refusal, its message. */
export async function askAll(path: string, world: ToolWorld): Promise<string[]> {
  const calls = [
    () => tell(readFile, { path }, world),
    () => tell(listFiles, { path }, world),
    () => tell(grep, { pattern: '.', path }, world),
    () => tell(extractSymbols, { path }, world),
    () => tell(extractSymbols, { path, tree: true }, world),
    // The lines that classify reads.
    async () => (await unitsOf({ path, each: 'line' }, world)).map(({ text }) => text).join('\n'),
  ];
  const replies: string[] = [];
  for (const call of calls) replies.push(await call().catch(wordsOf));
  return replies;
}

/** Returns the message of a refusal. Throws any other error, which is a bug. */
export function wordsOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  throw error;
}
