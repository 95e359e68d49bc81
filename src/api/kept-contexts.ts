/** Keeps texts by name in the state folder, for programs that load a text once and use it again later. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { readOwnFile, stateBytes } from '../base/files/own-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import { errnoOf } from '../base/files/system.ts';
import { contextsFolder } from '../config/folders.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument } from '../inputs/gather-inputs.ts';
import type { Context } from './open-context.ts';
import { stateFolderOf } from './runs/recorded-runs.ts';

/** The content of a stored file after its hash. */
interface KeptContext {
  readonly version: 1;
  readonly from: string;
  readonly documents: readonly (Pick<GivenDocument, 'name' | 'isExtracted'> & { readonly text: Uint8Array })[];
}

const namePattern = /^[A-Za-z0-9_-]{1,100}$/;
/** Length in bytes of the SHA-256 hash with which a file begins. */
const hashBytes = 32;

const folder = () => contextsFolder(stateFolderOf({}));

function pathOf(name: string): string {
  if (!namePattern.test(name)) throw new RlmError('usage', `"${name.slice(0, 100)}" cannot be the name of a context`);
  return join(folder(), `${name}.context`);
}

const hashOf = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

/**
 * Stores the text of a context under a name. Replaces earlier text of that name atomically.
 * @param from a description of where the text came from.
 * @throws RlmError `output-unwritable`, `usage` for a name that does not consist of 1 to 100 ASCII letters,
 *   digits, _ and -.
 */
export async function keepContext(name: string, from: string, context: Context): Promise<void> {
  const documents = context.documents.map(({ name: source, bytes, isExtracted }, at) => ({
    ...{ name: source, isExtracted },
    text: context.read(at, 0, bytes),
  }));
  const content = serialize({ version: 1, from, documents } satisfies KeptContext);
  await replaceFile(pathOf(name), Buffer.concat([hashOf(content), content]));
}

const damaged = (name: string): RlmError =>
  new RlmError('input-unreadable', `the kept context "${name}" is damaged`, { hint: 'Load it again from its files.' });

/**
 * Reads a kept context as documents for `openContext`. Null if no context has this name.
 * @throws RlmError `input-unreadable` when the file cannot be read or was changed since it was written; `usage` for an
 *   invalid name, as `keepContext` does.
 */
export function keptDocuments(
  name: string,
): { readonly from: string; readonly documents: readonly GivenDocument[] } | null {
  try {
    const file = readOwnFile(pathOf(name), stateBytes);
    const content = file.subarray(hashBytes);
    if (!hashOf(content).equals(file.subarray(0, hashBytes))) throw damaged(name);
    const { from, documents } = deserialize(content) as KeptContext;
    return { from, documents: documents.map((one) => ({ ...one, encoding: 'utf-8' })) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error instanceof RlmError ? error : damaged(name);
  }
}

/** Returns the names of all kept contexts, sorted. */
export async function keptContextNames(): Promise<string[]> {
  const names = await readdir(folder()).catch(() => []);
  return names.flatMap((name) => /^(.*)\.context$/.exec(name)?.[1] ?? []).sort();
}
