import { replaceFile } from '../../../base/replace-file.ts';
import { type ExitCode, errorCodes, RlmError } from '../../../errors.ts';
import type { EvalOptions, EvaluationReport } from '../../../eval/index.ts';
import type { Invocation } from '../../command.ts';
import { configured } from '../../configured.ts';
import { watchSignals } from '../../follow-run.ts';
import { settingFlags } from '../../setting-flags.ts';
import { printable, toJson } from '../../terminal.ts';
import { createEvalProgress } from './eval-progress.ts';

const listOf = (value: unknown): string[] =>
  String(value)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** An option that is a number, 0 or more; null where it is not given. Throws RlmError `usage`. */
export function amountOf(options: Invocation['options'], name: string, flag: string): number | null {
  const given = options[name];
  if (given === undefined) return null;
  const amount = Number(given);
  if (String(given).trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new RlmError('usage', `${flag} cannot be "${given}"`, { hint: 'Give a number, 0 or more.' });
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What the options of a command say of its evaluation; limits hold for the whole of it. */
export function evaluationOptions({ args, options }: Pick<Invocation, 'args' | 'options'>) {
  const { maxCost: _c, maxTokens: _t, maxCalls: _n, ...settings } = options;
  return {
    paths: (args[1] as string[] | undefined) ?? [],
    flags: settingFlags(settings),
    limits: {
      calls: amountOf(options, 'maxCalls', '--max-calls'),
      tokens: amountOf(options, 'maxTokens', '--max-tokens'),
      usd: amountOf(options, 'maxCost', '--max-cost'),
    },
    resume: options['resume'] === true,
    record: textOf(options['record']),
    replay: textOf(options['replay']),
  };
}

function evalOptions(invocation: Invocation): Omit<EvalOptions, 'signal'> {
  const { args, options } = invocation;
  const described = (options['arm'] as string[] | undefined) ?? [];
  const names = options['arms'] === undefined && described.length > 0 ? [] : listOf(options['arms'] ?? 'plain,auto');
  return {
    ...evaluationOptions(invocation),
    questions: args[0] as string,
    arms: names,
    describedArms: described,
    baseline: textOf(options['baseline']),
    minimums: (options['min'] as string[] | undefined) ?? [],
    maxRegression: amountOf(options, 'maxRegression', '--max-regression'),
    against: textOf(options['against']),
  };
}

/** What ended it early decides, then the bars. */
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
  const stopWatching = watchSignals(controller, 'Go on with --resume.');
  const progress = options['quiet'] === true ? null : createEvalProgress(stderr);
  try {
    const onProgress = progress === null ? {} : { onProgress: progress.onProgress };
    const found = await runEval({ ...evalOptions(invocation), ...onProgress, signal: controller.signal });
    progress?.close();
    const report = redactor.value(found.report);
    stdout.write(options['json'] === true ? toJson(report) : printable(renderText(report)));
    for (const { path, form } of files) await replaceFile(path, renderReport(form, report, found.samples));
    const { error } = report;
    if (error !== null) stderr.write(`rlm: ${printable(error.message)}\n     ${printable(error.hint)}\n`);
    return exitCodeOf(report);
  } finally {
    progress?.close();
    stopWatching();
  }
}

/** Runs `rlm eval`. */
export async function runEvalCommand(invocation: Invocation): Promise<ExitCode> {
  const [first] = invocation.args as readonly string[];
  if (first !== 'init') return run(invocation);
  const { exampleSamples } = await import('../../../eval/index.ts');
  invocation.stdout.write(exampleSamples);
  return 0;
}
