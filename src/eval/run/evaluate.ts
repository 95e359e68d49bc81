import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/sha256.ts';
import { evaluationsFolder, stateFolder } from '../../config/folders.ts';
import type { Settings } from '../../config/settings.ts';
import { type ErrorCode, type ErrorInfo, errorCodes, kindOf, RlmError } from '../../errors.ts';
import type { Provider } from '../../providers/provider.ts';
import { failedResult } from '../../result.ts';
import { createSharedLimiters } from '../../run/door/limiter.ts';
import type { RunEvent } from '../../run/events.ts';
import {
  type Allowance,
  type Answering,
  type Arm,
  answerSample,
  configurationOf,
  inspectArm,
  type Recordings,
  samplesAtOnce,
} from '../arms/arm.ts';
import type { Sample } from '../samples/read-samples.ts';
import { judgeAnswer, judgeArm } from '../scorers/judge.ts';
import {
  type EvaluationJournal,
  keyOf,
  openJournal,
  outcomeOf,
  type SampleOutcome,
  spentBy,
} from './evaluation-journal.ts';
import { createSharedBudget, type Spent } from './shared-budget.ts';

export interface EvaluationOptions {
  readonly samples: readonly Sample[];
  readonly arms: readonly Arm[];
  /** Files, folders and globs for samples without their own paths. */
  readonly paths: readonly string[];
  /** Settings of the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Limits for all answers together. */
  readonly limits: Allowance;
  /** Whether to resume the newest evaluation with the same samples, arms, paths and settings. */
  readonly resume: boolean;
  readonly judge: string | null;
  /** A folder of recordings. Replies that it contains are replayed, and other replies are added to it; null: none. */
  readonly record: string | null;
  /** A folder of recordings to answer from; null: none. */
  readonly replay: string | null;
  readonly signal: AbortSignal;
  /** Called after each answer; must not throw. */
  readonly onProgress?: (progress: EvaluationProgress) => void;
  readonly provider?: Provider;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface EvaluationProgress {
  readonly done: number;
  readonly total: number;
  /** Counts of the answers so far. `sum`: the sum of their scores. */
  readonly arms: readonly {
    readonly name: string;
    readonly n: number;
    readonly sum: number;
    readonly failed: number;
  }[];
  readonly spent: Spent;
  /** Remaining time, estimated from the answers of this process; null before the first answer. */
  readonly leftMs: number | null;
}

/**
 * Returns the recordings of an answer. If the folder `record` already contains a recording of the answer, the recorded
 * replies are replayed, and a model gives the others.
 */
function recordingsOf({ record, replay }: EvaluationOptions, sample: string, arm: string): Recordings {
  const isPlain = /^[\w-]{1,100}$/.test(sample);
  const name = isPlain ? sample : `${sample.replace(/[^\w-]/g, '_').slice(0, 100)}~${sha256(sample, 12)}`;
  const file = `${name}.${arm}.gz`;
  const known = record && join(record, file);
  const from = known && existsSync(known) ? known : replay && join(replay, file);
  return { ...(known && { record: known }), ...(from && { replay: from }) };
}

/** Throws RlmError `usage` if the folder of recordings is a file. */
function checkFolder({ record, replay }: EvaluationOptions): void {
  const path = record ?? replay;
  if (path === null || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw new RlmError('usage', `the recordings of an evaluation need a folder, and '${path}' is a file`, {
    hint: 'Name a folder. It is created if it does not exist.',
  });
}

interface Work {
  readonly options: EvaluationOptions;
  readonly answering: Answering;
  readonly journal: EvaluationJournal;
  readonly budget: ReturnType<typeof createSharedBudget>;
  readonly keepsRuns: boolean;
  readonly signal: AbortSignal;
}

const remaining = (allowed: number | null, used: number) => (allowed === null ? null : Math.max(0, allowed - used));

async function withJudgement(
  outcome: SampleOutcome,
  sample: Sample,
  allowed: Allowance,
  { options, answering, signal }: Work,
): Promise<SampleOutcome> {
  const { judge: model } = options;
  const spent = spentBy([outcome]);
  const allowance = {
    calls: remaining(allowed.calls, spent.calls),
    tokens: remaining(allowed.tokens, spent.tokens),
    usd: remaining(allowed.usd, spent.usd),
  };
  const { answer, status } = outcome;
  if (model === null || answer === null || status === 'failed' || Object.values(allowance).includes(0)) return outcome;
  const request = { model, allowance, signal, ...recordingsOf(options, sample.id, `${outcome.arm}~judge`) };
  try {
    return { ...outcome, judged: await judgeAnswer(sample, answer, answering, request) };
  } catch (error) {
    if (!isOfSample(error)) throw error;
    return outcome; // The answer is kept without a verdict.
  }
}

const isOfSample = (error: unknown): error is RlmError =>
  error instanceof RlmError && errorCodes[error.code].kind !== 'configuration';

const limitParts = {
  'limit-cost': ['usd', 'maxCost'],
  'limit-tokens': ['tokens', 'maxTokens'],
  'limit-calls': ['calls', 'maxCalls'],
} as const;
type LimitCode = keyof typeof limitParts;
const limitCodes = Object.keys(limitParts) as LimitCode[];

/** Whether the evaluation's own limit cut an answer short. Such an answer is not a result of the arm. */
function isCutByLimit({ error }: SampleOutcome, allowance: Allowance, own: Settings['budget']): boolean {
  const code = limitCodes.find((one) => one === error?.code);
  if (code === undefined) return false;
  const [part, setting] = limitParts[code];
  return allowance[part] !== null && allowance[part] < (own[setting] ?? Infinity);
}

const unrecordedCodes: readonly (ErrorCode | undefined)[] = ['cassette-invalid', 'call-not-recorded'];

/** Answers a sample. Returns null if the budget is too small for it, `unrecorded` if a replay lacks a reply. */
async function outcomeFor(sample: Sample, arm: Arm, work: Work): Promise<SampleOutcome | 'unrecorded' | null> {
  const { options, answering, journal, budget, keepsRuns, signal } = work;
  const grant = budget.take();
  if (grant === null) return null;
  const isKept = arm.kind === 'ask' && keepsRuns;
  let [bytes, isWhole]: [number | null, boolean] = [null, true];
  const onEvent = (event: RunEvent) => {
    if (event.type === 'call.missing') isWhole = false;
    if (event.type !== 'run.started') return;
    bytes = event.bytes;
    if (isKept) journal.append({ type: 'begun', sample: sample.id, arm: arm.name, runId: event.runId });
  };
  const recordings = recordingsOf(options, sample.id, arm.name);
  const begun = journal.begun.get(keyOf({ sample: sample.id, arm: arm.name })) ?? null;
  let outcome: SampleOutcome | null = null;
  try {
    const asking = { allowance: grant.allowance, signal, onEvent, ...recordings, begun };
    const result = await answerSample(sample, arm, answering, asking);
    outcome = outcomeOf(sample, arm.name, result, bytes, isKept ? result.runId : null);
    outcome = await withJudgement(outcome, sample, grant.allowance, work);
  } catch (error) {
    if (!isOfSample(error)) throw error;
    outcome = outcomeOf(sample, arm.name, failedResult(sample.question, error));
  } finally {
    grant.settle(spentBy(outcome === null ? [] : [outcome]));
  }
  // A recorded run is resumed, and then counts its whole cost.
  if (signal.aborted && !isKept) journal.append({ type: 'dropped', outcome });
  signal.throwIfAborted();
  const isUnrecorded = options.replay !== null && (!isWhole || unrecordedCodes.includes(outcome.error?.code));
  if (isUnrecorded) return 'unrecorded';
  const isCut = isCutByLimit(outcome, grant.allowance, configurationOf(arm, answering).settings.budget);
  journal.append({ type: isCut ? 'dropped' : 'outcome', outcome });
  return isCut ? null : outcome;
}

/** Number of consecutive `unavailable` failures after which the evaluation ends. */
const unavailableInARow = 3;

function exhausted(limits: Allowance, spent: Spent): RlmError {
  const shareSpent = (code: LimitCode): number => {
    const [part] = limitParts[code];
    return limits[part] === null ? -1 : spent[part] / limits[part];
  };
  const code = limitCodes.toSorted((a, b) => shareSpent(b) - shareSpent(a))[0]!;
  return new RlmError(code, 'the budget does not suffice for another answer: not every question was asked', {
    hint: 'Allow more (--max-cost, --max-tokens, --max-calls), and continue with --resume.',
  });
}

const notRecorded = (count: number, total: number) =>
  new RlmError('call-not-recorded', `the recordings of ${count} of ${total} answers are missing or incomplete`, {
    hint: 'To ask for only these, repeat the command line with --record instead of --replay, and with a model.',
  });

const gone = ({ code, message, hint }: ErrorInfo) =>
  new RlmError(code, `${message} (${unavailableInARow} times in a row, so the evaluation ended)`, {
    hint: `${hint} Then continue with --resume.`.trim(),
  });

function createTally(options: EvaluationOptions, before: readonly SampleOutcome[], spent: () => Spent) {
  const { arms, samples, onProgress } = options;
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
    add(outcome: SampleOutcome): void {
      outcomes.set(keyOf(outcome), outcome);
      const [done, mine] = [outcomes.size, outcomes.size - before.length];
      const leftMs = mine <= 0 ? null : ((performance.now() - startedAt) / mine) * (total - done);
      onProgress?.({ done, total, arms: arms.map(({ name }) => countOf(name)), spent: spent(), leftMs });
    },
  };
}

/** Rotates the arms, so that a warm cache does not favour one of them. */
const inTurn = (arms: readonly Arm[], turn: number): readonly Arm[] => [
  ...arms.slice(turn % arms.length),
  ...arms.slice(0, turn % arms.length),
];

/**
 * Answers a sample with all arms before the next sample, so that an early end leaves few incomplete samples. Returns
 * the keys of unrecorded answers.
 */
async function runAll(work: Work, atOnce: number, tally: ReturnType<typeof createTally>): Promise<ReadonlySet<string>> {
  const { samples, arms, limits } = work.options;
  const unrecorded = new Set<string>();
  const failed = new AbortController();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  let next = 0;
  let inARow = 0;

  async function answer(sample: Sample, arm: Arm): Promise<void> {
    const key = keyOf({ sample: sample.id, arm: arm.name });
    if (tally.outcomes.has(key)) return;
    signal.throwIfAborted();
    const outcome = await outcomeFor(sample, arm, { ...work, signal });
    if (outcome === 'unrecorded') return void unrecorded.add(key);
    if (outcome === null) throw exhausted(limits, work.budget.spent());
    tally.add(outcome);
    const { error } = outcome;
    inARow = error !== null && kindOf(error) === 'unavailable' ? inARow + 1 : 0;
    if (error !== null && inARow >= unavailableInARow) throw gone(error);
  }

  async function worker(): Promise<void> {
    while (next < samples.length) {
      const turn = next++;
      for (const arm of inTurn(arms, turn)) await answer(samples[turn]!, arm);
    }
  }

  const errors: unknown[] = [];
  function end(error: unknown): void {
    errors.push(error);
    next = samples.length;
    // When the budget is spent, the answers in progress have their share of it and may finish.
    if (!(error instanceof RlmError) || kindOf(error) !== 'limit') failed.abort(error);
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, samples.length) }, () => worker().catch(end)));
  if (errors.length > 0) throw errors[0];
  return unrecorded;
}

