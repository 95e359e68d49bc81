import { ask } from '../../api/ask.ts';
import { askPlainly } from '../../api/ask-plainly.ts';
import { dryRun } from '../../api/dry-run.ts';
import { resume } from '../../api/resume.ts';
import type { AskOptions } from '../../assemble/ask-options.ts';
import { type Configuration, loadConfiguration } from '../../config/layers.ts';
import { providerNames } from '../../config/provider-traits.ts';
import { RlmError } from '../../errors.ts';
import type { Result } from '../../result.ts';
import { strategyNames } from '../../state.ts';
import type { Sample } from '../samples/read-samples.ts';

/** A way to answer: one call with the text, one call with the best passages, or this program with some settings. */
export interface Arm {
  readonly name: string;
  readonly kind: 'plain' | 'rag' | 'ask';
  /** Settings by dotted key, as the user typed them. They override the settings of the evaluation. */
  readonly settings: Readonly<Record<string, string>>;
}

const strategies = ['auto', ...strategyNames];

/** Names of the arms that need no settings. */
export const armNames: readonly string[] = ['plain', 'rag', ...strategies];

const wrong = (message: string, hint: string) => new RlmError('usage', message, { hint });

function armOf(strategy: string, name: string, settings: Arm['settings']): Arm {
  if (strategy === 'plain' || strategy === 'rag') return { name, kind: strategy, settings };
  return { name, kind: 'ask', settings: { ...settings, strategy } };
}

function named(name: string): Arm {
  if (armNames.includes(name)) return armOf(name, name, {});
  const hint = `The arms are ${armNames.join(', ')}. To define another: --arm "NAME: SETTING=VALUE …".`;
  throw wrong(`there is no arm "${name}"`, hint);
}

