import { resolve } from 'node:path';
import type { Audit } from './audit.ts';
import { type ChosenModels, chooseProvider, hasSeveral, onlyModel } from './choose-provider.ts';
import { now } from './clock.ts';
import { auditFolder } from './config/folders.ts';
import { type Configuration, type Environment, loadConfiguration } from './config/layers.ts';
import { type Settings, settingsByKey } from './config/settings.ts';
import type { GivenDocument, ReadingProgress } from './context/gather-inputs.ts';
import { RlmError, toRlmError } from './errors.ts';
import type { Keeping } from './open-archives.ts';
import type { Templates } from './prompts/template.ts';
import type { Provider } from './providers/provider.ts';
import { closeRead, type Read, readText } from './read-text.ts';
import { failedResult, holdAgainstBar, type Result, toResult } from './result.ts';
import type { Role } from './roles/role.ts';
import type { EventListener, RunEvent } from './run/events.ts';

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends object ? (T[K] extends readonly unknown[] ? T[K] : DeepPartial<T[K]>) : T[K];
};

/** What a question and a run that goes on have in common. */
export interface RunOptions {
  /** Settings that win over the environment and all configuration files. */
  readonly settings?: DeepPartial<Settings>;
  /** A provider of your own, in place of the one that the settings name. */
  readonly provider?: Provider;
  /** Further providers of your own, by the names that `models`, `recursive` and `fallbacks` refer to them by. */
  readonly providers?: Readonly<Record<string, Provider>>;
  /** Aborting it ends the run within a second; the result then holds what was found. */
  readonly signal?: AbortSignal;
  /** Called with every event as it happens; it must not throw. */
  readonly onEvent?: EventListener;
  /** Called while the text is read, which is before the first event; it must not throw. */
  readonly onReading?: (progress: ReadingProgress) => void;
  /** Files that the program writes meanwhile, such as the answer: no folder or glob brings them in. */
  readonly written?: readonly string[];
  /** Default: the process's. */
  readonly env?: Environment;
}

export interface AskOptions extends RunOptions {
  /** Files, folders and globs, relative to `cwd`, and http and https addresses where `inputs.allowUrls` says so. */
  readonly paths?: readonly string[];
  /** Further text, or a function that gets it. It is called once, while the provider is looked for. */
  readonly documents?: readonly GivenDocument[] | ((signal: AbortSignal) => Promise<readonly GivenDocument[]>);
  /** The name of an index (`rlm index add`) that holds the text, in place of `paths` and `documents`. */
  readonly index?: string;
  /** A configuration that is loaded already; then `settings`, `cwd` and `env` are not looked at for settings. */
  readonly configuration?: Configuration;
  /** File that a recording of the run's calls is written to, relative to `cwd`: see `replay`. */
  readonly record?: string;
  /** A recording that replies in place of a model, relative to `cwd`: no provider is asked then. */
  readonly replay?: string;
  /** Whether the run is recorded in the state folder, so that `resume` can go on with it; default: no. */
  readonly resumable?: boolean;
  /** Default: the process's. */
  readonly cwd?: string;
}

/** Nested settings by dotted key. */
export function dotted(settings: object, prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    const isGroup = typeof value === 'object' && value !== null && !settingsByKey.has(prefix + key);
    return isGroup ? dotted(value, `${prefix}${key}.`) : value === undefined ? [] : [[prefix + key, value]];
  });
}

/** The configuration that a question is asked with. */
export function configure({ configuration, settings = {}, cwd, env }: AskOptions): Configuration {
  const sources = { settings: new Map(dotted(settings)), ...(env ? { env } : {}), ...(cwd ? { cwd } : {}) };
  return configuration ?? loadConfiguration(sources);
}

/** Prompts of the user's own are read before anything is waited for, since they may be wrong. */
async function readOwnPrompts(folder: string | null, cwd: string): Promise<Templates | null> {
  if (folder === null) return null;
  const { loadTemplates } = await import('./prompts/template.ts');
  return loadTemplates(resolve(cwd, folder));
}

/** So is the role. */
async function readRole(role: string | null, cwd: string, env: Environment): Promise<Role | null> {
  if (role === null) return null;
  const { findRole } = await import('./roles/find-role.ts');
  return findRole(role, cwd, env);
}

