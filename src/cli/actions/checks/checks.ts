import { counted } from '../../../base/counted.ts';
import { type ExitCode, kindOf, toRlmError } from '../../../errors.ts';
import {
  ask,
  type Configuration,
  exitCodeOf,
  failedResult,
  loadConfiguration,
  type Result,
  renderChecks,
} from '../../../index.ts';
import type { Invocation } from '../../command.ts';
import { watchSignals } from '../../follow-run.ts';
import { openOutputFile, type Sink } from '../../output/output-file.ts';
import { openSummary } from '../../output/report-files.ts';
import { settingFlags } from '../../setting-flags.ts';
import { oneLine, toJson } from '../../terminal.ts';
import { failuresOf } from './hold.ts';
import { createOpenedTexts, type OpenedTexts } from './opened-texts.ts';
import { type CheckSpec, type ChecksFile, readChecks } from './read-checks.ts';

/** A check with its result. */
interface CheckOutcome {
  readonly name: string;
  readonly result: Result;
  /** The expectations that do not hold. */
  readonly failures: readonly string[];
}

const schemaVersion = 1;

/** Returns a check in the form of `--json`. */
const listed = ({ name, result, failures }: CheckOutcome) => {
  const { task: question, runId, status, answer, confidence, citations, error } = result;
  return {
    name,
    question,
    passed: failures.length === 0,
    failures,
    runId,
    status,
    answer,
    confidence,
    citations,
    error,
  };
};

const isPassed = ({ failures }: CheckOutcome): boolean => failures.length === 0;

/** Returns the failures of a check as messages. When the run has an error, its message is the only one. */
const failuresIn = (check: CheckSpec, result: Result): string[] =>
  result.error === null ? failuresOf(check, result) : [result.error.message];

/** Whether the remaining checks are skipped: there is no provider, or the user pressed Ctrl-C. */
const endsAll = ({ error }: Result): boolean =>
  error !== null && ['unavailable', 'interruption', 'configuration'].includes(kindOf(error));

/** The environment of a check. */
interface Asking {
  readonly configuration: Configuration;
  readonly texts: OpenedTexts;
  readonly signal: AbortSignal;
}

async function askCheck(check: CheckSpec, paths: readonly string[], { configuration, texts, signal }: Asking) {
  const asking = async () =>
    ask(check.question, {
      ...(await texts.of(paths)),
      configuration,
      signal,
      resumable: configuration.settings.journal,
      partOf: 'checks',
    });
  const result = await asking().catch((error: unknown) => failedResult(check.question, toRlmError(error)));
  return { name: check.name ?? check.question, result, failures: failuresIn(check, result) };
}

function report({ stderr, options }: Invocation, outcome: CheckOutcome): void {
  if (options['quiet'] === true) return;
  const sign = isPassed(outcome) ? stderr.style('green', '✓') : stderr.style('red', '✕');
  stderr.write(`rlm: ${sign} ${oneLine(outcome.name, 200)}\n`);
}

async function askAll(file: ChecksFile, paths: readonly string[], invocation: Invocation): Promise<CheckOutcome[]> {
  const controller = new AbortController();
  const stopWatching = watchSignals(controller, 'The checks so far are reported.');
  const configuration = loadConfiguration({ flags: settingFlags(invocation.options) });
  const texts = createOpenedTexts(configuration, controller.signal);
  const asking = { configuration, texts, signal: controller.signal };
  const outcomes: CheckOutcome[] = [];
  try {
    for (const check of file.checks) {
      const about = paths.length > 0 ? paths : (check.paths ?? file.paths ?? []);
      const outcome = await askCheck(check, about, asking);
      report(invocation, outcome);
      outcomes.push(outcome);
      if (endsAll(outcome.result)) break;
    }
    return outcomes;
  } finally {
    await texts.close();
    stopWatching();
  }
}

function textOf(outcomes: readonly CheckOutcome[], left: number): string {
  const lines = outcomes.flatMap(({ name, result, failures }) => [
    `${failures.length === 0 ? 'pass' : 'FAIL'}  ${oneLine(name, 200)}`,
    ...failures.map((failure) => `      ${oneLine(failure, 500)}`),
    ...(failures.length > 0 && result.answer !== null ? [`      answer: ${oneLine(result.answer, 300)}`] : []),
  ]);
  const passed = outcomes.filter(isPassed).length;
  const skipped = left > 0 ? `, ${left} not asked` : '';
  return [...lines, `${passed} of ${counted(outcomes.length, 'check')} passed${skipped}`, ''].join('\n');
}

/** Returns 7 when an expectation does not hold. An error has its own exit status. */
function statusOf(outcomes: readonly CheckOutcome[]): ExitCode {
  const failed = outcomes.find(({ result }) => result.error !== null);
  if (failed) return exitCodeOf(failed.result);
  return outcomes.every(isPassed) ? 0 : 7;
}

/** Runs `rlm checks`. */
export async function runChecks(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, redactor } = invocation;
  const path = args[0] as string;
  const file = readChecks(path);
  // Outputs are opened first, so that a wrong path ends the command before the first question.
  const sinks: (readonly [Sink, 'junit' | 'markdown'])[] = [];
  const junit = options['junit'];
  if (typeof junit === 'string') sinks.push([openOutputFile(junit, stdout, redactor), 'junit']);
  if (options['stepSummary'] === true) sinks.push([openSummary(invocation), 'markdown']);
  const outcomes = await askAll(file, (args[1] ?? []) as readonly string[], invocation);
  for (const [sink, form] of sinks) {
    sink.write(await renderChecks(outcomes, form, path));
    sink.close();
  }
  const left = file.checks.length - outcomes.length;
  const shown = {
    schemaVersion,
    passed: outcomes.filter(isPassed).length,
    notAsked: left,
    checks: outcomes.map(listed),
  };
  stdout.write(options['json'] === true ? toJson(shown, 2) : textOf(outcomes, left));
  return statusOf(outcomes);
}
