import { type ExitCode, RlmError } from '../../../errors.ts';
import type { Invocation } from '../../command.ts';
import { configured } from '../../configured.ts';
import { watchSignals } from '../../follow-run.ts';
import { settingFlags } from '../../setting-flags.ts';
import { printable, toJson } from '../../terminal.ts';
import { evaluationOptions, listOf } from './eval-options.ts';
import { createEvalProgress } from './eval-progress.ts';

/** Runs `rlm eval tune`. */
export async function runTune(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr, redactor } = invocation;
  const [questions, ...paths] = (args[1] as string[] | undefined) ?? [];
  if (questions === undefined)
    throw new RlmError('usage', 'rlm eval tune needs a file of questions', {
      hint: 'For example: rlm eval tune questions.jsonl docs/ --max-cost 5',
    });
  configured(invocation, { flags: settingFlags(options) });
  const { renderTuning, tune } = await import('../../../eval/index.ts');
  const controller = new AbortController();
  const stopWatching = watchSignals(controller, 'Continue with --resume.');
  const progress = options['quiet'] === true ? null : createEvalProgress(stderr);
  try {
    const choices = options['choices'] === undefined ? null : listOf(options['choices']);
    const onProgress = progress === null ? {} : { onProgress: progress.onProgress };
    const shared = { ...evaluationOptions(invocation), ...onProgress, signal: controller.signal };
    const { stopped, ...found } = await tune({ ...shared, questions, paths, choices });
    progress?.close();
    const result = redactor.value({ schemaVersion: 1, ...found, error: stopped?.toInfo() ?? null });
    stdout.write(options['json'] === true ? toJson(result) : printable(renderTuning({ ...found, stopped })));
    return stopped?.exitCode ?? 0;
  } finally {
    progress?.close();
    stopWatching();
  }
}
