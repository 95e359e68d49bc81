import { type ExitCode, RlmError } from '../../errors.ts';
import { loadConfiguration, resume } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { followRun } from '../follow-run.ts';
import { readOutputOptions } from '../output/output-options.ts';
import { settingFlags } from '../setting-flags.ts';

/** Runs `rlm resume`. */
export async function runResume(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  const runId = (args[0] as string | undefined) ?? null;
  if (runId !== null && options['last'] === true) {
    throw new RlmError('usage', `--last and the run "${runId}" cannot be given together`, {
      hint: 'Give only one of them.',
    });
  }
  const flags = settingFlags(options);
  const { log } = loadConfiguration({ flags }).settings;
  const force = options['force'] === true;
  return followRun(invocation, readOutputOptions(invocation), { question: '', logFile: log.file }, (hooks) => {
    const { signal, onEvent, onTrajectory, usedMs, written } = hooks;
    return resume(runId, { flags, force, signal, onEvent, onTrajectory, usedMs, written });
  });
}
