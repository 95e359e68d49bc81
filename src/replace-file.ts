import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RlmError } from './errors.ts';

/**
 * Writes a file in one step: who reads it sees the old text or the new. Missing folders are made; only the user can
 * read it.
 * @throws RlmError `output-unwritable`.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    throw new RlmError('output-unwritable', `${path} cannot be written (${code})`, {
      hint: 'Name another file, or make its folder writable.',
    });
  }
}