/** Parses `8b: model=llama3.1:8b strategy=direct`. */
function described(text: string): Arm {
  const [, name, rest = ''] = /^\s*([\w.+-]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  const example = 'For example: --arm "8b: model=llama3.1:8b strategy=direct"';
  if (name === undefined) throw wrong(`--arm cannot be "${text}"`, example);
  const pairs = rest.split(/\s+/).filter((part) => part !== '');
  const settings = pairs.map((part): [string, string] => {
    const at = part.indexOf('=');
    if (at <= 0) throw wrong(`--arm "${name}" has "${part}", which is not SETTING=VALUE`, example);
    return [part.slice(0, at), part.slice(at + 1)];
  });
  const { strategy = 'auto', ...others } = Object.fromEntries(settings);
  return armOf(strategy, name, others);
}

/** Parses `--arms plain,auto` and each `--arm "NAME: SETTING=VALUE …"`. Throws RlmError `usage`. */
export function parseArms(names: readonly string[], descriptions: readonly string[]): readonly Arm[] {
  const arms = [...names.map(named), ...descriptions.map(described)];
  const twice = arms.find(({ name }, at) => arms.findIndex((arm) => arm.name === name) !== at);
  if (twice !== undefined) throw wrong(`two arms are called "${twice.name}"`, 'Give each a name of its own.');
  if (arms.length > 0) return arms;
  throw wrong('there is no arm', `Name some: --arms ${armNames.join(',')}`);
}

/** The options that all answers of an evaluation share. */
export interface Answering {
  /** Settings of the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Paths for the samples that have no paths of their own. */
  readonly paths: readonly string[];
  readonly shared: Pick<AskOptions, 'limiters' | 'provider' | 'cwd' | 'env'>;
}

/** Limits on the spending of one answer or of an evaluation; null: no limit. */
export interface Allowance {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** The recording that a run writes, and the recording that it replays. */
export type Recordings = Pick<AskOptions, 'record' | 'replay'>;

interface ArmAsking extends Recordings {
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
  readonly onEvent: NonNullable<AskOptions['onEvent']>;
  /** Id of the unfinished run that began before the evaluation was resumed; null: none. */
  readonly begun: string | null;
}

/** Returns the limits of an allowance as settings. Lower limits in the arm's own settings stay in force. */
function limited(allowance: Allowance, own: Configuration['settings']['budget']): Map<string, unknown> {
  const limits: [string, number | null, number | null][] = [
    ['budget.maxCalls', allowance.calls, own.maxCalls],
    ['budget.maxTokens', allowance.tokens, own.maxTokens],
    ['budget.maxCost', allowance.usd, own.maxCost],
  ];
  return new Map(limits.flatMap(([key, given, set]) => (given === null ? [] : [[key, Math.min(given, set ?? given)]])));
}

/** Returns the settings of an arm. Throws RlmError `config-invalid` and `usage`. */
export function configurationOf(
  { settings }: Arm,
  { flags, shared: { cwd, env } }: Answering,
  allowance?: Allowance,
): Configuration {
  const place = { ...(cwd && { cwd }), ...(env && { env }) };
  const { values } = loadConfiguration(place);
  const unknown = Object.entries(settings).filter(([key]) => !values.has(key));
  if (unknown.length > 0) loadConfiguration({ ...place, settings: new Map(unknown) });
  const sources = { ...place, flags: new Map([...flags, ...Object.entries(settings)]) };
  const configuration = loadConfiguration(sources);
  if (allowance === undefined) return configuration;
  return loadConfiguration({ ...sources, settings: limited(allowance, configuration.settings.budget) });
}

const askOptions = (sample: Sample, arm: Arm, answering: Answering, allowance?: Allowance) => ({
  ...answering.shared,
  configuration: configurationOf(arm, answering, allowance),
  paths: sample.paths ?? answering.paths,
});

/** Resumes a run. Returns null if the run cannot be resumed; the caller then asks the sample again. */
async function goOn(runId: string, arm: Arm, answering: Answering, asking: ArmAsking): Promise<Result | null> {
  const { signal, onEvent, allowance } = asking;
  const { cwd: _, ...shared } = answering.shared; // A run resumes in the folder in which it began.
  const limits = limited(allowance, configurationOf(arm, answering).settings.budget);
  const flags = new Map([...limits].map(([key, value]): [string, unknown] => [key, String(value)]));
  return resume(runId, { ...shared, signal, onEvent, flags }).catch(() => {
    signal.throwIfAborted();
    return null;
  });
}

/** Answers a sample. Throws RlmError as `ask` and `askPlainly` do. */
export async function answerSample(sample: Sample, arm: Arm, answering: Answering, asking: ArmAsking): Promise<Result> {
  const { allowance, begun, ...others } = asking;
  const options = { ...askOptions(sample, arm, answering, allowance), ...others };
  if (arm.kind !== 'ask') return askPlainly(sample.question, options, arm.kind === 'plain' ? 'all' : 'passages');
  const resumed = begun === null ? null : await goOn(begun, arm, answering, asking);
  const isRecorded = options.record !== undefined || options.replay !== undefined;
  const resumable = options.configuration.settings.journal && !isRecorded;
  return resumed ?? ask(sample.question, { ...options, resumable, partOf: 'evaluation' });
}

/** Maximum number of concurrent answers. With more, a local machine runs out of memory and is hardly faster. */
const mostAtOnce = 8;

/** Replaces the provider `auto` with the provider that it resolved to. Keeps `auto` if a preset chooses a provider. */
function settled(arm: Arm, { settings }: Configuration, provider: string): Arm {
  if (settings.provider !== 'auto' || settings.preset !== null || !providerNames.includes(provider)) return arm;
  return { ...arm, settings: { ...arm.settings, provider } };
}

/** Determines an arm's model by a dry run of a sample. Throws RlmError if the arm cannot begin. */
export async function inspectArm(arm: Arm, sample: Sample, answering: Answering, signal: AbortSignal) {
  const options = askOptions(sample, arm, answering);
  const { models, warnings: notes } = await dryRun(sample.question, { ...options, signal });
  const { provider, model, digest, callsAtOnce, windowTokens } = models[0]!;
  return {
    /** The arm with `auto` resolved, so that its provider does not change during the evaluation. */
    arm: settled(arm, options.configuration, provider),
    model: { provider, model, digest, callsAtOnce, windowTokens },
    notes,
  };
}

/** Returns the number of samples that are answered concurrently. */
export function samplesAtOnce(callsAtOnce: readonly (number | undefined)[], concurrency: number | null): number {
  const serves = Math.min(...callsAtOnce.map((one) => one ?? mostAtOnce));
  return Math.max(1, Math.min(mostAtOnce, concurrency ?? serves));
}
