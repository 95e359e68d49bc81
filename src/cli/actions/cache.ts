import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CacheContent, clearCache, describeCache } from '../../api/cache.ts';
import { counted } from '../../base/text.ts';
import { type ExitCode, unwritable } from '../../errors.ts';
import { codeFolder } from '../code-folder.ts';
import { type ActionRequest, type CommandAction, type Invocation, runAction } from '../command.ts';
import { configured } from '../configured.ts';
import { size } from '../render/progress.ts';
import { printable, toJson } from '../terminal.ts';

const entriesOf = (count: number) => counted(count, 'entry', 'entries');

function statsText(
  { folder, entries, bytes, maxBytes, oldestUse, newestUse, vectors }: CacheContent,
  compiled: number,
) {
  const lines = [
    `Folder:   ${printable(folder)}`,
    `Replies:  ${entriesOf(entries)}, ${size(bytes)} of at most ${size(maxBytes)} (cache.maxBytes)`,
    ...(oldestUse && newestUse ? [`Used:     from ${oldestUse.toISOString()} to ${newestUse.toISOString()}`] : []),
    `Vectors:  ${size(vectors.bytes)} of at most ${size(vectors.maxBytes)} (embedding.maxCacheBytes)`,
    `Code:     ${size(compiled)} of compiled program code`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the size of the compiled code, in bytes. */
export async function compiledBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return found.reduce((sum, one) => sum + (one?.isFile() ? one.size : 0), 0);
}

async function stats(request: ActionRequest): Promise<void> {
  const { stdout, asJson } = request;
  const configuration = configured(request);
  const code = compiledBytes(codeFolder(configuration.env));
  const [content, bytes] = await Promise.all([describeCache(configuration), code]);
  stdout.write(asJson ? toJson({ ...content, compiled: { bytes } }) : statsText(content, bytes));
}

/** Removes the compiled code. Returns its size, in bytes. */
async function clearCompiled(code: string): Promise<number> {
  const bytes = await compiledBytes(code);
  await rm(code, { recursive: true, force: true }).catch((error: unknown) => {
    throw unwritable('compiled code', error, `Make ${code} writable, or remove it by hand.`, 'removed');
  });
  return bytes;
}

async function clear(request: ActionRequest): Promise<void> {
  const { stdout, asJson } = request;
  const configuration = configured(request);
  const { folder, entries, bytes, vectors } = await clearCache(configuration);
  const compiled = await clearCompiled(codeFolder(configuration.env));
  if (asJson)
    return stdout.write(toJson({ folder, removed: { entries, bytes, vectors, compiled: { bytes: compiled } } }));
  const others = [
    ...(vectors.bytes > 0 ? [`, and ${size(vectors.bytes)} of vectors`] : []),
    ...(compiled > 0 ? [`, and ${size(compiled)} of compiled code`] : []),
  ];
  stdout.write(`Removed ${entriesOf(entries)}, ${size(bytes)}${others.join('')}, from ${printable(folder)}\n`);
}

const actions: Readonly<Record<string, CommandAction>> = {
  stats: { example: 'rlm cache stats', run: stats },
  clear: { example: 'rlm cache clear', run: clear },
};

export const runCache = (invocation: Invocation): Promise<ExitCode> => runAction('cache', actions, invocation);
