import { sep } from 'node:path';
import { counted } from '../../base/counted.ts';
import { RlmError } from '../../errors.ts';
import { listFolder } from './list-folder.ts';
import { type FilePath, joinPath } from './paths.ts';

/**
 * A program gets its arguments as text: what is not UTF-8 in a name has become this, as it is where names are shown.
 */
const lost = '\uFFFD';

/** The name of the only thing in a folder that is shown like that; null where there is none. */
async function onlyName(folder: FilePath, shown: string): Promise<FilePath | null> {
  const [first, ...others] = (await listFolder(folder).catch(() => [])).filter(({ name }) => name === shown);
  if (first === undefined || others.length === 0) return first?.rawName ?? null;
  const many = counted(others.length + 1, 'name');
  throw new RlmError('input-missing', `${many} in '${folder}' are shown as '${shown}', since they are not UTF-8`, {
    hint: 'Name their folder, or give them other names.',
  });
}

/**
 * The path of something that was named by the user and whose name is not UTF-8; null where there is none.
 * @param path absolute
 * @throws RlmError `input-missing` where several names are shown like that
 */
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
