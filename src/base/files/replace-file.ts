import { randomBytes } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RlmError } from '../../errors.ts';
import { makeFolder } from './make-folder.ts';

const fault = (code: string) => Object.assign(new Error(code), { code });

/** Where a link leads; a folder or a device has no place that a file could take. */
async function targetOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null) return path;
  if (found.isDirectory()) throw fault('EISDIR');
  if (!found.isFile()) throw fault('it is no regular file');
  return realpath(path);
}

/** Writes a draft beside the file, and does with it what is to be done. The draft does not stay. */
async function withDraft(
  path: string,
  content: string | Uint8Array,
  use: (draft: string, target: string) => Promise<void>,
) {
  try {
    makeFolder(dirname(path), 0o777);
    const target = await targetOf(path);
    const draft = join(dirname(target), `.${basename(target)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
    try {
      await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
      await use(draft, target);
    } finally {
      await rm(draft, { force: true }).catch(() => {});
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new RlmError('output-unwritable', `${path} cannot be written (${code ?? message})`, {
      hint: 'Name another file, or make its folder writable.',
    });
  }
}

/**
 * Writes a file in one step: who reads it sees the old text or the new. Missing folders are made; only the user can
 * read it.
 * @throws RlmError `output-unwritable`.
 */
export const replaceFile = (path: string, content: string | Uint8Array): Promise<void> =>
  withDraft(path, content, rename);

/**
 * Finds out whether `replaceFile` can write there, so that nothing is spent on what could not be kept.
 * @throws RlmError `output-unwritable`.
 */
export const checkReplaceable = (path: string): Promise<void> => withDraft(path, '', async () => {});
