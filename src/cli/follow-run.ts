/** Handles signals, progress, logs and output for every command that starts a run. */

import { renderResult } from '../api/runs/reports.ts';
import { now } from '../base/time.ts';
import { type ExitCode, type RlmError, toRlmError } from '../errors.ts';
import type { Trajectory } from '../journal/trajectory.ts';
import { exitCodeOf, failedResult, type Result, withUnwritten } from '../result.ts';
import type { EventListener } from '../run/events.ts';
import type { Invocation } from './command.ts';
import { checkDistinct, type OutputRequest, openOutputFile, openReports, type Sink } from './output/output-options.ts';
import { createProgressLines, type Progress } from './render/progress.ts';
import { renderLastEvent, renderSummary, renderText } from './render/result.ts';
import { readerClosed, underSignals } from './signals.ts';
import { type Output, say, toJson } from './terminal.ts';

const kept = 'Whatever was found so far is printed.';

/** Receives events and the result. */
interface Listener {
  readonly onEvent: EventListener;
  close(result: Result): Promise<void> | void;
}

/**
 * Creates the progress display: a live tree when stderr is a terminal, static lines otherwise.
 * @param showsAnswer whether the tree shows the answer below it while it is generated.
 */
async function createProgress(stderr: Output, showsAnswer: boolean): Promise<Progress> {
  if (!stderr.isTerminal) return createProgressLines(stderr);
  return (await import('./render/live/screen.ts')).createLiveTree(stderr, showsAnswer);
}

/** Creates the listeners of a run. With --verbose the log replaces the progress display. */
async function createAudience(
  request: OutputRequest,
  logFile: string | null,
  { stdout, stderr }: Invocation,
  output: Sink,
) {
  let lastSeq = 0;
  const warnings: string[] = [];
  const note: EventListener = (event) => {
    lastSeq = event.seq;
    if (event.type === 'warning') warnings.push(event.message);
  };
  const listeners: Listener[] = [{ onEvent: note, close: () => {} }];
  if (request.verbose || logFile !== null) {
    const { createLog } = await import('./log.ts');
    listeners.push(createLog({ toStderr: request.verbose, file: logFile }));
  }
  if (request.format === 'ndjson') listeners.push({ onEvent: (event) => output.write(toJson(event)), close: () => {} });
  const isText = request.format === 'text' && request.outputFile === null;
  const shown = request.streams && isText && stdout.isTerminal;
  const progress = request.quiet || request.verbose ? null : await createProgress(stderr, shown);
  if (progress !== null) listeners.push(progress);
  return {
    listeners,
    /** The warnings so far. */
    warnings,
    /** Shows a line that is not an event. */
    say: progress?.say ?? (request.quiet ? () => {} : (line: string) => say({ stderr }, line)),
    onReading: progress?.onReading ?? (() => {}),
    /** Returns the number of the last event so far; 0 before the first. */
    lastSeq: () => lastSeq,
    /** Ends all listeners. Resolves to their errors. */
    async close(result: Result): Promise<RlmError[]> {
      const failures: RlmError[] = [];
      for (const listener of listeners)
        await listener.close(result)?.catch((error: unknown) => void failures.push(toRlmError(error)));
      return failures;
    },
  };
}

/** Formats the answer; on a terminal, wrapped at words. */
async function formatText(result: Result, output: Output | null): Promise<string> {
  const text = renderText(result, output);
  if (output?.isTerminal !== true || result.fieldCitations !== null) return text;
  const { wrapAnswer } = await import('./render/live/wrapped.ts');
  return wrapAnswer(text, output.columns);
}

async function format(
  result: Result,
  request: OutputRequest,
  { invocation, seq, trajectory }: Delivery,
): Promise<string> {
  if (request.format === 'markdown') return renderResult({ result, trajectory }, 'markdown');
  if (request.format === 'text') return formatText(result, request.outputFile === null ? invocation.stdout : null);
  return request.format === 'json' ? toJson(result) : renderLastEvent(result, seq);
}

