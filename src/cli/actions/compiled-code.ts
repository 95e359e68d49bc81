/** The compiled code of all versions of the program and of Node, in one folder. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the size of the compiled code, in bytes. 0 when there is none. */
export async function compiledBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(
    files.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes the compiled code and returns its size, in bytes. Throws the system error. */
export async function clearCompiled(folder: string): Promise<number> {
  const bytes = await compiledBytes(folder);
  await rm(folder, { recursive: true, force: true });
  return bytes;
}
