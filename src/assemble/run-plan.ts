import { resolve } from 'node:path';
import { isSameFile } from '../base/files/system.ts';
import { now } from '../base/time.ts';
import type { Configuration } from '../config/layers.ts';
import type { Environment } from '../config/setting-layers.ts';
import { RlmError } from '../errors.ts';
import type { Cassette } from '../journal/cassette.ts';
import type { RunRecord } from '../journal/journal.ts';
import type { TakenRun } from '../journal/recorder.ts';
import type { Result } from '../result.ts';
import { newRunId } from '../run/run-events.ts';
import type { EarlierAnswer } from '../state.ts';
import { type AskOptions, configure } from './ask-options.ts';
import { folderOf } from './read-text.ts';

interface Resumed {
  readonly taken: TakenRun;
  readonly recorded: RunRecord;
  /** Whether to resume the run even if inputs or settings have changed. */
  readonly force: boolean;
  /** The result of an earlier session; null if there is none, or the text may have changed since. */
  readonly result: Result | null;
}

interface CallArchives {
  readonly journal: 'none' | 'new' | Resumed;
  /** The file in which the run's calls are recorded; null if they are not recorded. */
  readonly record: string | null;
  /** A recording that replies instead of a model, or null. If `record` is set, a model gives missing replies. */
  readonly replay: { readonly cassette: Cassette; readonly path: string } | null;
}

/** The options of `ask` with their defaults. */
export interface RunPlan
  extends CallArchives,
    Omit<AskOptions, keyof CallArchives | 'settings' | 'resumable' | 'usedMs'> {
  readonly task: string;
  /** The id of a new run; a resumed run keeps its own id. */
  readonly id: string;
  readonly configuration: Configuration;
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly written: readonly string[];
  readonly earlier: readonly EarlierAnswer[];
  /** The time at which the run began, in ms on the clock of `now`. */
  readonly startedAt: number;
}

const cwdOf = ({ cwd, context }: AskOptions, configuration: Configuration): string =>
  cwd ?? (context && folderOf(context)) ?? configuration.cwd;

/** Plans a run by filling in the defaults of its options. Without `archives`, the run is not recorded. */
export function planRun(
  task: string,
  options: AskOptions,
  configuration: Configuration,
  archives: Partial<CallArchives> = {},
): RunPlan {
  const { env = configuration.env, signal = new AbortController().signal } = options;
  const { written = [], earlier = [], usedMs = 0, settings: _, resumable: __, ...rest } = options;
  const [cwd, startedAt] = [cwdOf(options, configuration), now() - usedMs];
  const filled = {
    ...rest,
    task,
    id: newRunId(),
    configuration: { ...configuration, env },
    cwd,
    env,
    signal,
    written,
    earlier,
  };
  return { ...filled, startedAt, journal: 'none', record: null, replay: null, ...archives };
}

/** Returns the run that a plan resumes; null for a new run. */
export const resumedOf = ({ journal }: Pick<RunPlan, 'journal'>): Resumed | null =>
  typeof journal === 'string' ? null : journal;

/** Returns the time that the run has used by now, in all its sessions, in ms. */
export const usedByNow = (plan: RunPlan): number => (resumedOf(plan)?.taken.usedMs ?? 0) + now() - plan.startedAt;

/** Opens the recordings that the options name. Throws for an unusable recording, before anything is spent. */
async function openCallArchives({ record, replay, resumable = false }: AskOptions, cwd: string): Promise<CallArchives> {
  // A replay needs no journal, because its calls are in a recording.
  const journal = resumable && replay === undefined ? 'new' : 'none';
  const archives: CallArchives = { journal, record: record === undefined ? null : resolve(cwd, record), replay: null };
  if (archives.record !== null) {
    const { checkRecordable } = await import('../journal/cassette.ts');
    await checkRecordable(archives.record);
  }
  if (replay === undefined) return archives;
  const { readCassette } = await import('../journal/cassette.ts');
  const path = resolve(cwd, replay);
  return { ...archives, replay: { path, cassette: await readCassette(path) } };
}

function checkDistinct({ record, replay, written = [] }: AskOptions, cwd: string): void {
  const recording = record ?? replay;
  if (recording === undefined) return;
  const flag = record === undefined ? 'replay' : 'record';
  const taken = written.find((path) => isSameFile(resolve(cwd, path), resolve(cwd, recording)));
  if (taken === undefined) return;
  const message = `'${taken}' is the recording (--${flag}) and also another output (-o, --log-file)`;
  throw new RlmError('usage', message, { hint: 'Name different files.' });
}

/**
 * Plans a run.
 * @throws RlmError for wrong settings, and for a file that cannot be written or replayed, or that has two purposes.
 */
export async function planAsk(task: string, options: AskOptions): Promise<RunPlan> {
  const configuration = configure(options);
  const cwd = cwdOf(options, configuration);
  checkDistinct(options, cwd);
  const archives = await openCallArchives(options, cwd);
  const { written = [], record, replay } = options;
  // Recordings to write or to replay are not read as text.
  const unread = [...written, ...[record, replay].filter((path) => path !== undefined)];
  return planRun(task, { ...options, cwd, written: unread }, configuration, archives);
}
