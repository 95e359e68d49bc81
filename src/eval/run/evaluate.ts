/** Answers every sample with every arm. */

import { evaluationsFolder, stateFolder } from '../../config/folders.ts';
import { kindOf, RlmError } from '../../errors.ts';
import { createSharedLimiters } from '../../run/door/limiter.ts';
import {
  type Allowance,
  type Answering,
  type Arm,
  configurationOf,
  type InspectedArm,
  inspectArm,
  samplesAtOnce,
} from '../arms/arm.ts';
import type { Sample } from '../samples/read-samples.ts';
import { judgeArm } from '../scorers/judge.ts';
import { outcomeFor, type Work } from './ask-sample.ts';
import { createSharedBudget, type Evaluation, type EvaluationOptions, type SharedBudget } from './evaluation.ts';
import { fingerprintOf, keyOf, openJournal, type SampleOutcome } from './evaluation-journal.ts';

/** Consecutive `unavailable` failures after which the evaluation ends. */
const unavailableInARow = 3;

/** The codes of the given limits, money first. */
const limitCodes = ({ calls, tokens, usd }: Allowance) => [
  ...(usd === null ? [] : ['limit-cost' as const]),
  ...(tokens === null ? [] : ['limit-tokens' as const]),
  ...(calls === null ? [] : ['limit-calls' as const]),
];

/** Whether the evaluation's own limit cut an answer short, so that it is no result of its arm. */
const isCutByLimit = ({ error }: SampleOutcome, limits: Allowance): boolean =>
  limitCodes(limits).some((code) => code === error?.code);

const exhausted = (limits: Allowance) =>
  new RlmError(limitCodes(limits)[0]!, 'the budget of the evaluation is spent: not every question was asked', {
    hint: 'Allow more (--max-cost, --max-tokens, --max-calls), and continue with --resume.',
  });

const notRecorded = (count: number, total: number) =>
  new RlmError('call-not-recorded', `the recordings lack ${count} of ${total} answers, or a part of them`, {
    hint: 'Ask for only these: the same command line with --record in place of --replay, and a model.',
  });

/** Creates the check that ends the evaluation after consecutive failures of servers. */
function createWatch() {
  let inARow = 0;
  return ({ error }: SampleOutcome): void => {
    inARow = error !== null && kindOf(error) === 'unavailable' ? inARow + 1 : 0;
    if (inARow < unavailableInARow) return;
    throw new RlmError(error!.code, `${error!.message} (${inARow} times in a row, so the evaluation ended)`, {
      hint: `${error!.hint} Then continue with --resume.`.trim(),
    });
  };
}

/** Creates the count of outcomes, which reports the progress. */
function createTally(options: EvaluationOptions, before: readonly SampleOutcome[], budget: SharedBudget) {
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
    add(outcome: SampleOutcome): void {
      outcomes.set(keyOf(outcome), outcome);
      const [done, mine] = [outcomes.size, outcomes.size - before.length];
      const leftMs = mine <= 0 ? null : ((performance.now() - startedAt) / mine) * (total - done);
      onProgress({ done, total, arms: arms.map(({ name }) => countOf(name)), spent: budget.spent(), leftMs });
    },
  };
}

/** Rotates the arms, so that a warm cache favours none. */
const inTurn = (arms: readonly Arm[], turn: number): readonly Arm[] => [
  ...arms.slice(turn % arms.length),
  ...arms.slice(0, turn % arms.length),
];

/**
 * Answers sample by sample with all arms, so that an early end leaves complete pairs.
 * @returns the keys of the answers that a replay needs and the recordings lack.
 */
