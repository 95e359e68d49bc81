import { checkOutputs } from '../../api/check-outputs.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { counted, duration } from '../../base/text.ts';
import { writeUserSetting } from '../../config/write-user-setting.ts';
import { type ExitCode, errorCodes, RlmError } from '../../errors.ts';
import type { EvalOptions, EvaluationProgress, EvaluationReport } from '../../eval/index.ts';
import { type Invocation, numberOption, splitList, textOption } from '../command.ts';
import { configured } from '../configured.ts';
import { checkDistinct, outputFileOf } from '../output/output-options.ts';
import { createStatusLine } from '../render/progress.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { errorText, printable, reportUnwritten, toJson } from '../terminal.ts';

function evalOptions({ args, options }: Invocation): Omit<EvalOptions, 'signal'> {
  const { maxCost: _c, maxTokens: _t, maxCalls: _n, ...settings } = options;
  const describedArms = (options['arm'] as string[] | undefined) ?? [];
  const isNamed = options['arms'] !== undefined || describedArms.length === 0;
  const limit = (name: string) => numberOption(options, name) ?? null;
  // A fit needs the confidences before any configured curve is applied.
  const unmapped = ['confidenceMap.evidence', 'confidenceMap.match'].map((key) => [key, null] as const);
  return {
    questions: args[0] as string,
    paths: (args[1] as string[] | undefined) ?? [],
    flags: new Map([...settingFlags(settings), ...(options['fit'] === true ? unmapped : [])]),
    arms: isNamed ? splitList(textOption(options, 'arms') ?? 'plain,auto') : [],
    describedArms,
    baseline: textOption(options, 'baseline'),
    minimums: (options['min'] as string[] | undefined) ?? [],
    maxRegression: limit('maxRegression'),
    against: textOption(options, 'against'),
    limits: { calls: limit('maxCalls'), tokens: limit('maxTokens'), usd: limit('maxCost') },
    resume: options['resume'] === true,
    judge: textOption(options, 'judge'),
    record: textOption(options, 'record'),
    replay: textOption(options, 'replay'),
  };
}

/** Fits the last arm's confidence. Writes the curve to the user's configuration if it improves the confidence. */
async function fitLastArm({ outcomes, asked }: EvaluationReport) {
  const { fitConfidence, fitInWords } = await import('../../eval/index.ts');
  const found = fitConfidence(outcomes, asked.at(-1)!.name);
  if (found.curve === null) return { found, words: fitInWords(found, null) };
  const path = await writeUserSetting(`confidenceMap.${found.kind}`, found.curve, process.env);
  return { found, words: fitInWords(found, path) };
}

function exitCodeOf({ error, bars }: EvaluationReport): ExitCode {
  if (error !== null) return errorCodes[error.code].exit;
  return bars.some(({ isReached }) => !isReached) ? 7 : 0;
}

async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, stdout, stderr, redactor } = invocation;
  const evaluation = await import('../../eval/index.ts');
  const { formOf, parseArms, readSamples, renderEvaluation, renderReportText, runEval } = evaluation;
  const files = ((options['report'] as string[] | undefined) ?? []).map((path) => ({ path, form: formOf(path) }));
  checkDistinct({ outputFile: null, reports: files.map(({ path }) => ({ flag: 'a report', path })) }, null);
  const configuration = configured(invocation);
  const asked = evalOptions(invocation);
  const { questions, paths, against, arms, describedArms } = asked;
  const texts = readSamples(questions).flatMap((sample) => sample.paths ?? []);
  // The setting of an arm may be a file, such as its role.
  const ofArms = parseArms(arms, describedArms).flatMap(({ settings }) => Object.values(settings).map(String));
  const read = new Set([questions, ...paths, ...texts, ...ofArms, ...(against === null ? [] : [against])]);
  const outputs = files.map(({ path }) => path);
  await checkOutputs(outputs, [...read], configuration);
  const line = options['quiet'] === true ? null : createStatusLine(stderr, 5_000);
  const onProgress = (progress: EvaluationProgress) => line?.show(describe(progress), progress.done === progress.total);
  const found = await underSignals({ hint: 'Continue with --resume.' }, (signal) =>
    runEval({ ...asked, signal, onProgress }).finally(line?.close),
  );
  const report = redactor.value(found.report);
  const fitted = options['fit'] === true && report.error === null ? await fitLastArm(report) : null;
  const shown = fitted === null ? report : { ...report, fit: fitted.found };
  const text = `${renderReportText(report)}${fitted === null ? '' : `\n${fitted.words}`}`;
  stdout.write(options['json'] === true ? toJson(shown) : printable(text));
  const writes = files.map(({ path, form }) =>
    replaceFile(path, redactor.text(renderEvaluation(form, report, found.samples))),
  );
  const unwritten = await reportUnwritten(writes, stderr);
  if (report.error !== null) stderr.write(errorText(report.error));
  return unwritten || exitCodeOf(report);
}

/** Formats progress: `12 of 40 · plain 58 % · auto 67 %, 1 failed · 31 calls · 3 min left` */
function describe({ done, total, arms, spent, leftMs }: EvaluationProgress): string {
  const shares = arms.flatMap(({ name, n, sum, failed }) => {
    const failures = failed > 0 ? `, ${failed} failed` : '';
    return n > 0 ? [`${name} ${Math.round((sum / n) * 100)} %${failures}`] : [];
  });
  const cost = spent.usd > 0 ? [`$${Number(spent.usd.toPrecision(3))}`] : [];
  const left = leftMs === null || done === total ? [] : [`${duration(leftMs)} left`];
  return [`${done} of ${total}`, ...shares, counted(spent.calls, 'call'), ...cost, ...left].join(' · ');
}

function lengthOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([km]?)$/i.exec(text) ?? [];
  const tokens = Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  if (tokens >= 500 && tokens <= 10_000_000) return tokens;
  throw new RlmError('usage', `--tokens cannot be "${text}"`, {
    hint: 'Give lengths from 500 to 10m: --tokens 8k,32k,128k',
  });
}

async function runMake(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  const [kind, ...haystack] = (args[1] as string[] | undefined) ?? [];
  const { makeTasks, taskKinds } = await import('../../eval/index.ts');
  if (kind === undefined) {
    const hint = `The kinds are ${taskKinds.join(', ')}.`;
    throw new RlmError('usage', 'rlm eval make needs a kind of task', { hint });
  }
  const configuration = configured(invocation);
  const { questions, samples } = await underSignals({}, (signal) =>
    makeTasks({
      kind,
      haystack,
      tokens: splitList(textOption(options, 'tokens') ?? '8k').map(lengthOf),
      samples: numberOption(options, 'samples', { least: 1, most: 10_000, isWhole: true }) ?? 20,
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

export async function runEvalCommand(invocation: Invocation): Promise<ExitCode> {
  const [first] = invocation.args;
  if (first === 'make') return runMake(invocation);
  if (first !== 'init') return run(invocation);
  invocation.stdout.write((await import('../../eval/index.ts')).exampleSamples);
  return 0;
}
