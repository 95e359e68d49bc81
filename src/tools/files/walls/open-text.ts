import { counted } from '../../../base/counted.ts';
import { kindOf } from '../../../context/kinds.ts';
import type { ToolWorld } from '../../tool.ts';
import { ToolError } from '../../tool-error.ts';
import type { FileAccess } from './file-access.ts';
import { type FileText, textOf } from './file-text.ts';
import type { OpenFile } from './open-file.ts';
import { shownName } from './shown-name.ts';
import type { FoundFile } from './walk.ts';

/** Files that may be read. @throws ToolError where there are none. */
export function filesOf({ files }: ToolWorld): FileAccess {
  if (files === null) throw new ToolError('there are no files to read: the user gave no paths');
  return files;
}

/**
 * Opens a file, hands its text to a function, and closes it.
 * @throws ToolError where it may not be read, or holds something else than text: then the error describes it.
 */
export async function withText<Result>(
  world: ToolWorld,
  path: string,
  use: (text: FileText) => Promise<Result> | Result,
): Promise<Result> {
  const file = await filesOf(world).open(path);
  try {
    const text = textOf(file);
    if (text === null) throw new ToolError(described(file));
    return await use(text);
  } finally {
    file.close();
  }
}

/** Opens a file that a walk found; null where it cannot be read any more. */
export function openOrNull(found: FoundFile): OpenFile | null {
  try {
    return found.open();
  } catch {
    return null;
  }
}

function described({ name, bytes }: OpenFile): string {
  return `${shownName(name)} holds no plain text: kind ${kindOf(name)}, ${counted(bytes, 'byte')}. It is not shown.`;
}
