import { counted } from '../../base/counted.ts';
import { type CacheStats, cacheStats, clearCache } from '../../cache/entries.ts';
import { clearVectors, listVectorFiles } from '../../cache/vector-cache.ts';
import { cacheFolder } from '../../config/folders.ts';
import type { Settings } from '../../config/settings.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { codeFolder } from '../code-folder.ts';
import type { Invocation } from '../command.ts';
import { configured } from '../configured.ts';
import { size } from '../render/progress-lines.ts';
import { printable, toJson } from '../terminal.ts';
import { clearCompiled, compiledBytes } from './compiled-code.ts';

const entriesOf = (count: number) => counted(count, 'entry', 'entries');

/** What is kept, and how large it may grow, in bytes. */
interface Kept {
  readonly replies: CacheStats;
  readonly maxBytes: number;
  readonly vectors: { readonly bytes: number; readonly maxBytes: number };
  /** Of all versions of the program. */
  readonly compiled: { readonly bytes: number };
}

function statsText(folder: string, { replies, maxBytes, vectors, compiled }: Kept): string {
  const { entries, bytes, oldestUse, newestUse } = replies;
  const lines = [
    `Folder:   ${printable(folder)}`,
    `Holds:    ${entriesOf(entries)}, ${size(bytes)} of at most ${size(maxBytes)} (cache.maxBytes)`,
    ...(oldestUse && newestUse ? [`Used:     from ${oldestUse.toISOString()} to ${newestUse.toISOString()}`] : []),
    `Vectors:  ${size(vectors.bytes)} of at most ${size(vectors.maxBytes)} (embedding.maxCacheBytes)`,
    `Code:     ${size(compiled.bytes)}, the program as the engine has compiled it`,
  ];
  return `${lines.join('\n')}\n`;
}

async function stats(folder: string, { cache, embedding }: Settings, asJson: boolean): Promise<string> {
  const code = compiledBytes(codeFolder(process.env));
  const [replies, files, bytes] = await Promise.all([cacheStats(folder), listVectorFiles(folder), code]);
  const vectors = { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), maxBytes: embedding.maxCacheBytes };
  const kept = { maxBytes: cache.maxBytes, vectors, compiled: { bytes } };
  return asJson ? toJson({ folder, ...replies, ...kept }) : statsText(folder, { replies, ...kept });
}

async function clear(folder: string, asJson: boolean): Promise<string> {
  const removal = Promise.all([clearCache(folder), clearVectors(folder), clearCompiled(codeFolder(process.env))]);
  const [{ entries, bytes }, vectors, compiled] = await removal.catch((error: NodeJS.ErrnoException) => {
    throw new RlmError('output-unwritable', `the cache in ${folder} cannot be cleared (${error.code})`, {
      hint: 'Make the folder writable, or remove it yourself.',
    });
  });
  if (asJson)
    return toJson({ folder, removed: { entries, bytes, vectors: { bytes: vectors }, compiled: { bytes: compiled } } });
  const besides = [vectors > 0 && `${size(vectors)} of vectors`, compiled > 0 && `${size(compiled)} of compiled code`];
  const and = besides.filter((part) => part !== false).map((part) => `, and ${part}`);
  return `Removed ${entriesOf(entries)}, ${size(bytes)}${and.join('')}, from ${printable(folder)}\n`;
}

/** Runs `rlm cache`. */
export async function runCache({ args, options, stdout, stderr }: Invocation): Promise<ExitCode> {
  const action = String(args[0]);
  const asJson = options['json'] === true;
  if (action !== 'stats' && action !== 'clear') {
    throw new RlmError('usage', `rlm cache has no action "${action}"`, { hint: 'Its actions: stats, clear.' });
  }
  const { settings } = configured({ stderr });
  const folder = cacheFolder(settings, process.env);
  stdout.write(await (action === 'stats' ? stats(folder, settings, asJson) : clear(folder, asJson)));
  return 0;
}