/** What a run is put together from. */
export interface Prepared extends Read {
  readonly chosen: ChosenModels;
  readonly ownPrompts: Templates | null;
  readonly role: Role | null;
}

/** One model is the rule: what chooses among several is loaded only where there are. */
async function chooseModels(
  configuration: Configuration,
  { provider: main, providers: named = {} }: RunOptions,
  signal: AbortSignal,
): Promise<ChosenModels> {
  if (!hasSeveral(configuration.settings)) return onlyModel(await chooseProvider(configuration, main, signal));
  const several = await import('./choose-models.ts');
  return several.chooseModels(configuration, { main, named }, signal);
}

/** Looks for the provider while the inputs are read; when one fails the other is ended, so that it keeps nobody waiting. */
export async function prepare(
  options: AskOptions,
  configuration: Configuration,
  cwd: string,
  signal: AbortSignal,
  lineup: ChosenModels | null = null,
): Promise<Prepared> {
  const { settings } = configuration;
  const failed = new AbortController();
  const together = AbortSignal.any([signal, failed.signal]);
  const reading = readText({ ...options, cwd }, settings, true, together);
  try {
    const [chosen, read, ownPrompts, role] = await Promise.all([
      lineup ?? chooseModels(configuration, options, together),
      reading,
      readOwnPrompts(settings.prompts, cwd),
      readRole(settings.role, cwd, options.env ?? process.env),
    ]);
    return { chosen, ...read, ownPrompts, role };
  } catch (error) {
    failed.abort(error);
    reading.then(closeRead).catch(() => {}); // Its own failure is this one, or came later.
    throw signal.aborted && !(error instanceof RlmError) ? cancelled(error) : error;
  }
}

/** The error for a signal of the program's own that aborted before the run began, whatever its reason is. */
const cancelled = (cause: unknown) => new RlmError('interrupted', 'the run was cancelled', { cause });

export function checkQuestion(question: string): void {
  if (question.trim() !== '') return;
  throw new RlmError('usage', 'there is no question', { hint: 'Ask one: rlm ask "What failed first?" build.log' });
}

/** What carrying out a run needs besides the options. */
export interface Undertaking {
  readonly configuration: Configuration;
  readonly keeping: Keeping;
  /** The models of a recording, in place of those that the settings name. */
  readonly lineup?: ChosenModels;
}

/** Whom a run tells what happens; its warnings are collected. */
function createAudience(listeners: readonly (EventListener | undefined)[]) {
  const warnings: string[] = [];
  const collect = (event: RunEvent) => {
    if (event.type === 'warning') warnings.push(event.message);
  };
  return { warnings, listeners: [collect, ...listeners.filter((listener) => listener !== undefined)] };
}

async function runPrepared(
  question: string,
  options: AskOptions,
  { configuration, keeping }: Undertaking,
  prepared: Prepared,
  audit: Audit | null,
  startedAt: number,
): Promise<Result> {
  const { cwd = process.cwd(), signal = new AbortController().signal, paths = [], written = [] } = options;
  const { index: indexName = null } = options;
  const [{ createRun }, { runTask }] = await Promise.all([import('./create-run.ts'), import('./controller.ts')]);
  const { warnings, listeners } = createAudience([options.onEvent, audit?.onEvent]);
  const where = { task: question, cwd, paths, written, indexName };
  const request = { ...where, configuration, ...prepared, signal, listeners, keeping };
  const { run, state, provider, model, usedMs, recorder, writeRecording, close } = await createRun(request);
  try {
    const outcome = await runTask(state, run);
    const usage = run.usage.total(usedMs + now() - startedAt);
    const stopped = run.stopped()?.toInfo() ?? null;
    const isRecorded = (await recorder?.isSound()) ?? false;
    await writeRecording().catch((error: Error) => run.warn(error.message));
    const facts = { runId: run.id, provider, model, usage, warnings, stopped, isRecorded };
    const whole = holdAgainstBar(toResult(outcome, facts), configuration.settings.minConfidence);
    const result = configuration.redactor.value(whole);
    await recorder?.end(result);
    await audit?.write(result).catch((error: Error) => run.warn(error.message));
    return result;
  } finally {
    close();
    await recorder?.close();
  }
}

