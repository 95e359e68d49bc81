import { resolve } from 'node:path';
import { readOwnText } from '../base/files/own-file.ts';
import { RlmError } from '../errors.ts';
import { createAnswerSchema } from './answer-schema.ts';
import type { AnswerSchema } from './json-schema.ts';

const isInline = (given: string): boolean => given.trimStart().startsWith('{');

function readFile(path: string): string {
  try {
    return readOwnText(path).replace(/^\ufeff/, '');
  } catch (error) {
    if (error instanceof RlmError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'there is no file' : `the file cannot be read (${code}):`;
    throw new RlmError('config-invalid', `${what} ${path} (setting schema)`, {
      hint: 'Name a file with a JSON Schema, or give the schema itself: --schema \'{"type": "object", …}\'',
    });
  }
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RlmError('config-invalid', `${place} is not JSON: ${(error as Error).message}`, {
      hint: 'Correct it, or give another file.',
    });
  }
}

/**
 * The schema that the setting `schema` gives: an object, JSON as text, or the path of a file.
 * @throws RlmError `config-invalid`.
 */
export function readSchema(given: string | object, cwd: string): AnswerSchema {
  if (typeof given !== 'string') return createAnswerSchema(given, 'the setting schema');
  if (isInline(given)) return createAnswerSchema(parse(given, 'the schema'), 'the schema');
  const path = resolve(cwd, given);
  return createAnswerSchema(parse(readFile(path), given), given);
}
