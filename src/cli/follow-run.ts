/** Handles signals, progress, logs and output for every command that starts a run. */

import { now } from '../base/clock.ts';
import { type ExitCode, RlmError, toRlmError } from '../errors.ts';
import {
  type EventListener,
  exitCodeOf,
  failedResult,
  type Result,
  renderResult,
  type Trajectory,
  withUnwritten,
} from '../index.ts';
import type { Invocation } from './command.ts';
import { openOutputFile, type Sink } from './output/output-file.ts';
import type { OutputRequest } from './output/output-options.ts';
import { checkDistinct, openReports } from './output/report-files.ts';
import { sendSpans } from './output/send-spans.ts';
import { createProgress } from './render/create-progress.ts';
import type { Progress } from './render/progress.ts';
import { renderSummary, renderText } from './render/text.ts';
import { type Output, oneLine } from './terminal.ts';

const interruptions = {
  SIGINT: { code: 'interrupted', exit: 130, message: 'interrupted by Ctrl-C' },
  SIGTERM: { code: 'terminated', exit: 143, message: 'terminated by SIGTERM' },
  SIGHUP: { code: 'hung-up', exit: 129, message: 'ended by SIGHUP: the terminal was closed' },
} as const;

const kept = 'The answer contains what was found so far, if anything.';

/**
 * Handles SIGINT, SIGTERM and SIGHUP. The first signal aborts the run, which keeps what it found; a second one ends
 * the program immediately.
 * @param hint the hint of the error, about the work done so far.
 * @returns a function that removes the handlers.
 */
export function watchSignals(controller: AbortController, hint: string): () => void {
  const handlers = (Object.keys(interruptions) as (keyof typeof interruptions)[]).map((signal) => {
    const { code, exit, message } = interruptions[signal];
    const handler = () => {
      if (controller.signal.aborted) process.exit(exit);
      controller.abort(new RlmError(code, message, { hint }));
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const stop of handlers) stop();
  };
}

/** Receives events and the result. */
interface Listener {
  readonly onEvent: EventListener;
  close(result: Result): Promise<void> | void;
}

/** The listeners of a run, and functions that show other lines to the user. */
interface Audience {
  readonly listeners: readonly Listener[];
  readonly say: (line: string) => void;
  readonly onReading: Progress['onReading'];
  /** The number of the last event so far; 0 before the first. */
  readonly lastSeq: () => number;
}

function createCounter(): Listener & Pick<Audience, 'lastSeq'> {
  let last = 0;
  return {
    onEvent: ({ seq }) => {
      last = seq;
    },
    close: () => {},
    lastSeq: () => last,
  };
}

/** Creates the listeners. With --verbose the log replaces the progress display. */
async function createAudience(
  request: OutputRequest,
  logFile: string | null,
  invocation: Invocation,
  output: Sink,
): Promise<Audience> {
  const counter = createCounter();
  const listeners: Listener[] = [counter];
  let onReading: Progress['onReading'] = () => {};
  let say = request.quiet ? () => {} : (line: string) => invocation.stderr.write(`rlm: ${line}\n`);
  if (request.verbose || logFile !== null) {
    const { createLog } = await import('./log.ts');
    listeners.push(createLog({ toStderr: request.verbose, file: logFile }));
  }
  if (request.format === 'ndjson') {
    const { createEventLines } = await import('./render/json.ts');
    listeners.push(createEventLines((line) => output.write(line)));
  }
  if (!request.quiet && !request.verbose) {
    const { stderr, stdout } = invocation;
    const isText = request.format === 'text' && request.outputFile === null;
    const progress = await createProgress(stderr, request.streams && isText && stdout.isTerminal ? stdout : null);
    listeners.push(progress);
    ({ say, onReading } = progress);
  }
  return { listeners, say, onReading, lastSeq: counter.lastSeq };
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
  const { renderJson, renderLastEvent } = await import('./render/json.ts');
  return request.format === 'json' ? renderJson(result) : renderLastEvent(result, seq);
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

/** Wraps the program's own lines at words on a terminal. */
async function wrapForTerminal(lines: string, { isTerminal, columns }: Output): Promise<string> {
  return isTerminal ? (await import('./render/live/wrapped.ts')).ownLines(lines, columns) : lines;
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
export async function followRun(
  invocation: Invocation,
  request: OutputRequest,
  { question, logFile }: { readonly question: string; readonly logFile: string | null },
  start: (hooks: Hooks) => Promise<Result>,
): Promise<ExitCode> {
  const { stdout, stderr, redactor } = invocation;
  const controller = new AbortController();
  const closed = new RlmError('interrupted', 'the reader of the output closed it');
  stdout.onClosed(() => controller.abort(closed));
  const stopWatching = watchSignals(controller, kept);
  checkDistinct(request, logFile);
  const output = openOutputFile(request.outputFile, stdout, redactor);
  const reports = openReports(request.reports, invocation);
  const { listeners, say, onReading, lastSeq } = await createAudience(request, logFile, invocation, output);

  const warnings: string[] = [];
  const onEvent: EventListener = (event) => {
    if (event.type === 'warning') warnings.push(event.message);
    for (const listener of listeners) listener.onEvent(event);
  };
  const written = [request.outputFile, logFile, ...reports.paths].filter((path) => path !== null);
  let trajectory: Trajectory | null = null;
  const onTrajectory = (collected: Trajectory) => {
    trajectory = collected;
  };
  const hooks = { signal: controller.signal, onEvent, onReading, onTrajectory, say, usedMs: now(), written };
  const found = await start(hooks).catch((error: unknown) => failedResult(question, toRlmError(error), warnings));
  const failures: RlmError[] = [];
  for (const listener of listeners) {
    await listener.close(found)?.catch((error: unknown) => void failures.push(toRlmError(error)));
  }
  failures.push(...(await reports.write({ result: found, trajectory })));
  const delivery = { invocation, seq: lastSeq() + 1, trajectory };
  const result = await deliver(withUnwritten(found, failures), request, output, delivery);
  const isClosed = controller.signal.reason === closed;
  if ((!request.quiet || result.error) && !isClosed) {
    const isBelowAnswer = stdout.isTerminal && stderr.isTerminal && result.answer !== null;
    const summary = renderSummary(result, stderr, request.quiet);
    stderr.write(`${isBelowAnswer ? '\n' : ''}${await wrapForTerminal(summary, stderr)}`);
  }
  if (request.collector !== null) {
    const failure = await sendSpans(request.collector, { result: found, trajectory }, process.env);
    if (failure !== null && !request.quiet)
      stderr.write(`rlm: note: the spans of this run could not be sent: ${oneLine(failure)}\n`);
  }
  stopWatching();
  return isClosed ? 0 : exitCodeOf(result);
}
