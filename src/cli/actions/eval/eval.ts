import { replaceFile } from '../../../base/files/replace-file.ts';
import { type ExitCode, errorCodes } from '../../../errors.ts';
import type { EvalOptions, EvaluationReport } from '../../../eval/index.ts';
import { writeUserSetting } from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { configured } from '../../configured.ts';
import { watchSignals } from '../../follow-run.ts';
import { settingFlags } from '../../setting-flags.ts';
import { printable, toJson } from '../../terminal.ts';
import { amountOf, evaluationOptions, listOf, textOf } from './eval-options.ts';
import { createEvalProgress } from './eval-progress.ts';

function evalOptions(invocation: Invocation): Omit<EvalOptions, 'signal'> {
  const { args, options } = invocation;
  const described = (options['arm'] as string[] | undefined) ?? [];
  const names = options['arms'] === undefined && described.length > 0 ? [] : listOf(options['arms'] ?? 'plain,auto');
  const common = evaluationOptions(invocation);
  return {
    ...common,
    flags: unmapped(invocation, common.flags),
    questions: args[0] as string,
    arms: names,
    describedArms: described,
    baseline: textOf(options['baseline']),
    minimums: (options['min'] as string[] | undefined) ?? [],
    maxRegression: amountOf(options, 'maxRegression', '--max-regression'),
    against: textOf(options['against']),
  };
}

/** Turns off the confidence map for a fit, which needs raw confidences. */
function unmapped({ options }: Invocation, flags: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  if (options['fit'] !== true) return flags;
  return new Map([...flags, ['confidenceMap.evidence', null], ['confidenceMap.match', null]]);
}

/** Fits the confidence of the last arm. Writes the curve to the user's configuration if it is better. */
async function fitLastArm({ outcomes, asked }: EvaluationReport) {
  const { fitConfidence, fitInWords } = await import('../../../eval/index.ts');
  const found = fitConfidence(outcomes, asked.at(-1)!.name);
  if (found.curve === null) return { found, words: fitInWords(found, null) };
  const path = await writeUserSetting(`confidenceMap.${found.kind}`, found.curve, process.env);
  return { found, words: fitInWords(found, path) };
}

/** Returns the exit status: that of the error that ended the evaluation, else 7 for a missed bar, else 0. */
function exitCodeOf({ error, bars }: EvaluationReport): ExitCode {
  if (error !== null) return errorCodes[error.code].exit;
  return bars.some(({ isReached }) => !isReached) ? 7 : 0;
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, stdout, stderr, redactor } = invocation;
  const { formOf, renderReport, renderText, runEval } = await import('../../../eval/index.ts');
  const files = ((options['report'] as string[] | undefined) ?? []).map((path) => ({ path, form: formOf(path) }));
  configured({ stderr }, { flags: settingFlags(options) });
  const controller = new AbortController();
  const stopWatching = watchSignals(controller, 'Continue with --resume.');
  const progress = options['quiet'] === true ? null : createEvalProgress(stderr);
  try {
    const onProgress = progress === null ? {} : { onProgress: progress.onProgress };
    const found = await runEval({ ...evalOptions(invocation), ...onProgress, signal: controller.signal });
    progress?.close();
    const report = redactor.value(found.report);
    const fitted = options['fit'] === true && report.error === null ? await fitLastArm(report) : null;
    const shown = fitted === null ? report : { ...report, fit: fitted.found };
    const text = `${renderText(report)}${fitted === null ? '' : `\n${fitted.words}`}`;
    stdout.write(options['json'] === true ? toJson(shown) : printable(text));
    for (const { path, form } of files)
      await replaceFile(path, redactor.text(renderReport(form, report, found.samples)));
    const { error } = report;
    if (error !== null) stderr.write(`rlm: ${printable(error.message)}\n     ${printable(error.hint)}\n`);
    return exitCodeOf(report);
  } finally {
    progress?.close();
    stopWatching();
  }
}

/** The actions of `rlm eval` besides an evaluation, by the first argument. */
const actions: Readonly<Record<string, (invocation: Invocation) => Promise<ExitCode>>> = {
  init: async ({ stdout }) => {
    stdout.write((await import('../../../eval/index.ts')).exampleSamples);
    return 0;
  },
  make: async (invocation) => (await import('./make.ts')).runMake(invocation),
  tune: async (invocation) => (await import('./tune.ts')).runTune(invocation),
};

/** Runs `rlm eval`. */
export async function runEvalCommand(invocation: Invocation): Promise<ExitCode> {
  const first = invocation.args[0] as string;
  return Object.hasOwn(actions, first) ? actions[first]!(invocation) : run(invocation);
}
