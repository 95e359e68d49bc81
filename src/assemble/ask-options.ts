import { isObject } from '../base/is-object.ts';
import { nearest } from '../base/nearest.ts';
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import type { Environment } from '../config/setting-layers.ts';
import { type Settings, settingsByKey } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument, ReadingProgress } from '../inputs/gather-inputs.ts';
import type { Trajectory } from '../journal/trajectory.ts';
import type { Provider } from '../providers/provider.ts';
import type { SharedLimiters } from '../run/door/limiter.ts';
import type { EventListener } from '../run/events.ts';
import type { EarlierAnswer } from '../state.ts';
import type { OpenedText } from './read-text.ts';

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends object ? (T[K] extends readonly unknown[] ? T[K] : DeepPartial<T[K]>) : T[K];
};

/** The options that `ask`, `resume` and `followUp` share. */
export interface RunOptions {
  /** Settings that win over the environment and all configuration files. */
  readonly settings?: DeepPartial<Settings>;
  /** Your own provider, which replaces the provider in the settings. */
  readonly provider?: Provider;
  /** Your other providers. The keys are the names that `models`, `recursive` and `fallbacks` use. */
  readonly providers?: Readonly<Record<string, Provider>>;
  /** Aborting the signal cancels the run. The result then contains the findings so far. */
  readonly signal?: AbortSignal;
  /** Called with every event as it happens; it must not throw. */
  readonly onEvent?: EventListener;
  /** Called once with the trajectory of the run, before the result is returned; it must not throw. */
  readonly onTrajectory?: (trajectory: Trajectory) => void;
  /** Called while the text is read, before the first event; it must not throw. */
  readonly onReading?: (progress: ReadingProgress) => void;
  /** Time used before the call, in ms; it counts towards `budget.timeout`. Default: 0. */
  readonly usedMs?: number;
  /** Limiters that this run shares with concurrent runs; default: new ones for this run. */
  readonly limiters?: SharedLimiters;
  /** Files that the program writes during the run, such as the answer. They are not read from folders and globs. */
  readonly written?: readonly string[];
  /** The base folder of relative paths. It may contain a project's configuration. Default: `process.cwd()`. */
  readonly cwd?: string;
  /** Default: `process.env`. */
  readonly env?: Environment;
}

export interface AskOptions extends RunOptions {
  /** Files, folders and globs, relative to `cwd`; also http and https addresses if `inputs.allowUrls` is on. */
  readonly paths?: readonly string[];
  /** Further text, or a function that returns it. The function is called once, while the provider is inspected. */
  readonly documents?: readonly GivenDocument[] | ((signal: AbortSignal) => Promise<readonly GivenDocument[]>);
  /** The name of an index (`rlm index add`) that holds the text, in place of `paths` and `documents`. */
  readonly index?: string;
  /**
   * Text that `openContext` has opened, in place of `paths`, `documents` and `index`. The files are not read again. You
   * may close the context after the run has begun.
   */
  readonly context?: OpenedText;
  /** A loaded configuration. If it is given, `settings`, `cwd` and `env` change no setting. */
  readonly configuration?: Configuration;
  /** The file in which the run's calls are recorded, relative to `cwd`; see `replay`. */
  readonly record?: string;
  /**
   * The path of a recording, relative to `cwd`. Its replies replace those of a model. With `record`, a model gives the
   * missing replies; without `record`, no provider is asked.
   */
  readonly replay?: string;
  /** Earlier questions with their answers, which this question builds on. */
  readonly earlier?: readonly EarlierAnswer[];
  /** Whether the run is recorded in the state folder, so that `resume` can continue it; default: no. */
  readonly resumable?: boolean;
  /** The larger task that the run belongs to. Such a run is not listed by default, and `--last` ignores it. */
  readonly partOf?: 'evaluation' | 'checks';
}

/** Converts nested settings to pairs of a dotted key, such as `budget.maxCalls`, and a value. */
export function dotted(settings: object, prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
    const isGroup = typeof value === 'object' && value !== null && !settingsByKey.has(prefix + key);
    return isGroup ? dotted(value, `${prefix}${key}.`) : value === undefined ? [] : [[prefix + key, value]];
  });
}

