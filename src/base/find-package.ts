import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Finds a package as Node does: in a `node_modules` of the folder or of its parents. Returns null if it is missing. */
export function findAbove(name: string, folder: string): string | null {
  const place = join(folder, 'node_modules', name);
  if (existsSync(place)) return place;
  const parent = dirname(folder);
  return parent === folder ? null : findAbove(name, parent);
}

/** Returns the path of a package in npm's global folder; null if it is not there. */
export async function findGlobal(name: string, signal: AbortSignal): Promise<string | null> {
  const options = { timeout: 10_000, shell: process.platform === 'win32', signal };
  const root = await promisify(execFile)('npm', ['root', '--global'], options).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const place = join(root, name);
  return root !== '' && existsSync(place) ? place : null;
}
