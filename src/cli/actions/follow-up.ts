import { type ExitCode, RlmError } from '../../errors.ts';
import { followUp, loadConfiguration } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { followRun } from '../follow-run.ts';
import { readOutputOptions } from '../output/output-options.ts';
import { settingFlags } from '../setting-flags.ts';

/** Runs `rlm ask --continue` and `rlm ask --run`. Throws RlmError `usage` when paths are given. */
export async function runFollowUp(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const [question, paths = []] = args as [string, string[]?];
  if (paths.length > 0) {
    throw new RlmError('usage', `a follow-up uses the text of its run and takes no paths, such as "${paths[0]}"`, {
      hint: 'Omit the paths, or omit --continue and --run.',
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
