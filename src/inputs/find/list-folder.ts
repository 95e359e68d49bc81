import { isUtf8 } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { type ReadRules, readRules } from './ignore-rules.ts';
import type { FilePath } from './paths.ts';

/** An entry of a folder: its name for display and matching, and its name for the system. */
export interface Entry {
  readonly name: string;
  readonly rawName: FilePath;
  /** The kind of the entry itself; links are not followed. */
  readonly kind: { isDirectory(): boolean; isFile(): boolean; isSymbolicLink(): boolean };
}

/** Lists a folder. If a name is not UTF-8, lists the folder again with names as bytes, which doubles the time. */
async function listFolder(folder: FilePath): Promise<Entry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes('\uFFFD'))) {
    return entries.map((kind) => ({ name: kind.name, rawName: kind.name, kind }));
  }
  const raw = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  return raw.map((kind) => {
    const name = kind.name.toString();
    return { name, rawName: isUtf8(kind.name) ? name : kind.name, kind };
  });
}

export interface FolderView {
  list(folder: FilePath): Promise<readonly Entry[]>;
  readonly readRules: ReadRules;
}

export const diskView: FolderView = { list: listFolder, readRules };