/** The input of `deliver` besides the result. */
interface Delivery {
  readonly invocation: Invocation;
  /** The number of the last event plus one. */
  readonly seq: number;
  readonly trajectory: Trajectory | null;
}

/**
 * Writes the result. An output file keeps its content when there is no new answer, and when it is also an input.
 */
async function deliver(result: Result, request: OutputRequest, output: Sink, delivery: Delivery): Promise<Result> {
  const { stdout } = delivery.invocation;
  const isMisused = result.error?.code === 'usage';
  if (isMisused || (['text', 'markdown'].includes(request.format) && result.answer === null)) {
    output.discard();
    if (isMisused) stdout.write(await format(result, request, delivery));
    return result;
  }
  output.write(await format(result, request, delivery));
  try {
    output.close();
    return result;
  } catch (thrown) {
    const error = toRlmError(thrown).toInfo();
    const undelivered = { ...result, stopReason: error.code, error };
    stdout.write(await format(undelivered, request, delivery));
    return undelivered;
  }
}

/** Writes the last lines on stderr, on a terminal wrapped at words. */
async function showSummary(result: Result, { quiet }: OutputRequest, { stdout, stderr }: Invocation): Promise<void> {
  if (quiet && result.error === null) return;
  const summary = renderSummary(result, stderr, quiet);
  if (!stderr.isTerminal) return stderr.write(summary);
  const { ownLines } = await import('./render/live/wrapped.ts');
  const isBelowAnswer = stdout.isTerminal && result.answer !== null;
  stderr.write(`${isBelowAnswer ? '\n' : ''}${ownLines(summary, stderr.columns)}`);
}

/** The input of a function that starts a run. */
export interface Hooks {
  readonly signal: AbortSignal;
  readonly onEvent: EventListener;
  readonly onReading: Progress['onReading'];
  readonly onTrajectory: (trajectory: Trajectory) => void;
  /** Shows a line that is not an event to the user. */
  readonly say: (line: string) => void;
  /** Time since the program was started, in ms. */
  readonly usedMs: number;
  /** Files that the program writes during the run. */
  readonly written: readonly string[];
}

/**
 * Starts a run, shows its progress, and writes its result.
 * @param question the question of the result when the run cannot begin.
 * @param start begins the run; what it throws becomes a failed result.
 */
export function followRun(
  invocation: Invocation,
  request: OutputRequest,
  { question, logFile }: { readonly question: string; readonly logFile: string | null },
  start: (hooks: Hooks) => Promise<Result>,
): Promise<ExitCode> {
  return underSignals({ stdout: invocation.stdout, hint: kept }, async (signal) => {
    checkDistinct(request, logFile);
    const output = openOutputFile(request.outputFile, invocation.stdout, invocation.redactor);
    const reports = openReports(request.reports, invocation);
    const audience = await createAudience(request, logFile, invocation, output);
    const { listeners, warnings, say, onReading, lastSeq } = audience;
    const written = [request.outputFile, logFile, ...reports.paths].filter((path) => path !== null);
    let trajectory: Trajectory | null = null;
    const onTrajectory = (collected: Trajectory) => {
      trajectory = collected;
    };
    const onEvent: EventListener = (event) => listeners.forEach((listener) => void listener.onEvent(event));
    const hooks = { signal, onEvent, onReading, onTrajectory, say, usedMs: now(), written };
    const found = await start(hooks).catch((error: unknown) => failedResult(question, toRlmError(error), warnings));
    const failures = await audience.close(found);
    failures.push(...(await reports.write({ result: found, trajectory })));
    const delivery = { invocation, seq: lastSeq() + 1, trajectory };
    const result = await deliver(withUnwritten(found, failures), request, output, delivery);
    const isClosed = signal.reason === readerClosed;
    if (!isClosed) await showSummary(result, request, invocation);
    return isClosed ? 0 : exitCodeOf(result);
  });
}
