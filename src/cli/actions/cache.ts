import { counted } from '../../base/counted.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import { type CacheContent, type Configuration, clearCache, describeCache } from '../../index.ts';
import { codeFolder } from '../code-folder.ts';
import type { Invocation } from '../command.ts';
import { configured } from '../configured.ts';
import { size } from '../render/progress-lines.ts';
import { printable, toJson } from '../terminal.ts';
import { clearCompiled, compiledBytes } from './compiled-code.ts';

const entriesOf = (count: number) => counted(count, 'entry', 'entries');

/** @param compiled the size of the compiled code of all versions of the program, in bytes. */
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

async function stats(configuration: Configuration, asJson: boolean): Promise<string> {
  const code = compiledBytes(codeFolder(configuration.env));
  const [content, bytes] = await Promise.all([describeCache(configuration), code]);
  return asJson ? toJson({ ...content, compiled: { bytes } }) : statsText(content, bytes);
}

async function clear(configuration: Configuration, asJson: boolean): Promise<string> {
  const { folder, entries, bytes, vectors } = await clearCache(configuration);
  const compiled = await clearCompiled(codeFolder(configuration.env)).catch((error: NodeJS.ErrnoException) => {
    throw new RlmError('output-unwritable', `compiled code cannot be removed (${error.code})`, {
      hint: `Make ${codeFolder(configuration.env)} writable, or remove it by hand.`,
    });
  });
  if (asJson) return toJson({ folder, removed: { entries, bytes, vectors, compiled: { bytes: compiled } } });
  const besides = [
    vectors.bytes > 0 && `${size(vectors.bytes)} of vectors`,
    compiled > 0 && `${size(compiled)} of compiled code`,
  ];
  const and = besides.filter((part) => part !== false).map((part) => `, and ${part}`);
  return `Removed ${entriesOf(entries)}, ${size(bytes)}${and.join('')}, from ${printable(folder)}\n`;
}

/** Runs `rlm cache`. */
export async function runCache({ args, options, stdout, stderr }: Invocation): Promise<ExitCode> {
  const action = String(args[0]);
  const asJson = options['json'] === true;
  if (action !== 'stats' && action !== 'clear') {
    throw new RlmError('usage', `rlm cache has no action "${action}"`, { hint: 'The actions are stats and clear.' });
  }
  const configuration = configured({ stderr });
  stdout.write(await (action === 'stats' ? stats(configuration, asJson) : clear(configuration, asJson)));
  return 0;
}
