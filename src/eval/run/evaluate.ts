/** Runs every sample by every arm. */
import { join } from 'node:path';
import {
  createSharedLimiters,
  type DryRun,
  dryRun,
  errorCodes,
  type Provider,
  providerNames,
  RlmError,
  type RunEvent,
  stateFolder,
} from '../../index.ts';
import { type Allowance, type Answering, answerSample, askOptions, configurationOf } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import type { Sample } from '../samples/sample.ts';
import { type EvaluationJournal, fingerprintOf, keyOf, openJournal } from './evaluation-journal.ts';
import { failedOutcome, type Outcome, outcomeOf } from './outcome.ts';
import { createSharedBudget, type SharedBudget, type Spent } from './shared-budget.ts';

/** What to evaluate. */
export interface EvaluationOptions {
  readonly samples: readonly Sample[];
  readonly arms: readonly Arm[];
  /** Files, folders and globs that samples without their own are asked about. */
  readonly paths: readonly string[];
  /** Settings as given on the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** What all answers together may spend. */
  readonly limits: Allowance;
  /** Whether to go on with the newest evaluation of the same samples, arms and settings. */
  readonly resume: boolean;
  /** A model that judges answers beside the scorers; null: none. */
  readonly judge: string | null;
  /** A folder of recordings to write, or to answer from; null: none. */
  readonly record: string | null;
  readonly replay: string | null;
  readonly signal: AbortSignal;
  /** Called when an answer is there; it must not throw. */
  readonly onProgress?: (progress: Progress) => void;
  readonly provider?: Provider;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How far an evaluation is. */
export interface Progress {
  /** Answers so far, and in all. */
  readonly done: number;
  readonly total: number;
  /** Of those that are there, by arm: how many, and the sum of their scores. */
  readonly arms: readonly {
    readonly name: string;
    readonly n: number;
    readonly sum: number;
    readonly failed: number;
  }[];
  readonly spent: Spent;
  /** Until the end, in ms, by the answers of this process; null before the first. */
  readonly leftMs: number | null;
}

/** Who answers in an arm, found out before anything is spent; null for recordings. */
export type ArmModel = Pick<DryRun['models'][number], 'provider' | 'model' | 'digest' | 'callsAtOnce' | 'windowTokens'>;

/** What all arms made of the samples. */
export interface Evaluation {
  readonly id: string;
  readonly startedAt: string;
  readonly samples: readonly Sample[];
  readonly arms: readonly (Arm & { readonly model: ArmModel | null })[];
  readonly outcomes: readonly Outcome[];
  readonly judge: string | null;
  /** What the user should know of those who answer. */
  readonly notes: readonly string[];
  readonly spent: Spent;
  /** Why it ended before every sample was asked; null where it did not. */
  readonly stopped: RlmError | null;
}

/** With more answers at once a local machine runs out of memory before it is faster. */
const mostAtOnce = 8;

/** After so many in a row, nobody serves. */
const unavailableInARow = 3;

const kindOf = ({ code }: RlmError) => errorCodes[code].kind;

/** What was found out of an arm before anything is spent. */
interface InspectedArm {
  /** With `auto` settled: what answers must not change in the middle. */
  readonly arm: Arm;
  readonly model: ArmModel | null;
  /** What the user should know, such as that no language model answers. */
  readonly notes: readonly string[];
}

/** The arm with the provider that `auto` came to; a preset chooses its own. */
function settled(arm: Arm, answering: Answering, provider: string): Arm {
  const { settings } = configurationOf(arm, answering);
  if (settings.provider !== 'auto' || settings.preset !== null || !providerNames.includes(provider)) return arm;
  return { ...arm, settings: { ...arm.settings, provider } };
}

/** Finds out who answers, and whether each arm can begin: with the first sample, asking no model. */
async function inspectArms(options: EvaluationOptions, answering: Answering): Promise<InspectedArm[]> {
  const { samples, arms, replay, signal } = options;
  if (replay !== null) return arms.map((arm) => ({ arm, model: null, notes: [] }));
  const inspected: InspectedArm[] = [];
  for (const arm of arms) {
    const { models, warnings } = await dryRun(samples[0]!.question, {
      ...askOptions(samples[0]!, arm, answering),
      signal,
    });
    const { provider, model, digest, callsAtOnce, windowTokens } = models[0]!;
    inspected.push({
      arm: settled(arm, answering, provider),
      model: { provider, model, digest, callsAtOnce, windowTokens },
      notes: warnings,
    });
  }
  return inspected;
}

function samplesAtOnce(inspected: readonly InspectedArm[], concurrency: number | null): number {
  const serves = Math.min(...inspected.map(({ model }) => model?.callsAtOnce ?? mostAtOnce));
  return Math.max(1, Math.min(mostAtOnce, concurrency ?? serves));
}

const spentBy = (outcomes: readonly Outcome[]): Spent => ({
  calls: outcomes.reduce((sum, { calls, judged }) => sum + calls + (judged?.calls ?? 0), 0),
  tokens: outcomes.reduce((sum, { tokens, judged }) => sum + tokens.input + tokens.output + (judged?.tokens ?? 0), 0),
  usd: outcomes.reduce((sum, { cost, judged }) => sum + (cost ?? 0) + (judged?.cost ?? 0), 0),
});

/** A file's name of anything, without characters that a disk may not take. */
const fileOf = (sample: string, arm: string): string => `${sample}.${arm}`.replace(/[^\w.-]/g, '_');

/** What the answers of one evaluation work with. */
interface Work {
  readonly options: EvaluationOptions;
  readonly answering: Answering;
  readonly journal: EvaluationJournal;
  readonly budget: SharedBudget;
  readonly signal: AbortSignal;
}

const rest = (allowed: number | null, used: number) => (allowed === null ? null : Math.max(0, allowed - used));

/** The outcome as a judge sees it, where there is one and something is left to pay for it. */
async function withJudgement(
  outcome: Outcome,
  sample: Sample,
  allowed: Allowance,
  { options: { judge: model, record, replay }, answering, signal }: Pick<Work, 'options' | 'answering' | 'signal'>,
): Promise<Outcome> {
  const spent = spentBy([outcome]);
  const calls = rest(allowed.calls, spent.calls);
  if (model === null || outcome.answer === null || calls === 0) return outcome;
  const { judgeAnswer } = await import('../scorers/judge.ts');
  const path = (folder: string | null) => folder && join(folder, fileOf(sample.id, `${outcome.arm}.judge`));
  const allowance = { calls, tokens: rest(allowed.tokens, spent.tokens), usd: rest(allowed.usd, spent.usd) };
  const request = { model, allowance, signal, record: path(record), replay: path(replay) };
  return { ...outcome, judged: await judgeAnswer(sample, outcome.answer, answering, request) };
}

/** Answers one sample by one arm; null where the budget does not pay for it any more. */
async function outcomeFor(sample: Sample, arm: Arm, { options, answering, journal, budget, signal }: Work) {
  const grant = budget.take();
  if (grant === null) return null;
  const facts = { bytes: null as number | null, isRecorded: false };
  const isRecorded = arm.kind === 'ask' && options.record === null && options.replay === null;
  const onEvent = (event: RunEvent) => {
    if (event.type !== 'run.started') return;
    facts.bytes = event.bytes;
    if (isRecorded) journal.append({ type: 'begun', sample: sample.id, arm: arm.name, runId: event.runId });
  };
  const path = (folder: string | null) => (folder === null ? null : join(folder, fileOf(sample.id, arm.name)));
  const kept = { record: path(options.record), replay: path(options.replay) };
  const begun = journal.begun.get(keyOf({ sample: sample.id, arm: arm.name })) ?? null;
  let outcome: Outcome | null = null;
  try {
    const asking = { allowance: grant.allowance, signal, onEvent, ...kept, begun };
    const result = await answerSample(sample, arm, answering, asking);
    outcome = outcomeOf(sample, arm.name, result, { ...facts, isRecorded });
    outcome = await withJudgement(outcome, sample, grant.allowance, { options, answering, signal });
  } catch (error) {
    if (!(error instanceof RlmError) || kindOf(error) === 'configuration') throw error;
    outcome = failedOutcome(sample, arm.name, error.toInfo());
  } finally {
    grant.settle(outcome === null ? { calls: 0, tokens: 0, usd: 0 } : spentBy([outcome]));
  }
  signal.throwIfAborted();
  return outcome;
}

/** Whether the evaluation's own limit has cut an answer short: that is no result of its arm. */
const isCutByLimit = ({ error }: Outcome, { calls, tokens, usd }: Allowance): boolean =>
  (error?.code === 'limit-calls' && calls !== null) ||
  (error?.code === 'limit-tokens' && tokens !== null) ||
  (error?.code === 'limit-cost' && usd !== null);

const exhausted = () =>
  new RlmError('limit-cost', 'the budget of the evaluation is spent: not every question was asked', {
    hint: 'Allow more (--max-cost, --max-tokens, --max-calls), and go on with --resume.',
  });

/** Stops when servers that cannot be used follow each other. */
function createWatch() {
  let inARow = 0;
  return ({ error }: Outcome): void => {
    const isGone = error !== null && errorCodes[error.code].kind === 'unavailable';
    inARow = isGone ? inARow + 1 : 0;
    if (inARow < unavailableInARow) return;
    throw new RlmError(error!.code, `${error!.message} (${inARow} times in a row, so the evaluation has ended)`, {
      hint: `${error!.hint} Then go on with --resume.`.trim(),
    });
  };
}

/** Counts outcomes, and tells how far it is. */
function createTally(options: EvaluationOptions, before: readonly Outcome[], budget: SharedBudget) {
  const { arms, samples, onProgress = () => {} } = options;
  const outcomes = new Map(before.map((outcome) => [keyOf(outcome), outcome]));
  const startedAt = performance.now();
  const total = samples.length * arms.length;
  const countOf = (name: string) => {
    const own = [...outcomes.values()].filter(({ arm }) => arm === name);
    const sum = own.reduce((all, { score }) => all + score.lenient, 0);
    return { name, n: own.length, sum, failed: own.filter(({ status }) => status === 'failed').length };
  };
  return {
    outcomes,
    add(outcome: Outcome): void {
      outcomes.set(keyOf(outcome), outcome);
      const [done, mine] = [outcomes.size, outcomes.size - before.length];
      const leftMs = mine <= 0 ? null : ((performance.now() - startedAt) / mine) * (total - done);
      onProgress({ done, total, arms: arms.map(({ name }) => countOf(name)), spent: budget.spent(), leftMs });
    },
  };
}

/** Arms take turns in going first, so that a warm cache favours none. */
const inTurn = (arms: readonly Arm[], turn: number): readonly Arm[] => [
  ...arms.slice(turn % arms.length),
  ...arms.slice(0, turn % arms.length),
];

/** Asks sample by sample, all arms of one after another: what is cut short has whole pairs. */
async function runAll(work: Work, atOnce: number, tally: ReturnType<typeof createTally>): Promise<void> {
  const { samples, arms, limits } = work.options;
  const failed = new AbortController();
  const watch = createWatch();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  let next = 0;

  async function one(sample: Sample, arm: Arm): Promise<void> {
    if (tally.outcomes.has(keyOf({ sample: sample.id, arm: arm.name }))) return;
    signal.throwIfAborted();
    const outcome = await outcomeFor(sample, arm, { ...work, signal });
    if (outcome === null || isCutByLimit(outcome, limits)) throw exhausted();
    work.journal.append({ type: 'outcome', outcome });
    tally.add(outcome);
    watch(outcome);
  }

  async function worker(): Promise<void> {
    while (next < samples.length) {
      const turn = next++;
      for (const arm of inTurn(arms, turn)) await one(samples[turn]!, arm);
    }
  }

  await Promise.all(
    Array.from({ length: Math.min(atOnce, samples.length) }, () =>
      worker().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
}

/** What says that two evaluations are the same one. */
const partsOf = (
  { samples, arms, paths, flags, judge, cwd = process.cwd() }: EvaluationOptions,
  inspected: readonly InspectedArm[],
) => ({
  models: inspected.map(({ model }) => [model?.provider, model?.model, model?.digest]),
  samples,
  arms,
  paths,
  cwd,
  judge,
  flags: [...flags],
});

/** Whether what was found until then is worth telling. */
const endsEarly = (error: unknown): error is RlmError =>
  error instanceof RlmError && ['limit', 'interruption', 'unavailable'].includes(kindOf(error));

/**
 * Evaluates. What ends it early (a limit, an interruption, a server that is gone) is told in `stopped`, and it can be
 * gone on with.
 * @throws RlmError when it cannot begin: wrong settings, no provider, unusable input, nothing to go on with.
 */
export async function evaluate(options: EvaluationOptions): Promise<Evaluation> {
  const { arms, samples, flags, paths, provider, cwd, env, signal } = options;
  const own = { ...(provider && { provider }), ...(cwd && { cwd }), ...(env && { env }) };
  const answering: Answering = { flags, paths, limiters: createSharedLimiters(), ...own };
  const { settings } = configurationOf(arms[0]!, answering);
  const inspected = await inspectArms(options, answering);
  const atOnce = samplesAtOnce(inspected, settings.budget.concurrency);
  const root = join(stateFolder(settings, env ?? process.env), 'evaluations');
  const journal = openJournal(root, fingerprintOf(partsOf(options, inspected)), options.resume);
  const budget = createSharedBudget(options.limits, atOnce, spentBy(journal.outcomes));
  const tally = createTally(options, journal.outcomes, budget);
  let stopped: RlmError | null = null;
  try {
    await runAll(
      { options: { ...options, arms: inspected.map(({ arm }) => arm) }, answering, journal, budget, signal },
      atOnce,
      tally,
    );
    journal.append({ type: 'ended' });
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    if (!endsEarly(reason)) throw reason;
    stopped = reason;
  } finally {
    journal.close();
  }
  const { id, startedAt } = journal;
  const withModels = arms.map((arm, at) => ({ ...arm, model: inspected[at]!.model }));
  const notes = [...new Set(inspected.flatMap((one) => one.notes))];
  const outcomes = samples.flatMap((sample) =>
    arms.flatMap((arm) => tally.outcomes.get(keyOf({ sample: sample.id, arm: arm.name })) ?? []),
  );
  return {
    id,
    startedAt,
    samples,
    arms: withModels,
    outcomes,
    judge: options.judge,
    notes,
    spent: budget.spent(),
    stopped,
  };
}
