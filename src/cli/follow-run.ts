import { recordOutputs } from '../api/check-outputs.ts';
import { type EndedRun, renderResult } from '../api/runs/reports.ts';
import { now } from '../base/time.ts';
import { type ExitCode, type RlmError, toRlmError, type Warning } from '../errors.ts';
import type { Trajectory } from '../journal/trajectory.ts';
import { exitCodeOf, failedResult, isForm, type Result, withUnwritten } from '../result.ts';
import type { EventListener, RunEvent } from '../run/events.ts';
import type { Invocation } from './command.ts';
import {
  checkDistinct,
  type OutputRequest,
  openOutputFile,
  openReports,
  readOutputOptions,
  type Sink,
} from './output/output-options.ts';
import { createProgressLines, type Progress } from './render/progress.ts';
import { renderLastEvent, renderSummary, renderText } from './render/result.ts';
import { readerClosed, underSignals } from './signals.ts';
import { type Output, say, toJson, withoutCommands } from './terminal.ts';

const interruptHint = 'Whatever was found so far is printed.';

/** Creates the listeners of a run. With --verbose, the log replaces the progress display. */
async function createAudience(
  { verbose, quiet, format, streams, outputFile }: OutputRequest,
  logFile: string | null,
  { stdout, stderr }: Invocation,
  output: Sink,
) {
  let lastSeq = 0;
  const warnings: Warning[] = [];
  const hasLog = verbose || logFile !== null;
  const log = hasLog ? (await import('./log.ts')).createLog(verbose, logFile) : null;
  const showsAnswer = streams && format === 'text' && outputFile === null && stdout.isTerminal;
  let progress: Progress | null = null;
  if (!quiet && !verbose && stderr.isTerminal)
    progress = (await import('./render/live/screen.ts')).createLiveTree(stderr, showsAnswer);
  else if (!quiet && !verbose) progress = createProgressLines(stderr);
  return {
    onEvent(event: RunEvent): void {
      lastSeq = event.seq;
      if (event.type === 'warning') warnings.push(event);
      log?.onEvent(event);
      if (format === 'ndjson') output.write(toJson(event));
      progress?.onEvent(event);
    },
    onReading: progress?.onReading ?? (() => {}),
    say: progress?.say ?? (quiet ? () => {} : (line: string) => say({ stderr }, line)),
    warnings,
    lastSeq: () => lastSeq,
    async close(result: Result): Promise<RlmError[]> {
      progress?.close(result);
      const error = await log?.close().catch(toRlmError);
      return error ? [error] : [];
    },
  };
}

/** Formats the result of a run. `seq`: the number of the last event plus one. */
async function format(run: EndedRun, request: OutputRequest, stdout: Output, seq: number): Promise<string> {
  const { result } = run;
  if (request.format === 'markdown') return withoutCommands(await renderResult(run, 'markdown'));
  if (request.format !== 'text') return request.format === 'json' ? toJson(result) : renderLastEvent(result, seq);
  const output = request.outputFile === null ? stdout : null;
  const text = renderText(result, output);
  if (output?.isTerminal !== true || isForm(result)) return text;
  return (await import('./render/live/wrapped.ts')).wrapAnswer(text, output.columns);
}

/**
 * Writes a result. The output file stays unchanged after a usage error. It also stays unchanged if the format is text
 * or Markdown and there is no answer.
 */
async function deliver(
  result: Result,
  request: OutputRequest,
  output: Sink,
  stdout: Output,
  formatted: (result: Result) => Promise<string>,
): Promise<Result> {
  const isMisused = result.error?.code === 'usage';
  if (isMisused || (['text', 'markdown'].includes(request.format) && result.answer === null)) {
    output.discard();
    if (isMisused) stdout.write(await formatted(result));
    return result;
  }
  output.write(await formatted(result));
  try {
    await output.close();
    return result;
  } catch (thrown) {
    const error = toRlmError(thrown).toInfo();
    const undelivered = { ...result, stopReason: error.code, error };
    stdout.write(await formatted(undelivered));
    return undelivered;
  }
}

async function showSummary(result: Result, { quiet }: OutputRequest, { stdout, stderr }: Invocation): Promise<void> {
  if (quiet && result.error === null) return;
  const summary = renderSummary(result, stderr, quiet);
  if (!stderr.isTerminal) return stderr.write(summary);
  const { ownLines } = await import('./render/live/wrapped.ts');
  if (stdout.isTerminal && result.answer !== null) stderr.write('\n');
  stderr.write(ownLines(summary, stderr.columns));
}

/** The input of a function that starts a run. */
export interface Hooks {
  readonly signal: AbortSignal;
  readonly onEvent: EventListener;
  readonly onReading: Progress['onReading'];
  readonly onTrajectory: (trajectory: Trajectory) => void;
  /** Shows a line that is not an event. */
  readonly say: (line: string) => void;
  /** Time since the program was started, in ms. */
  readonly usedMs: number;
  /** Files that the program writes during the run. */
  readonly written: readonly string[];
}

/**
 * Starts a run, shows its progress, and writes its result.
 * @param question the question for the failed result of a run that cannot begin.
 * @param start begins the run. An error that it throws becomes a failed result.
 */
export function followRun(
  invocation: Invocation,
  question: string,
  logFile: string | null,
  start: (hooks: Hooks) => Promise<Result>,
): Promise<ExitCode> {
  const { stdout, redactor } = invocation;
  const request = readOutputOptions(invocation);
  return underSignals({ stdout, hint: interruptHint }, async (signal) => {
    checkDistinct(request, logFile);
    const output = openOutputFile(request.outputFile, stdout, redactor);
    const reports = openReports(request, invocation);
    const audience = await createAudience(request, logFile, invocation, output);
    const { onEvent, onReading, say, warnings, lastSeq } = audience;
    const written = [request.outputFile, logFile, ...reports.paths].filter((path) => path !== null);
    let trajectory: Trajectory | null = null;
    const onTrajectory = (collected: Trajectory) => {
      trajectory = collected;
    };
    const hooks = { signal, onEvent, onReading, onTrajectory, say, usedMs: now(), written };
    const found = await start(hooks).catch((error: unknown) => failedResult(question, toRlmError(error), warnings));
    const failures = [...(await audience.close(found)), ...(await reports.write({ result: found, trajectory }))];
    const formatted = (result: Result) => format({ result, trajectory }, request, stdout, lastSeq() + 1);
    const result = await deliver(withUnwritten(found, failures), request, output, stdout, formatted);
    await recordOutputs(
      result.runId,
      written.filter((path) => path !== logFile),
    );
    const isClosed = signal.reason === readerClosed;
    if (!isClosed) await showSummary(result, request, invocation);
    return isClosed ? 0 : exitCodeOf(result);
  });
}
