/** Finds packages that do not ship with the program. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Returns a package in one of the `node_modules` from a folder upwards, as Node does, or null. */
export function findAbove(name: string, folder: string): string | null {
  const place = join(folder, 'node_modules', name);
  if (existsSync(place)) return place;
  const parent = dirname(folder);
  return parent === folder ? null : findAbove(name, parent);
}

/** Returns a package in npm's folder for programs, or null. */
export async function findGlobal(name: string, signal: AbortSignal): Promise<string | null> {
  const options = { timeout: 10_000, shell: process.platform === 'win32', signal };
  const root = await promisify(execFile)('npm', ['root', '--global'], options).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  const place = join(root, name);
  return root !== '' && existsSync(place) ? place : null;
}
