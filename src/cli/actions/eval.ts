import { checkOutputs } from '../../api/check-outputs.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { counted, duration } from '../../base/text.ts';
import { writeUserSetting } from '../../config/write-user-setting.ts';
import { type ExitCode, errorCodes, RlmError } from '../../errors.ts';
import type { EvalOptions, EvaluationProgress, EvaluationReport } from '../../eval/index.ts';
import { type Invocation, numberOption } from '../command.ts';
import { configured } from '../configured.ts';
import { outputFileOf } from '../output/output-options.ts';
import { createStatusLine } from '../render/progress.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { errorText, printable, toJson } from '../terminal.ts';

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
    maxRegression: numberOption(options, 'maxRegression') ?? null,
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
  const { fitConfidence, fitInWords } = await import('../../eval/index.ts');
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

/** Does work with a signal and a progress display, as `rlm eval` shows it. */
function withProgress<T>(
  { options, stderr }: Invocation,
  work: (shared: Pick<EvalOptions, 'onProgress'> & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (options['quiet'] === true) return underSignals(resumable, (signal) => work({ signal }));
  const line = createStatusLine(stderr, everyMs);
  const onProgress = (progress: EvaluationProgress) => line.show(describe(progress), progress.done === progress.total);
  return underSignals(resumable, (signal) => work({ signal, onProgress }).finally(line.close));
}

const resumable = { hint: 'Continue with --resume.' };

async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr, redactor } = invocation;
  const { formOf, renderEvaluation, renderReportText, runEval } = await import('../../eval/index.ts');
  const files = ((options['report'] as string[] | undefined) ?? []).map((path) => ({ path, form: formOf(path) }));
  configured(invocation, { flags: settingFlags(options) });
  const read = [args[0] as string, ...((args[1] as string[] | undefined) ?? [])];
  await checkOutputs(
    files.map(({ path }) => path),
    read,
  );
  const found = await withProgress(invocation, (shared) => runEval({ ...evalOptions(invocation), ...shared }));
  const report = redactor.value(found.report);
  const fitted = options['fit'] === true && report.error === null ? await fitLastArm(report) : null;
  const shown = fitted === null ? report : { ...report, fit: fitted.found };
  const text = `${renderReportText(report)}${fitted === null ? '' : `\n${fitted.words}`}`;
  stdout.write(options['json'] === true ? toJson(shown) : printable(text));
  for (const { path, form } of files)
    await replaceFile(path, redactor.text(renderEvaluation(form, report, found.samples)));
  if (report.error !== null) stderr.write(errorText(report.error));
  return exitCodeOf(report);
}

/** Splits a comma-separated list. */
const listOf = (value: unknown): string[] =>
  String(value)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Returns an option that is text. Null when it is not given. */
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Converts the options of a command to those of an evaluation. Limits apply to the whole evaluation. */
function evaluationOptions({ args, options }: Pick<Invocation, 'args' | 'options'>) {
  const { maxCost: _c, maxTokens: _t, maxCalls: _n, ...settings } = options;
  return {
    paths: (args[1] as string[] | undefined) ?? [],
    flags: settingFlags(settings),
    limits: {
      calls: numberOption(options, 'maxCalls') ?? null,
      tokens: numberOption(options, 'maxTokens') ?? null,
      usd: numberOption(options, 'maxCost') ?? null,
    },
    resume: options['resume'] === true,
    judge: textOf(options['judge']),
    record: textOf(options['record']),
    replay: textOf(options['replay']),
  };
}

const everyMs = 5_000;

/** Returns a line such as `12 of 40 · plain 58 % · auto 67 %, 1 failed · 31 calls · 3 min left`. */
function describe({ done, total, arms, spent, leftMs }: EvaluationProgress): string {
  const shares = arms
    .filter(({ n }) => n > 0)
    .map(
      ({ name, n, sum, failed }) => `${name} ${Math.round((sum / n) * 100)} %${failed > 0 ? `, ${failed} failed` : ''}`,
    );
  const cost = spent.usd > 0 ? [`$${Number(spent.usd.toPrecision(3))}`] : [];
  const left = leftMs === null || done === total ? [] : [`${duration(leftMs)} left`];
  return [`${done} of ${total}`, ...shares, counted(spent.calls, 'call'), ...cost, ...left].join(' · ');
}

const longest = 10_000_000;

/** Parses a length in tokens: `8k`, `1m` or `2000`. Throws RlmError `usage`. */
function lengthOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([km]?)$/i.exec(text) ?? [];
  const tokens = Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  if (tokens >= 500 && tokens <= longest) return tokens;
  throw new RlmError('usage', `--tokens cannot be "${text}"`, {
    hint: 'Give lengths of at least 500: --tokens 8k,32k,128k',
  });
}

const defaultTokens = '8k';
const defaultSamples = 20;
const mostSamples = 10_000;

/** Runs `rlm eval make`. */
async function runMake(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  const [kind, ...haystack] = (args[1] as string[] | undefined) ?? [];
  const { makeTasks, taskKinds } = await import('../../eval/index.ts');
  if (kind === undefined)
    throw new RlmError('usage', 'rlm eval make needs a kind of task', {
      hint: `The kinds are ${taskKinds.join(', ')}.`,
    });
  const configuration = configured(invocation, { flags: settingFlags(options) });
  const { questions, samples } = await underSignals({}, (signal) =>
    makeTasks({
      kind,
      haystack,
      tokens: listOf(options['tokens'] ?? defaultTokens).map(lengthOf),
      samples: numberOption(options, 'samples', { least: 1, most: mostSamples, isWhole: true }) ?? defaultSamples,
      seed: configuration.settings.seed ?? 1,
      output: outputFileOf(options) ?? `eval-${kind}`,
      configuration,
      signal,
    }),
  );
  stdout.write(`${questions}\n`);
  stderr.write(errorText({ message: counted(samples, 'question'), hint: `Next: rlm eval ${questions}` }));
  return 0;
}

/** The actions of `rlm eval` besides an evaluation, by the first argument. */
const actions: Readonly<Record<string, (invocation: Invocation) => Promise<ExitCode>>> = {
  init: async ({ stdout }) => {
    stdout.write((await import('../../eval/index.ts')).exampleSamples);
    return 0;
  },
  make: runMake,
};

/** Runs `rlm eval`. */
export async function runEvalCommand(invocation: Invocation): Promise<ExitCode> {
  const first = invocation.args[0] as string;
  return Object.hasOwn(actions, first) ? actions[first]!(invocation) : run(invocation);
}
