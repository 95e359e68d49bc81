/** Answers every sample with every arm. */

import { evaluationsFolder, stateFolder } from '../../config/folders.ts';
import { errorCodes, RlmError } from '../../errors.ts';
import { createSharedLimiters } from '../../run/door/limiter.ts';
import {
  type Allowance,
  type Answering,
  type Arm,
  configurationOf,
  type InspectedArm,
  inspectArms,
  samplesAtOnce,
} from '../arms/arm.ts';
import type { Sample } from '../samples/read-samples.ts';
import { judgeArm } from '../scorers/judge.ts';
import { outcomeFor, type Work } from './ask-sample.ts';
import {
  type Answer,
  createSharedBudget,
  type Evaluation,
  type EvaluationOptions,
  type SharedBudget,
} from './evaluation.ts';
import { fingerprintOf, keyOf, openJournal, type SampleOutcome } from './evaluation-journal.ts';

/** Consecutive `unavailable` failures after which the evaluation ends. */
const unavailableInARow = 3;

const kindOf = ({ code }: RlmError) => errorCodes[code].kind;

/** Whether the evaluation's own limit cut an answer short, so that it is no result of its arm. */
const isCutByLimit = ({ error }: SampleOutcome, { calls, tokens, usd }: Allowance): boolean =>
  (error?.code === 'limit-calls' && calls !== null) ||
  (error?.code === 'limit-tokens' && tokens !== null) ||
  (error?.code === 'limit-cost' && usd !== null);

/** Creates the error for a spent budget, named by the given limit; among several, by money first. */
const exhausted = ({ tokens, usd }: Allowance) =>
  new RlmError(
    usd !== null ? 'limit-cost' : tokens !== null ? 'limit-tokens' : 'limit-calls',
    'the budget of the evaluation is spent: not every question was asked',
    { hint: 'Allow more (--max-cost, --max-tokens, --max-calls), and continue with --resume.' },
  );

const notRecorded = (count: number, total: number) =>
  new RlmError('call-not-recorded', `the recordings lack ${count} of ${total} answers, or a part of them`, {
    hint: 'Ask for only these: the same command line with --record in place of --replay, and a model.',
  });

/** Creates the check that ends the evaluation after consecutive failures of servers. */
function createWatch() {
  let inARow = 0;
  return ({ error }: SampleOutcome): void => {
    const isGone = error !== null && errorCodes[error.code].kind === 'unavailable';
    inARow = isGone ? inARow + 1 : 0;
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
 * @returns the answers that a replay needs and the recordings lack.
 */
async function runAll(work: Work, atOnce: number, tally: ReturnType<typeof createTally>): Promise<readonly Answer[]> {
  const { samples, arms, limits } = work.options;
  const unrecorded: Answer[] = [];
  const failed = new AbortController();
  const watch = createWatch();
  const signal = AbortSignal.any([work.signal, failed.signal]);
  let next = 0;

  async function one(sample: Sample, arm: Arm): Promise<void> {
    if (tally.outcomes.has(keyOf({ sample: sample.id, arm: arm.name }))) return;
    signal.throwIfAborted();
    const outcome = await outcomeFor(sample, arm, { ...work, signal });
    if (outcome === 'unrecorded') {
      unrecorded.push({ sample: sample.id, arm: arm.name });
      return;
    }
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
  const workers = Array.from({ length: Math.min(atOnce, samples.length) }, () =>
    worker().catch((error: unknown) => {
      errors.push(error);
      next = samples.length;
      // Answers in progress when the budget ends are paid for, and may finish.
      if (!(error instanceof RlmError) || kindOf(error) !== 'limit') failed.abort(error);
    }),
  );
  await Promise.all(workers);
  if (errors.length > 0) throw errors[0];
  return unrecorded;
}

/** Returns what identifies an evaluation. */
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

/** Whether an error ends the evaluation early with a partial result. */
const endsEarly = (error: unknown): error is RlmError =>
  error instanceof RlmError && ['limit', 'interruption', 'unavailable'].includes(kindOf(error));

/**
 * Evaluates samples with arms. The reason of an early end (a limit, an interruption, an unreachable server) is in
 * `stopped`, and the evaluation can be resumed.
 * @throws RlmError when it cannot begin: wrong settings, no provider, unusable input, nothing to resume.
 */
export async function evaluate(options: EvaluationOptions): Promise<Evaluation> {
  const { arms, samples, flags, paths, provider, cwd, env, signal } = options;
  const own = { ...(provider && { provider }), ...(cwd && { cwd }), ...(env && { env }) };
  const answering: Answering = { flags, paths, limiters: createSharedLimiters(), ...own };
  const { settings } = configurationOf(arms[0]!, answering);
  const inspected = await inspectArms(options, answering);
  if (options.judge !== null) await inspectArms({ ...options, arms: [judgeArm(options.judge)] }, answering);
  const atOnce = samplesAtOnce(inspected, settings.budget.concurrency);
  const root = evaluationsFolder(stateFolder(settings, env ?? process.env));
  const journal = openJournal(root, fingerprintOf(partsOf(options, inspected)), options.resume);
  const budget = createSharedBudget(options.limits, atOnce, journal.spent);
  const tally = createTally(options, journal.outcomes, budget);
  const keepsRuns = settings.journal && options.record === null && options.replay === null;
  let stopped: RlmError | null = null;
  let unrecorded: readonly Answer[] = [];
  try {
    const settledArms = inspected.map(({ arm }) => arm);
    const work = { options: { ...options, arms: settledArms }, answering, journal, budget, keepsRuns, signal };
    unrecorded = await runAll(work, atOnce, tally);
    if (unrecorded.length > 0) stopped = notRecorded(unrecorded.length, samples.length * arms.length);
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
  const answers = samples.flatMap(({ id: sample }) => arms.map(({ name: arm }) => ({ sample, arm })));
  const lacking = new Set(unrecorded.map(keyOf));
  return {
    id,
    startedAt,
    samples,
    arms: withModels,
    outcomes: answers.flatMap((answer) => tally.outcomes.get(keyOf(answer)) ?? []),
    unrecorded: answers.filter((answer) => lacking.has(keyOf(answer))),
    judge: options.judge,
    notes,
    spent: budget.spent(),
    stopped,
  };
}
