import { join } from 'node:path';
import { RlmError } from '../errors.ts';

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

export const isIndexName = (name: string): boolean => nameForm.test(name);

/** The folder of an index. Throws RlmError `usage` for what is no name. */
export function indexFolder(indexes: string, name: string): string {
  if (isIndexName(name)) return join(indexes, name);
  throw new RlmError('usage', `"${name}" cannot be the name of an index`, {
    hint: 'A name has at most 64 letters, digits and the signs . _ -, and begins with a letter or a digit.',
  });
}
