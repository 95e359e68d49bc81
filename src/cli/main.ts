/** The program's entry. What is asked most often, and needs nothing, is answered before anything else is loaded. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { keepCompiled } from '../base/files/compile-cache.ts';

declare const RLM_VERSION: string;

/**
 * Where compiled code is kept: with the cache of replies, as far as variables alone say where that is. Null where
 * Node's own variable turns it off.
 */
function codeFolder(env: NodeJS.ProcessEnv): string | null {
  if (env['NODE_DISABLE_COMPILE_CACHE']) return null;
  if (env['RLM_HOME']) return join(resolve(env['RLM_HOME']), 'cache', 'code');
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.cache'), 'rlm', 'code');
}

async function main(args: readonly string[]): Promise<void> {
  if (args.length !== 1 || (args[0] !== '--version' && args[0] !== '-V')) {
    const folder = codeFolder(process.env);
    if (folder !== null) keepCompiled(folder);
    const { runProgram } = await import('./program.ts');
    process.exitCode = await runProgram(args, RLM_VERSION);
    return;
  }
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    process.exitCode = code === 'EPIPE' ? 0 : 2;
  });
  process.stdout.write(`${RLM_VERSION}\n`);
}

void main(process.argv.slice(2));
