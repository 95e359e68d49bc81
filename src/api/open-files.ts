import { splitGlob } from '../base/glob.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument } from '../inputs/gather-inputs.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { OpenFile } from '../tools/files/walls/open-checked.ts';
import { ToolError } from '../tools/tool-error.ts';

/** Files under some roots, for a program that reads them for an untrusted client. */
export interface Files {
  /** The roots as they were given. */
  readonly roots: readonly string[];
  /**
   * Returns the file at `path`, all files below a folder, or all files that match a glob. Omits hidden files that
   * `path` does not name. Also omits ignored and secret files, except a file that is itself a root.
   * @throws RlmError `input-missing` for a path outside the roots, or without a file that may be read; the signal's
   *   reason.
   */
  find(path: string, signal?: AbortSignal): Promise<readonly GivenDocument[]>;
}

const blockBytes = 256 * 1024;

async function* textOf(open: () => OpenFile | null | Promise<OpenFile>, name: string): AsyncGenerator<Uint8Array> {
  const file = await open();
  if (file === null) throw new RlmError('input-missing', `'${name}' was replaced while it was read`);
  try {
    for (let at = 0; ; ) {
      const block = file.read(at, at + blockBytes);
      if (block.length === 0) return;
      at += block.length;
      yield block;
    }
  } finally {
    file.close();
  }
}

async function walked(access: FileAccess, path: string, signal: AbortSignal): Promise<GivenDocument[]> {
  const { parsePathGlob } = await import('../tools/files/walls/path-glob.ts');
  const glob = splitGlob(path) === null ? null : parsePathGlob(path);
  const options = { hidden: glob?.hidden ?? false, sizes: false, signal };
  const { files, hasFolder } = await access.walk(glob === null ? path : null, options);
  const found: GivenDocument[] = [];
  for await (const file of files) {
    // A client may write a glob relative to a root or to the current folder.
    if (glob !== null && !glob.matches(file.below) && !glob.matches(file.name)) continue;
    found.push({ name: file.name, text: textOf(() => file.open(), file.name), isWalked: glob === null && hasFolder });
  }
  return found;
}

/**
 * Gives access to the files under the roots, with all links resolved. Checks the opened file as well as its path.
 * @param options `roots`: files, folders and globs; nothing outside of them is read, not even through links. `cwd`: the
 *   folder of relative roots; default: `process.cwd()`.
 * @throws RlmError `input-missing` for a root that does not exist.
 */
export async function openFiles({
  roots,
  cwd = process.cwd(),
}: {
  readonly roots: readonly string[];
  readonly cwd?: string;
}): Promise<Files> {
  const { createFileAccess } = await import('../tools/files/walls/file-access.ts');
  const access = createFileAccess(roots, { cwd, unguarded: false });
  return {
    roots,
    async find(path, signal = new AbortController().signal) {
      if (path === '') throw new RlmError('input-missing', 'the path is empty');
      const found = await walked(access, path, signal).catch((error: unknown) => {
        throw error instanceof ToolError ? new RlmError('input-missing', error.message) : error;
      });
      if (found.length === 0) throw new RlmError('input-missing', `there is no file at '${path}' that may be read`);
      return found;
    },
  };
}
