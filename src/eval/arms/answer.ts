/** Answers one sample with one arm. */

import { ask } from '../../api/ask.ts';
import { askPlainly } from '../../api/ask-plainly.ts';
import { resume } from '../../api/resume.ts';
import type { AskOptions } from '../../assemble/ask-options.ts';
import { type Configuration, loadConfiguration } from '../../config/layers.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Result } from '../../result.ts';
import type { SharedLimiters } from '../../run/door/limiter.ts';
import type { Sample } from '../samples/sample.ts';
import type { Arm } from './arm.ts';

/** What all answers of an evaluation have in common. */
export interface Answering {
  /** Settings as given on the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Paths for samples without their own. */
  readonly paths: readonly string[];
  readonly limiters: SharedLimiters;
  /** A custom provider, instead of the one in the settings. */
  readonly provider?: Provider;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What one answer may spend; null: no limit. */
export interface Allowance {
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** The circumstances of one answer. */
export interface ArmAsking {
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
  readonly onEvent: NonNullable<AskOptions['onEvent']>;
  /** The file of its recording; null: none. */
  readonly record: string | null;
  readonly replay: string | null;
  /** The unfinished run that an earlier part of the evaluation began; null: none. */
  readonly begun: string | null;
}

/** Returns the limits of an answer; an allowance never raises a limit of the settings. */
function limited(allowance: Allowance, own: Configuration['settings']['budget']): Map<string, unknown> {
  const limits: [string, number | null, number | null][] = [
    ['budget.maxCalls', allowance.calls, own.maxCalls],
    ['budget.maxTokens', allowance.tokens, own.maxTokens],
    ['budget.maxCost', allowance.usd, own.maxCost],
  ];
  return new Map(limits.flatMap(([key, given, set]) => (given === null ? [] : [[key, Math.min(given, set ?? given)]])));
}

/** Checks the names of an arm's settings. Throws RlmError `config-invalid` with the nearest existing name. */
function checkNames(settings: Arm['settings'], sources: Pick<Answering, 'cwd' | 'env'>): void {
  const { values } = loadConfiguration(sources);
  const unknown = Object.entries(settings).filter(([key]) => !values.has(key));
  if (unknown.length > 0) loadConfiguration({ ...sources, settings: new Map(unknown) });
}

/** Returns the settings of an arm. Throws RlmError `config-invalid`, `usage`. */
export function configurationOf(
  { settings }: Arm,
  { flags, cwd, env }: Answering,
  allowance?: Allowance,
): Configuration {
  const place = { ...(cwd && { cwd }), ...(env && { env }) };
  checkNames(settings, place);
  const sources = { ...place, flags: new Map([...flags, ...Object.entries(settings)]) };
  const configuration = loadConfiguration(sources);
  if (allowance === undefined) return configuration;
  return loadConfiguration({ ...sources, settings: limited(allowance, configuration.settings.budget) });
}

/** Returns the options of `ask` and `dryRun` for a sample. */
export function askOptions(sample: Sample, arm: Arm, answering: Answering, allowance?: Allowance): AskOptions {
  const { provider, cwd, env, paths, limiters } = answering;
  return {
    configuration: configurationOf(arm, answering, allowance),
    paths: sample.paths ?? paths,
    limiters,
    ...(provider && { provider }),
    ...(cwd && { cwd }),
    ...(env && { env }),
  };
}

/** Resumes an interrupted run; null where that is impossible, and the sample is asked again. */
async function goOn(runId: string, arm: Arm, answering: Answering, asking: ArmAsking): Promise<Result | null> {
  const { provider, env, limiters } = answering;
  const { signal, onEvent, allowance } = asking;
  const { budget } = configurationOf(arm, answering).settings;
  const limits = limited(allowance, budget);
  const flags = new Map([...limits].map(([key, value]): [string, unknown] => [key, String(value)]));
  const options = { signal, onEvent, limiters, flags, ...(provider && { provider }), ...(env && { env }) };
  return resume(runId, options).catch(() => {
    signal.throwIfAborted();
    return null;
  });
}

/**
 * Answers a sample.
 * @throws RlmError as `ask` does.
 */
export async function answerSample(sample: Sample, arm: Arm, answering: Answering, asking: ArmAsking): Promise<Result> {
  const { allowance, signal, onEvent, record, replay, begun } = asking;
  const kept = { ...(record !== null && { record }), ...(replay !== null && { replay }) };
  const options = { ...askOptions(sample, arm, answering, allowance), ...kept, signal, onEvent };
  if (arm.kind === 'plain') return askPlainly(sample.question, { ...options, reads: 'all' });
  if (arm.kind === 'rag') return askPlainly(sample.question, { ...options, reads: 'passages' });
  const resumed = begun === null ? null : await goOn(begun, arm, answering, asking);
  const resumable = options.configuration!.settings.journal && record === null && replay === null;
  return resumed ?? ask(sample.question, { ...options, resumable, partOf: 'evaluation' });
}
