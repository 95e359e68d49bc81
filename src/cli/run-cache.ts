import { type CacheStats, cacheStats, clearCache } from '../cache/entries.ts';
import { cacheFolder } from '../config/folders.ts';
import { loadConfiguration } from '../config/layers.ts';
import { type ExitCode, RlmError } from '../errors.ts';
import type { Invocation } from './command.ts';
import { size } from './render/progress-lines.ts';
import { printable, toJson } from './terminal.ts';

const entriesOf = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'entry' : 'entries'}`;

function statsText(folder: string, { entries, bytes, oldestUse, newestUse }: CacheStats, maxBytes: number): string {
  const lines = [
    `Folder:   ${printable(folder)}`,
    `Holds:    ${entriesOf(entries)}, ${size(bytes)} of at most ${size(maxBytes)} (cache.maxBytes)`,
    ...(oldestUse && newestUse ? [`Used:     from ${oldestUse.toISOString()} to ${newestUse.toISOString()}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

async function stats(folder: string, maxBytes: number, asJson: boolean): Promise<string> {
  const found = await cacheStats(folder);
  return asJson ? toJson({ folder, ...found, maxBytes }) : statsText(folder, found, maxBytes);
}

async function clear(folder: string, asJson: boolean): Promise<string> {
  const { entries, bytes } = await clearCache(folder).catch((error: NodeJS.ErrnoException) => {
    throw new RlmError('output-unwritable', `the cache in ${folder} cannot be cleared (${error.code})`, {
      hint: 'Make the folder writable, or remove it yourself.',
    });
  });
  if (asJson) return toJson({ folder, removed: { entries, bytes } });
  return `Removed ${entriesOf(entries)}, ${size(bytes)}, from ${printable(folder)}\n`;
}

/** Runs `rlm cache`. */
export async function runCache({ args, options, stdout }: Invocation): Promise<ExitCode> {
  const action = String(args[0]);
  const asJson = options['json'] === true;
  if (action !== 'stats' && action !== 'clear') {
    throw new RlmError('usage', `rlm cache cannot "${action}"`, { hint: 'It can stats and clear.' });
  }
  const { settings } = loadConfiguration();
  const folder = cacheFolder(settings, process.env);
  stdout.write(await (action === 'stats' ? stats(folder, settings.cache.maxBytes, asJson) : clear(folder, asJson)));
  return 0;
}
