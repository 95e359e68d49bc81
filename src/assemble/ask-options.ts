/** The options of `ask`. */
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import type { Environment } from '../config/setting-layers.ts';
import { type Settings, settingsByKey } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument, ReadingProgress } from '../inputs/gather-inputs.ts';
import type { Trajectory } from '../journal/trajectory.ts';
import type { Provider } from '../providers/provider.ts';
import type { SharedLimiters } from '../run/door/serving/crowd.ts';
import type { EventListener } from '../run/events.ts';
import type { EarlierAnswer } from '../state.ts';
import type { OpenedText } from './opened-text.ts';

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends object ? (T[K] extends readonly unknown[] ? T[K] : DeepPartial<T[K]>) : T[K];
};

/** The options that `ask`, `resume` and `followUp` share. */
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
  /** Called once with all that the run did, before the result is there; it must not throw. */
  readonly onTrajectory?: (trajectory: Trajectory) => void;
  /** Called while the text is read, which is before the first event; it must not throw. */
  readonly onReading?: (progress: ReadingProgress) => void;
  /** Time used before the call, in ms; it counts towards `budget.timeout`. Default: 0. */
  readonly usedMs?: number;
  /** Limiters that this run shares with others that run at the same time; default: it has its own. */
  readonly limiters?: SharedLimiters;
  /** Files that the program writes during the run, such as the answer. Folders and globs leave them out. */
  readonly written?: readonly string[];
  /**
   * The folder that relative paths start from, and in which a project's configuration lies. Default: the process's.
   */
  readonly cwd?: string;
  /** Default: the process's. */
  readonly env?: Environment;
}

export interface AskOptions extends RunOptions {
  /** Files, folders and globs, relative to `cwd`, and http and https addresses where `inputs.allowUrls` says so. */
  readonly paths?: readonly string[];
  /** Further text, or a function that returns it. It is called once, while the provider is inspected. */
  readonly documents?: readonly GivenDocument[] | ((signal: AbortSignal) => Promise<readonly GivenDocument[]>);
  /** The name of an index (`rlm index add`) that holds the text, in place of `paths` and `documents`. */
  readonly index?: string;
  /**
   * Text that `openContext` has opened, in place of `paths`, `documents` and `index`: it is not read again. It may be
   * closed once the run has begun.
   */
  readonly context?: OpenedText;
  /** A loaded configuration. `settings`, `cwd` and `env` then change no setting. */
  readonly configuration?: Configuration;
  /** File that a recording of the run's calls is written to, relative to `cwd`: see `replay`. */
  readonly record?: string;
  /**
   * A recording whose replies replace those of a model, relative to `cwd`. No provider is asked, unless the run is
   * recorded too: then a model is asked for what the recording lacks.
   */
  readonly replay?: string;
  /** Earlier questions with their answers, which this question builds on. */
  readonly earlier?: readonly EarlierAnswer[];
  /** Whether the run is recorded in the state folder, so that `resume` can continue it; default: no. */
  readonly resumable?: boolean;
  /** What the question belongs to: such a run is not listed by default, and never stands for the newest run. */
  readonly partOf?: 'evaluation' | 'checks';
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

/** Throws RlmError `usage` for an empty one. */
export function checkQuestion(question: string): void {
  if (typeof question === 'string' && question.trim() !== '') return;
  throw new RlmError('usage', 'there is no question', { hint: 'Ask one: rlm ask "What failed first?" build.log' });
}
