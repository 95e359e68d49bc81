/** The public API of rlm. */
import { resolve } from 'node:path';

import { chooseProvider } from './choose-provider.ts';
import { now } from './clock.ts';
import { type Configuration, type Environment, loadConfiguration } from './config/layers.ts';
import type { Settings } from './config/settings.ts';
import type { GivenDocument, Inputs } from './context/gather-inputs.ts';
import { RlmError } from './errors.ts';
import type { Templates } from './prompts/template.ts';
import type { Provider } from './providers/provider.ts';
import { holdAgainstBar, type Result, toResult } from './result.ts';
import type { EventListener, RunEvent } from './run/events.ts';

export { type ErrorCode, type ErrorInfo, type ExitCode, errorCodes, exitCodes, RlmError } from './errors.ts';
export type { CallOptions, Message, ModelInfo, ModelReply, ModelRequest, Provider } from './providers/provider.ts';
export {
  createScriptedProvider,
  type Script,
  type ScriptedFunction,
  type ScriptedOptions,
  type ScriptedProvider,
  type ScriptedReply,
} from './providers/scripted.ts';
export { exitCodeOf, failedResult, type Result, type Status } from './result.ts';
export type { EventListener, RunEvent } from './run/events.ts';
export type { Usage } from './run/usage.ts';
export type {
  Assessment,
  Citation,
  Critique,
  Passage,
  PassageRef,
  Plan,
  SubQuestion,
  Tokens,
  TreeNode,
} from './state.ts';
export type { GivenDocument, Settings };

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends object ? (T[K] extends readonly unknown[] ? T[K] : DeepPartial<T[K]>) : T[K];
};

export interface AskOptions {
  /** Files, folders and globs, relative to `cwd`. */
  readonly paths?: readonly string[];
  /** Files that the program writes meanwhile, such as the answer: no folder or glob in `paths` brings them in. */
  readonly written?: readonly string[];
  /** Further text, or a function that gets it. It is called once, while the provider is looked for. */
  readonly documents?: readonly GivenDocument[] | ((signal: AbortSignal) => Promise<readonly GivenDocument[]>);
  /** A configuration that is loaded already; then `settings`, `cwd` and `env` are not looked at for settings. */
  readonly configuration?: Configuration;
  /** Settings that win over the environment and all configuration files. */
  readonly settings?: DeepPartial<Settings>;
  /** A provider of your own, in place of the one that the settings name. */
  readonly provider?: Provider;
  /** Aborting it ends the run within a second; the result then holds what was found. */
  readonly signal?: AbortSignal;
  /** Called with every event as it happens; it must not throw. */
  readonly onEvent?: EventListener;
  /** Default: the process's. */
  readonly cwd?: string;
  /** Default: the process's. */
  readonly env?: Environment;
}

function dotted(settings: object, prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? dotted(value, `${prefix}${key}.`) : value === undefined ? [] : [[prefix + key, value]];
  });
}

/** The readers are loaded when there is something to read. */
async function readInputs(options: AskOptions, cwd: string, maxBytes: number, signal: AbortSignal): Promise<Inputs> {
  const { paths = [], written = [], documents = [] } = options;
  const given = typeof documents === 'function' ? documents(signal) : Promise.resolve(documents);
  given.catch(() => {}); // It may fail before gatherInputs waits for it; that will then say so.
  if (paths.length === 0 && (await given).length === 0) return { documents: [], warnings: [] };
  const { gatherInputs } = await import('./context/gather-inputs.ts');
  return gatherInputs({ paths, written, given, cwd, maxBytes, signal });
}

/** Prompts of the user's own are read before anything is waited for, since they may be wrong. */
async function readOwnPrompts(folder: string | null, cwd: string): Promise<Templates | null> {
  if (folder === null) return null;
  const { loadTemplates } = await import('./prompts/template.ts');
  return loadTemplates(resolve(cwd, folder));
}

/** Looks for the provider while the inputs are read; when one fails the other is ended, so that it keeps nobody waiting. */
async function prepare(options: AskOptions, configuration: Configuration, cwd: string, signal: AbortSignal) {
  const { settings } = configuration;
  const failed = new AbortController();
  const together = AbortSignal.any([signal, failed.signal]);
  try {
    return await Promise.all([
      chooseProvider(configuration, options.provider, together),
      readInputs(options, cwd, settings.inputs.maxBytes, together),
      readOwnPrompts(settings.prompts, cwd),
    ]);
  } catch (error) {
    failed.abort(error);
    throw signal.aborted && !(error instanceof RlmError) ? cancelled(error) : error;
  }
}

/** The error for a signal of the program's own that aborted before the run began, whatever its reason is. */
const cancelled = (cause: unknown) => new RlmError('interrupted', 'the run was cancelled', { cause });

function checkQuestion(question: string): void {
  if (question.trim() !== '') return;
  throw new RlmError('usage', 'there is no question', { hint: 'Ask one: rlm ask "What failed first?" build.log' });
}

/**
 * Asks a question, about text where some is given, and resolves to the answer with its evidence.
 *
 * A run that fails, is cut short by a limit, or is cancelled resolves too: `status` and `error` say what happened.
 * @throws RlmError when the run cannot begin: wrong settings, no question, unusable input, no provider, or the signal
 *   aborted before that (`interrupted`, or the signal's reason where that is an RlmError).
 */
export async function ask(question: string, options: AskOptions = {}): Promise<Result> {
  const { cwd = process.cwd(), env = process.env, signal = new AbortController().signal } = options;
  const startedAt = now();
  checkQuestion(question);
  const load = () => loadConfiguration({ settings: new Map(dotted(options.settings ?? {})), env, cwd });
  const configuration = options.configuration ?? load();
  const { settings, warnings: noticed } = configuration;
  const [chosen, inputs, ownPrompts] = await prepare(options, configuration, cwd, signal);

  const [{ createRun }, { runTask }] = await Promise.all([import('./create-run.ts'), import('./controller.ts')]);
  const warnings: string[] = [];
  const collect = (event: RunEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
  };
  const listeners = options.onEvent ? [collect, options.onEvent] : [collect];
  const request = { task: question, settings, chosen, inputs, ownPrompts, signal, listeners, warnings: noticed };
  const { run, state, provider, model, close } = await createRun(request);
  try {
    const outcome = await runTask(state, run);
    const usage = run.usage.total(now() - startedAt);
    const stopped = run.stopped()?.toInfo() ?? null;
    const result = toResult(outcome, { runId: run.id, provider, model, usage, warnings, stopped });
    return holdAgainstBar(result, settings.minConfidence);
  } finally {
    close();
  }
}