/**
 * Frees the run's models, but no provider of the program's own. It is not waited for: a run that is stopped ends at once,
 * and what is freed may be at work for a moment yet.
 */
function closeModels({ models }: ChosenModels, { provider: own, providers = {} }: RunOptions): void {
  const kept = [own, ...Object.values(providers)];
  for (const { provider } of models) if (!kept.includes(provider)) void provider.close?.();
}

async function prepareAndRun(
  question: string,
  options: AskOptions,
  undertaking: Undertaking,
  audit: Audit | null,
): Promise<Result> {
  const { cwd = process.cwd(), signal = new AbortController().signal } = options;
  const startedAt = now();
  const { configuration, lineup } = undertaking;
  const prepared = await prepare(options, configuration, cwd, signal, lineup);
  try {
    return await runPrepared(question, options, undertaking, prepared, audit, startedAt);
  } finally {
    closeRead(prepared);
    closeModels(prepared.chosen, options);
  }
}

async function prepareAndAudit(question: string, options: AskOptions, undertaking: Undertaking): Promise<Result> {
  const { redactor } = undertaking.configuration;
  const folder = auditFolder(undertaking.configuration.settings);
  if (folder === null) return prepareAndRun(question, options, undertaking, null);
  const { createAudit } = await import('./audit.ts');
  const audit = await createAudit(resolve(options.cwd ?? process.cwd(), folder));
  return prepareAndRun(question, options, undertaking, audit).catch(async (error: unknown) => {
    const failed = redactor.value(failedResult(question, toRlmError(error)));
    await audit.write(failed).catch(() => {}); // Why the run failed matters more.
    throw error;
  });
}

/** Prepares a run and carries it out, recorded as asked. No secret is in what it resolves to or throws. */
export const carryOut = (question: string, options: AskOptions, undertaking: Undertaking): Promise<Result> =>
  prepareAndAudit(question, options, undertaking).catch((error: unknown) => {
    throw undertaking.configuration.redactor.thrown(error);
  });

/** Where the run's calls come from and go to. What could not be kept, or read, is found out before anything is spent. */
async function openKeeping(options: AskOptions, cwd: string): Promise<Keeping> {
  const { record, replay, resumable = false, env = process.env } = options;
  // What a recording replies costs nothing, and need not be kept twice.
  const journal = { kind: resumable && replay === undefined ? 'new' : 'none' } as const;
  const keeping = { journal, record: record === undefined ? null : resolve(cwd, record), replay: null, env };
  if (keeping.record !== null) {
    const { checkReplaceable } = await import('./replace-file.ts');
    await checkReplaceable(keeping.record);
  }
  if (replay === undefined) return keeping;
  const { readCassette } = await import('./journal/cassette.ts');
  const path = resolve(cwd, replay);
  return { ...keeping, replay: { path, cassette: await readCassette(path) } };
}

/**
 * Asks a question, about text where some is given, and resolves to the answer with its evidence.
 *
 * A run that fails, is cut short by a limit, or is cancelled resolves too: `status` and `error` say what happened.
 * @throws RlmError when the run cannot begin: wrong settings, no question, unusable input, no provider, a file that
 *   cannot be written or replayed, or the signal aborted before that (`interrupted`, or the signal's reason where that
 *   is an RlmError).
 */
export async function ask(question: string, options: AskOptions = {}): Promise<Result> {
  const { cwd = process.cwd(), record, replay, written = [] } = options;
  checkQuestion(question);
  const configuration = configure(options);
  const keeping = await openKeeping(options, cwd);
  // A recording is no text to ask about, whether it is written or read.
  const unread = [...written, ...[record, replay].filter((path) => path !== undefined)];
  const given = { ...options, written: unread };
  if (keeping.replay === null) return carryOut(question, given, { configuration, keeping });
  const { replayModels } = await import('./choose-models.ts');
  const lineup = replayModels(keeping.replay.cassette.run);
  return carryOut(question, given, { configuration, keeping, lineup });
}
