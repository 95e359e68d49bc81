/**
 * Builds dist/, unless it is up to date with the source. Every command that needs the program builds first; so does
 * each `npx rlm` in a clone.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The files that decide whether dist/ is up to date, relative to the root. */
async function inputs(): Promise<string[]> {
  const entries = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true });
  const source = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const besides = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const builders = ['scripts/build.ts', 'scripts/bundle.ts', 'scripts/manual.ts'];
  return [...source, ...[...besides, ...builders].map((path) => join(root, path))].sort();
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const path of await inputs()) {
    const content = await readFile(path);
    hash.update(`\0${path.slice(root.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const wanted = await hashOfInputs();
const builtFrom = await readFile(join(root, 'dist', '.built-from'), 'utf8').catch(() => '');
if (builtFrom !== wanted) await (await import('./bundle.ts')).bundleAll(wanted);
