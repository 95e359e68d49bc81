import { type ExitCode, RlmError } from '../../errors.ts';
import type { Invocation } from '../command.ts';
import { candidatesFor } from '../completion/candidates.ts';
import { knownValues } from '../completion/known-values.ts';
import { completionScripts } from '../completion/scripts.ts';
import { oneLine } from '../terminal.ts';

const aboutLength = 60;

/** Prints the completions of the last word, one per line, each followed by a tab and a description. */
async function printCandidates(words: readonly string[], { stdout, commands }: Invocation): Promise<void> {
  const found = await candidatesFor(
    words.map((word) => word.replace(/^=/, '')),
    commands,
    knownValues,
  );
  stdout.write(
    found.map(([word, about]) => `${word}${about === '' ? '' : `\t${oneLine(about, aboutLength)}`}\n`).join(''),
  );
}

/** Runs `rlm completion`. */
export async function runCompletion(invocation: Invocation): Promise<ExitCode> {
  const { args, stdout } = invocation;
  const shell = args[0] as string;
  if (shell === 'candidates') {
    await printCandidates((args[1] ?? []) as readonly string[], invocation);
    return 0;
  }
  if (!Object.hasOwn(completionScripts, shell)) {
    throw new RlmError('usage', `unknown shell "${shell}"`, {
      hint: `The shells are ${Object.keys(completionScripts).join(', ')}.`,
    });
  }
  stdout.write(completionScripts[shell]!);
  return 0;
}
