import { join } from 'node:path';
import { keepCompiled } from '../base/files/compile-cache.ts';
import { codeFolder } from './code-folder.ts';

declare const RLM_VERSION: string;

/** Names the part of the compiled code that a command uses. Reading one part is faster than reading all code. */
function codeUse([first = '']: readonly string[]): 'ask' | 'mcp' | 'other' {
  if (first === 'mcp') return 'mcp';
  return first === 'ask' || !/^-?[a-z-]*$/.test(first) ? 'ask' : 'other';
}

/** Runs the program. The exit status is in `process.exitCode`. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.length !== 1 || (args[0] !== '--version' && args[0] !== '-V')) {
    const isKept = !process.env['NODE_DISABLE_COMPILE_CACHE'];
    if (isKept) keepCompiled(join(codeFolder(process.env), codeUse(args)));
    const { runProgram } = await import('./program.ts');
    process.exitCode = await runProgram(args, RLM_VERSION);
    return;
  }
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`rlm: stdout cannot be written (${code})\n`);
    process.exitCode = 2;
  });
  process.stdout.write(`${RLM_VERSION}\n`);
}
