import { sep } from 'node:path';
import { counted } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import { listFolder } from './list-folder.ts';
import { type FilePath, joinPath } from './paths.ts';

/** Stands for bytes that are not UTF-8, in the arguments of a program and in names for display. */
const lost = '\uFFFD';

/** Returns the name of the only entry of a folder with that display name; null where there is none. */
async function onlyName(folder: FilePath, shown: string): Promise<FilePath | null> {
  const [first, ...others] = (await listFolder(folder).catch(() => [])).filter(({ name }) => name === shown);
  if (first === undefined || others.length === 0) return first?.rawName ?? null;
  const many = counted(others.length + 1, 'name');
  throw new RlmError('input-missing', `${many} in '${folder}' are shown as '${shown}', since they are not UTF-8`, {
    hint: 'Name their folder, or give them other names.',
  });
}

/** Returns the path of a named entry that is not UTF-8, or null. Throws `input-missing` where several look like it. */
export async function pathAsShown(path: string): Promise<FilePath | null> {
  if (!path.includes(lost)) return null;
  let found: FilePath = sep;
  for (const part of path.split(sep).filter(Boolean)) {
    const name: FilePath | null = part.includes(lost) ? await onlyName(found, part) : part;
    if (name === null) return null;
    found = joinPath(found, name);
  }
  return found;
}