async function runAll(work: Work, atOnce: number, tally: ReturnType<typeof createTally>): Promise<ReadonlySet<string>> {
  const { samples, arms, limits } = work.options;
  const unrecorded = new Set<string>();
  const failed = new AbortController();
  const watch = createWatch();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  let next = 0;

  async function one(sample: Sample, arm: Arm): Promise<void> {
    const key = keyOf({ sample: sample.id, arm: arm.name });
    if (tally.outcomes.has(key)) return;
    signal.throwIfAborted();
    const outcome = await outcomeFor(sample, arm, { ...work, signal });
    if (outcome === 'unrecorded') return void unrecorded.add(key);
    const isCut = outcome !== null && isCutByLimit(outcome, limits);
    if (outcome !== null) work.journal.append({ type: isCut ? 'dropped' : 'outcome', outcome });
    if (outcome === null || isCut) throw exhausted(limits);
    tally.add(outcome);
    watch(outcome);
  }

  async function worker(): Promise<void> {
    while (next < samples.length) {
      const turn = next++;
      for (const arm of inTurn(arms, turn)) await one(samples[turn]!, arm);
    }
  }

  const errors: unknown[] = [];
  function end(error: unknown): void {
    errors.push(error);
    next = samples.length;
    // Answers in progress when the budget ends are paid for, and may finish.
    if (!(error instanceof RlmError) || kindOf(error) !== 'limit') failed.abort(error);
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, samples.length) }, () => worker().catch(end)));
  if (errors.length > 0) throw errors[0];
  return unrecorded;
}

/** Returns what identifies an evaluation. */
function partsOf(options: EvaluationOptions, inspected: readonly InspectedArm[]) {
  const { samples, arms, paths, flags, judge, cwd = process.cwd() } = options;
  const models = inspected.map(({ model }) => [model?.provider, model?.model, model?.digest]);
  return { models, samples, arms, paths, cwd, judge, flags: [...flags] };
}

/** Inspects the arms and the judge one after the other. With recordings, no model is known. */
async function inspectAll({ samples, arms, judge, replay, signal }: EvaluationOptions, answering: Answering) {
  if (replay !== null) return arms.map((arm): InspectedArm => ({ arm, model: null, notes: [] }));
  const inspected: InspectedArm[] = [];
  for (const arm of [...arms, ...(judge === null ? [] : [judgeArm(judge)])])
    inspected.push(await inspectArm(arm, samples[0]!, answering, signal));
  return inspected.slice(0, arms.length);
}

/** Whether an error ends the evaluation early with a partial result. */
const endsEarly = (error: unknown): error is RlmError =>
  error instanceof RlmError && ['limit', 'interruption', 'unavailable'].includes(kindOf(error));

/**
 * Evaluates samples with arms. The reason of an early end (a limit, an interruption, an unreachable server) is in
 * `stopped`, and the evaluation can be resumed.
 * @throws RlmError when it cannot begin: wrong settings, no provider, unusable input, nothing to resume.
 */
export async function evaluate(options: EvaluationOptions): Promise<Evaluation> {
  const { arms, samples, judge, flags, paths, provider, cwd, env, signal } = options;
  const own = { ...(provider && { provider }), ...(cwd && { cwd }), ...(env && { env }) };
  const answering = { flags, paths, shared: { limiters: createSharedLimiters(), ...own } };
  const { settings } = configurationOf(arms[0]!, answering);
  const inspected = await inspectAll(options, answering);
  const atOnce = samplesAtOnce(inspected, settings.budget.concurrency);
  const root = evaluationsFolder(stateFolder(settings, env ?? process.env));
  const journal = openJournal(root, fingerprintOf(partsOf(options, inspected)), options.resume);
  const budget = createSharedBudget(options.limits, atOnce, journal.spent);
  const tally = createTally(options, journal.outcomes, budget);
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
    ...{ id, startedAt, samples, judge, spent: budget.spent(), stopped },
    arms: arms.map((arm, at) => ({ ...arm, model: inspected[at]!.model })),
    outcomes: answers.flatMap((answer) => tally.outcomes.get(keyOf(answer)) ?? []),
    unrecorded: answers.filter((answer) => unrecorded.has(keyOf(answer))),
    notes: [...new Set(inspected.flatMap((one) => one.notes))],
  };
}
