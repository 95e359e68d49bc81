import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { RlmError } from '../../errors.ts';
import type { Located } from './located.ts';

/** Returns the real paths of existing files: nothing else loses its text by being written. */
export async function realPaths(paths: readonly string[], cwd: string): Promise<ReadonlySet<string>> {
  const found = await Promise.all(paths.map((path) => realFile(resolve(cwd, path)).catch(() => null)));
  return new Set(found.filter((path) => path !== null));
}

const realFile = async (path: string) => ((await stat(path)).isFile() ? realpath(path) : null);

/** Removes the files that the run writes. Throws `usage` when nothing else is left: its text would be lost. */
export function withoutWritten(given: string, located: Located, written: ReadonlySet<string>): Located {
  const ours = located.inputs.filter(({ realPath }) => written.has(realPath));
  if (ours.length === 0) return located;
  const inputs = located.inputs.filter((input) => !ours.includes(input));
  if (inputs.length === 0) throw overwritten(given);
  const notices = ours.map(({ name }) => `'${name}' was not read: this run writes or replays it`);
  return { ...located, inputs, warnings: [...located.warnings, ...notices] };
}

const overwritten = (name: string) =>
  new RlmError('usage', `the input '${name}' would be overwritten by this run`, {
    hint: 'Name another file with -o (or --report, --junit, --sarif, --log-file, --record). A glob in quotes, or a folder, leaves that file out.',
  });
