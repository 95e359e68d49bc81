/** The public API of rlm. */
import { type Configuration, type Environment, loadConfiguration } from './config/layers.ts';
import type { Settings } from './config/settings.ts';
import { type GivenDocument, gatherInputs, type Inputs } from './context/gather-inputs.ts';
import { runTask } from './controller.ts';
import { createRun } from './create-run.ts';
import type { Provider } from './providers/provider.ts';
import { holdAgainstBar, type Result, toResult } from './result.ts';
import type { EventListener, RunEvent } from './run/events.ts';

export { type ErrorCode, type ErrorInfo, type ExitCode, errorCodes, exitCodes, RlmError } from './errors.ts';
export type { CallOptions, Message, ModelInfo, ModelReply, ModelRequest, Provider } from './providers/provider.ts';
export { createScriptedProvider } from './providers/scripted.ts';
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

function readInputs(options: AskOptions, cwd: string, maxBytes: number, signal: AbortSignal): Promise<Inputs> {
  const { paths = [], documents = [] } = options;
  const given = typeof documents === 'function' ? documents(signal) : Promise.resolve(documents);
  return gatherInputs({ paths, given, cwd, maxBytes, signal });
}

/**
 * Asks a question, about text where some is given, and resolves to the answer with its evidence.
 *
 * A run that fails, is cut short by a limit, or is cancelled resolves too: `status` and `error` say what happened.
 * @throws RlmError when the run cannot begin: wrong settings, no question, unusable input, no provider.
 */
export async function ask(question: string, options: AskOptions = {}): Promise<Result> {
  const { cwd = process.cwd(), env = process.env, signal = new AbortController().signal } = options;
  const load = () => loadConfiguration({ flags: new Map(dotted(options.settings ?? {})), env, cwd });
  const { settings, warnings: noticed } = options.configuration ?? load();
  const warnings: string[] = [];
  const collect = (event: RunEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
  };
  const startedAt = performance.now();
  const created = await createRun({
    task: question,
    settings,
    readInputs: (abort) => readInputs(options, cwd, settings.inputs.maxBytes, abort),
    ...(options.provider ? { provider: options.provider } : {}),
    signal,
    listeners: options.onEvent ? [collect, options.onEvent] : [collect],
    warnings: noticed,
  });
  try {
    const outcome = await runTask(created.state, created.run);
    const result = toResult(outcome, {
      runId: created.run.id,
      provider: created.provider,
      model: created.model,
      usage: created.run.usage.total(performance.now() - startedAt),
      warnings,
      stopped: created.run.stopped()?.toInfo() ?? null,
    });
    return holdAgainstBar(result, settings.minConfidence);
  } finally {
    created.close();
  }
}