/** Returns the configuration for a question. */
export function configure({ configuration, settings = {}, cwd, env }: AskOptions): Configuration {
  const sources = { settings: new Map(dotted(settings)), ...(env ? { env } : {}), ...(cwd ? { cwd } : {}) };
  return configuration ?? loadConfiguration(sources);
}

/** Throws RlmError `usage` for an empty question. */
export function checkQuestion(question: string): void {
  if (typeof question === 'string' && question.trim() !== '') return;
  throw new RlmError('usage', 'there is no question', { hint: 'Ask one: rlm ask "What failed first?" build.log' });
}

interface Kind {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
}

const text: Kind = { name: 'a string', holds: (value) => typeof value === 'string' };
const flag: Kind = { name: 'true or false', holds: (value) => typeof value === 'boolean' };
const object: Kind = { name: 'an object', holds: isObject };
const callback: Kind = { name: 'a function', holds: (value) => typeof value === 'function' };
const duration: Kind = {
  name: 'a number of ms, at least 0',
  holds: (value) => typeof value === 'number' && value >= 0,
};
const texts: Kind = {
  name: 'a list of strings',
  holds: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};
const answers: Kind = {
  name: 'a list of { question, answer }',
  holds: (value) =>
    Array.isArray(value) &&
    value.every((item) => isObject(item) && typeof item['question'] === 'string' && typeof item['answer'] === 'string'),
};
const isText = (value: unknown): boolean =>
  typeof value === 'string' || value instanceof Uint8Array || (isObject(value) && Symbol.asyncIterator in value);
const documents: Kind = {
  name: 'a list of { name, text }, or a function',
  holds: (value) =>
    typeof value === 'function' ||
    (Array.isArray(value) &&
      value.every((item) => isObject(item) && typeof item['name'] === 'string' && isText(item['text']))),
};
const provider: Kind = {
  name: 'an object with the functions inspect and call',
  holds: (value) => isObject(value) && ['inspect', 'call'].every((name) => typeof value[name] === 'function'),
};

const runKinds = {
  ...{ settings: object, provider, providers: object, signal: object, env: object, limiters: object },
  ...{ onEvent: callback, onTrajectory: callback, onReading: callback, written: texts, usedMs: duration, cwd: text },
} satisfies Record<keyof RunOptions, Kind>;
const askKinds = {
  ...{ ...runKinds, paths: texts, documents, index: text, context: object, configuration: object },
  ...{ record: text, replay: text, earlier: answers, resumable: flag, partOf: text },
} satisfies Record<keyof AskOptions, Kind>;

const { context: _, ...openKinds } = askKinds;

const optionsOf = {
  ask: askKinds,
  dryRun: askKinds,
  openContext: openKinds,
  followUp: { ...runKinds, resumable: flag, flags: object, context: object },
  resume: { ...runKinds, force: flag, flags: object },
};

function unknownOption(name: string, known: readonly string[]): RlmError {
  const setting = [...settingsByKey.keys()].find((key) => key === name || key.endsWith(`.${name}`));
  const near = nearest(name, known);
  const nested = setting?.split('.').reduceRight((inner, part) => `{ ${part}: ${inner} }`, '…');
  const others = near ? `Did you mean "${near}"?` : `The options are ${known.join(', ')}.`;
  const hint = nested ? `It is a setting: { settings: ${nested} }.` : others;
  return new RlmError('usage', `there is no option "${name}"`, { hint });
}

const otherText = ['paths', 'documents', 'index'];

/**
 * Throws RlmError `usage` if the options are not an object, if an option is unknown or has a wrong type, or if
 * `context` is given together with other text.
 */
export function checkOptions(of: keyof typeof optionsOf, options: object): void {
  if (!isObject(options)) throw new RlmError('usage', `the options of ${of} must be an object`);
  const kinds = new Map<string, Kind>(Object.entries(optionsOf[of]));
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds.get(name);
    if (kind === undefined) throw unknownOption(name, [...kinds.keys()]);
    if (value === undefined || kind.holds(value)) continue;
    const hint = typeof value === 'number' ? `It is ${value}.` : `Its type is ${typeof value}.`;
    throw new RlmError('usage', `the option "${name}" must be ${kind.name}`, { hint });
  }
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const other = given.includes('context') ? given.find((name) => otherText.includes(name)) : undefined;
  if (other === undefined) return;
  throw new RlmError('usage', `"context" and "${other}" cannot be given together`, { hint: 'Give one of the two.' });
}