async function inspectAll({ samples, arms, judge, replay, signal }: EvaluationOptions, answering: Answering) {
  if (replay !== null) return arms.map((arm) => ({ arm, model: null, notes: [] }));
  const inspected = [];
  for (const arm of [...arms, ...(judge === null ? [] : [judgeArm(judge)])])
    inspected.push(await inspectArm(arm, samples[0]!, answering, signal));
  return inspected.slice(0, arms.length);
}

const endsEarly = (error: unknown): error is RlmError =>
  error instanceof RlmError && ['limit', 'interruption', 'unavailable'].includes(kindOf(error));

/**
 * Evaluates samples with arms. After an early end, `stopped` has the reason, and the evaluation can be resumed.
 * @throws RlmError when the evaluation cannot begin: wrong settings, no provider, unusable input, nothing to resume.
 */
export async function evaluate(options: EvaluationOptions) {
  checkFolder(options);
  const { arms, samples, judge, flags, paths, provider, cwd, env, signal } = options;
  const own = { ...(provider && { provider }), ...(cwd && { cwd }), ...(env && { env }) };
  const answering = { flags, paths, shared: { limiters: createSharedLimiters(), ...own } };
  const { settings } = configurationOf(arms[0]!, answering);
  const inspected = await inspectAll(options, answering);
  const callsAtOnce = inspected.map(({ model }) => model?.callsAtOnce);
  const atOnce = samplesAtOnce(callsAtOnce, settings.budget.concurrency);
  const root = evaluationsFolder(stateFolder(settings, env ?? process.env));
  const models = inspected.map(({ model }) => [model?.provider, model?.model, model?.digest]);
  const inForce = arms.map((arm) => [...configurationOf(arm, answering).values]);
  const parts = { models, samples, arms, paths, cwd: cwd ?? process.cwd(), judge, settings: inForce };
  const journal = openJournal(root, parts, options.resume);
  const budget = createSharedBudget(options.limits, atOnce, journal.spent);
  const tally = createTally(options, journal.outcomes, budget.spent);
  const keepsRuns = settings.journal && options.record === null && options.replay === null;
  let stopped: RlmError | null = null;
  let unrecorded: ReadonlySet<string> = new Set();
  try {
    const settledArms = inspected.map(({ arm }) => arm);
    const work = { options: { ...options, arms: settledArms }, answering, journal, budget, keepsRuns, signal };
    unrecorded = await runAll(work, atOnce, tally);
    if (unrecorded.size > 0) stopped = notRecorded(unrecorded.size, samples.length * arms.length);
    journal.append({ type: 'ended' });
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    if (!endsEarly(reason)) throw reason;
    stopped = reason;
  } finally {
    journal.close();
  }
  const { id, startedAt } = journal;
  const answers = samples.flatMap(({ id: sample }) => arms.map(({ name: arm }) => ({ sample, arm })));
  return {
    ...{ id, startedAt, samples, judge, spent: budget.spent() },
    /** Why outcomes are missing, such as an early end or missing recordings; null if every answer has an outcome. */
    stopped,
    arms: arms.map((arm, at) => ({ ...arm, model: inspected[at]!.model })),
    outcomes: answers.flatMap((answer) => tally.outcomes.get(keyOf(answer)) ?? []),
    /** Answers whose requests a replay did not find in the recordings. */
    unrecorded: answers.filter((answer) => unrecorded.has(keyOf(answer))),
    notes: [...new Set(inspected.flatMap((one) => one.notes))],
  };
}

/** The result of an evaluation. */
export type Evaluation = Readonly<Awaited<ReturnType<typeof evaluate>>>;
