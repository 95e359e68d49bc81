import { type Configuration, loadConfiguration } from '../config/layers.ts';
import { settingsByKey } from '../config/settings.ts';
import { type ExitCode, RlmError, toRlmError } from '../errors.ts';
import { type AskOptions, ask, type EventListener, exitCodeOf, failedResult, type Result } from '../index.ts';
import type { Invocation } from './command.ts';
import { openOutputFile, type Sink } from './output-file.ts';
import { createProgress } from './render/progress.ts';
import { renderSummary, renderText } from './render/text.ts';
import { readStdin } from './stdin.ts';

type Format = 'text' | 'json' | 'ndjson';

interface Request {
  readonly question: string;
  readonly paths: readonly string[];
  readonly format: Format;
  readonly outputFile: string | null;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly readsStdin: boolean;
}

function toRequest({ args, options }: Invocation): Request {
  const format = options['json'] === true ? 'json' : ((options['format'] as Format | undefined) ?? 'text');
  return {
    question: args[0] as string,
    // `-` stands for stdin, as in other programs; that is read anyway.
    paths: ((args[1] as string[] | undefined) ?? []).filter((path) => path !== '-'),
    format,
    outputFile: (options['output'] as string | undefined) ?? null,
    quiet: options['quiet'] === true,
    verbose: options['verbose'] === true,
    readsStdin: options['stdin'] !== false,
  };
}

const camelCase = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The settings given as flags, by dotted key. */
function settingFlags(options: Invocation['options']): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [key, { flag }] of settingsByKey) {
    const name = flag && /--([\w-]+)/.exec(flag)?.[1];
    const value = name ? options[camelCase(name)] : undefined;
    if (value !== undefined) given.set(key, value);
  }
  return given;
}

/** The first Ctrl-C or SIGTERM ends the run and keeps what was found; a second one ends the program at once. */
function watchSignals(controller: AbortController): () => void {
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
    const code = signal === 'SIGINT' ? 'interrupted' : 'terminated';
    const handler = () => {
      if (controller.signal.aborted) process.exit(code === 'interrupted' ? 130 : 143);
      const message = code === 'interrupted' ? 'interrupted by Ctrl-C' : 'terminated by SIGTERM';
      controller.abort(
        new RlmError(code, message, { hint: 'What was found so far is kept in the answer, when there is any.' }),
      );
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const stop of handlers) stop();
  };
}

/** Receives events, and is told when the run is over. */
interface Listener {
  readonly onEvent: EventListener;
  close(): Promise<void> | void;
}

/** Whom the run tells what happens, and how the user is told what is no event. */
interface Audience {
  readonly listeners: readonly Listener[];
  readonly say: (line: string) => void;
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

/** With --verbose the log says everything, so there is no other progress. */
async function createAudience(
  request: Request,
  logFile: string | null,
  invocation: Invocation,
  output: Sink,
): Promise<Audience> {
  const counter = createCounter();
  const listeners: Listener[] = [counter];
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
    const progress = createProgress(invocation.stderr);
    listeners.push(progress);
    say = progress.say;
  }
  return { listeners, say, lastSeq: counter.lastSeq };
}

async function runToResult(
  request: Request,
  configuration: Configuration,
  signal: AbortSignal,
  { listeners, say }: Audience,
) {
  const { question, paths, outputFile, readsStdin } = request;
  const written = [outputFile, configuration.settings.log.file].filter((path) => path !== null);
  const warnings: string[] = [];
  const onEvent: EventListener = (event) => {
    if (event.type === 'warning') warnings.push(event.message);
    for (const listener of listeners) listener.onEvent(event);
  };
  const options: AskOptions = {
    configuration,
    paths,
    written,
    signal,
    onEvent,
    ...(readsStdin
      ? {
          documents: (abort: AbortSignal) =>
            readStdin(abort, {
              hasPaths: paths.length > 0,
              written,
              say,
              maxBytes: configuration.settings.inputs.maxBytes,
            }),
        }
      : {}),
  };
  try {
    return await ask(question, options);
  } catch (error) {
    return failedResult(question, toRlmError(error), warnings);
  }
}

async function format(result: Result, request: Request, invocation: Invocation, seq: number): Promise<string> {
  if (request.format === 'text') return renderText(result, request.outputFile === null ? invocation.stdout : null);
  const { renderJson, renderLastEvent } = await import('./render/json.ts');
  return request.format === 'json' ? renderJson(result) : renderLastEvent(result, seq);
}

/**
 * Hands over the answer. A file that has the last answer keeps it when there is no new one, and a file that turned out
 * to be an input keeps its text.
 */
async function deliver(
  result: Result,
  request: Request,
  output: Sink,
  invocation: Invocation,
  seq: number,
): Promise<Result> {
  const isMisused = result.error?.code === 'usage';
  if (isMisused || (request.format === 'text' && result.answer === null)) {
    output.discard();
    if (isMisused) invocation.stdout.write(await format(result, request, invocation, seq));
    return result;
  }
  output.write(await format(result, request, invocation, seq));
  try {
    output.close();
    return result;
  } catch (thrown) {
    const error = toRlmError(thrown).toInfo();
    const undelivered = { ...result, stopReason: error.code, error };
    invocation.stdout.write(await format(undelivered, request, invocation, seq));
    return undelivered;
  }
}

/** Runs `rlm ask`. */
export async function runAsk(invocation: Invocation): Promise<ExitCode> {
  const request = toRequest(invocation);
  const controller = new AbortController();
  const closed = new RlmError('interrupted', 'the reader of the output went away');
  invocation.stdout.onClosed(() => controller.abort(closed));
  const stopWatching = watchSignals(controller);
  const configuration = loadConfiguration({ flags: settingFlags(invocation.options) });
  const output = openOutputFile(request.outputFile, invocation.stdout);
  const audience = await createAudience(request, configuration.settings.log.file, invocation, output);
  const found = await runToResult(request, configuration, controller.signal, audience);
  for (const listener of audience.listeners) await listener.close();
  const result = await deliver(found, request, output, invocation, audience.lastSeq() + 1);
  const isClosed = controller.signal.reason === closed;
  if ((!request.quiet || result.error) && !isClosed) {
    const { stdout, stderr } = invocation;
    const isBelowAnswer = stdout.isTerminal && stderr.isTerminal && result.answer !== null;
    stderr.write(`${isBelowAnswer ? '\n' : ''}${renderSummary(result, stderr, request.quiet)}`);
  }
  stopWatching();
  return isClosed ? 0 : exitCodeOf(result);
}
