import { randomBytes } from 'node:crypto';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unwritable } from '../../errors.ts';
import { makeFolder } from './system.ts';

const fault = (code: string) => Object.assign(new Error(code), { code });

/** Follows links to the file to replace. Returns its path and permissions. Throws for a folder or a device. */
async function targetOf(path: string) {
  const found = await stat(path).catch(() => null);
  if (found === null) return { target: path, mode: 0o600 };
  if (found.isDirectory()) throw fault('EISDIR');
  if (!found.isFile()) throw fault('it is not a regular file');
  return { target: await realpath(path), mode: found.mode & 0o777 };
}

async function withDraft(
  path: string,
  content: string | Uint8Array,
  use: (draft: string, target: string) => Promise<void>,
) {
  try {
    makeFolder(dirname(path), 0o777);
    const { target, mode } = await targetOf(path);
    const draft = join(dirname(target), `.${basename(target)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
    try {
      await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
      if (mode !== 0o600) await chmod(draft, mode);
      await use(draft, target);
    } finally {
      await rm(draft, { force: true }).catch(() => {});
    }
  } catch (error) {
    throw unwritable(path, error, 'Name another file, or make its folder writable.');
  }
}

/**
 * Writes a file in one step: a reader sees the old content or the new content, never a part. Creates missing folders.
 * Only the user can read a new file; a replaced file keeps its permissions.
 * @throws RlmError `output-unwritable`, `too-many-files`.
 */
export const replaceFile = (path: string, content: string | Uint8Array): Promise<void> =>
  withDraft(path, content, rename);

/** Checks in advance that `replaceFile` can write a path. Throws as `replaceFile` does. */
export const checkReplaceable = (path: string): Promise<void> => withDraft(path, '', async () => {});
