import { type ExitCode, RlmError } from '../../errors.ts';
import { followUp, loadConfiguration } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { followRun } from '../follow-run.ts';
import { readOutputOptions } from '../output/output-options.ts';
import { settingFlags } from '../setting-flags.ts';

/** Runs `rlm ask --continue`, and with `--run`. Throws RlmError `usage` where other text is named. */
export async function runFollowUp(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const [question, paths = []] = args as [string, string[]?];
  if (paths.length > 0) {
    throw new RlmError('usage', `a follow-up is about the text of its run, and "${paths[0]}" names other text`, {
      hint: 'Leave out the paths, or leave out --continue and --run.',
    });
  }
  const flags = settingFlags(options);
  const { log, journal } = loadConfiguration({ flags }).settings;
  const runId = typeof options['run'] === 'string' ? options['run'] : null;
  const about = { question, logFile: log.file };
  return followRun(invocation, readOutputOptions(invocation), about, ({ say: _, ...hooks }) =>
    followUp(question, runId, { ...hooks, flags, resumable: journal }),
  );
}
