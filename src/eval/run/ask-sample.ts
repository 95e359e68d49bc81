/** Answers one sample with one arm within the budget of the evaluation, and judges the answer where a judge is set. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, errorCodes, RlmError } from '../../errors.ts';
import type { RunEvent } from '../../run/events.ts';
import { type Allowance, type Answering, type Arm, answerSample, type Recordings } from '../arms/arm.ts';
import type { Sample } from '../samples/read-samples.ts';
import type { EvaluationOptions, SharedBudget } from './evaluation.ts';
import {
  type EvaluationJournal,
  failedOutcome,
  keyOf,
  outcomeOf,
  type SampleOutcome,
  spentBy,
} from './evaluation-journal.ts';

/**
 * Returns the files of an answer, without characters that a file system may refuse. A recording that is there already
 * is replayed, and a model is asked for what it lacks.
 */
function recordingsOf({ record, replay }: EvaluationOptions, sample: string, arm: string): Recordings {
  const file = `${sample}.${arm}.gz`.replace(/[^\w.-]/g, '_');
  const known = record && join(record, file);
  const from = known && existsSync(known) ? known : replay && join(replay, file);
  return { ...(known && { record: known }), ...(from && { replay: from }) };
}

/** What the answers of one evaluation share. */
export interface Work {
  readonly options: EvaluationOptions;
  readonly answering: Answering;
  readonly journal: EvaluationJournal;
  readonly budget: SharedBudget;
  /** Whether runs are recorded, so that they can be resumed and shown. */
  readonly keepsRuns: boolean;
  readonly signal: AbortSignal;
}

const rest = (allowed: number | null, used: number) => (allowed === null ? null : Math.max(0, allowed - used));

/** Adds the judge's verdict to an outcome, where a judge is set and the budget pays for it. */
async function withJudgement(
  outcome: SampleOutcome,
  sample: Sample,
  allowed: Allowance,
  { options, answering, signal }: Work,
): Promise<SampleOutcome> {
  const { judge: model } = options;
  const spent = spentBy([outcome]);
  const calls = rest(allowed.calls, spent.calls);
  if (model === null || outcome.answer === null || calls === 0) return outcome;
  const { judgeAnswer } = await import('../scorers/judge.ts');
  const allowance = { calls, tokens: rest(allowed.tokens, spent.tokens), usd: rest(allowed.usd, spent.usd) };
  const request = { model, allowance, signal, ...recordingsOf(options, sample.id, `${outcome.arm}.judge`) };
  return { ...outcome, judged: await judgeAnswer(sample, outcome.answer, answering, request) };
}

/** Failures of an answer whose recording is missing, or lacks a call. */
const unrecordedCodes: readonly (ErrorCode | undefined)[] = ['cassette-invalid', 'call-not-recorded'];

/**
 * Answers one sample with one arm.
 * @returns null where the budget no longer pays for it; `unrecorded` where a replay needs a reply that is not recorded.
 */
export async function outcomeFor(sample: Sample, arm: Arm, work: Work): Promise<SampleOutcome | 'unrecorded' | null> {
  const { options, answering, journal, budget, keepsRuns, signal } = work;
  const grant = budget.take();
  if (grant === null) return null;
  const isRecorded = arm.kind === 'ask' && keepsRuns;
  let [bytes, isWhole]: [number | null, boolean] = [null, true];
  const onEvent = (event: RunEvent) => {
    if (event.type === 'call.missing') isWhole = false;
    if (event.type !== 'run.started') return;
    bytes = event.bytes;
    if (isRecorded) journal.append({ type: 'begun', sample: sample.id, arm: arm.name, runId: event.runId });
  };
  const recordings = recordingsOf(options, sample.id, arm.name);
  const begun = journal.begun.get(keyOf({ sample: sample.id, arm: arm.name })) ?? null;
  let outcome: SampleOutcome | null = null;
  try {
    const asking = { allowance: grant.allowance, signal, onEvent, ...recordings, begun };
    const result = await answerSample(sample, arm, answering, asking);
    outcome = outcomeOf(sample, arm.name, result, { bytes, runId: isRecorded ? result.runId : null });
    outcome = await withJudgement(outcome, sample, grant.allowance, work);
  } catch (error) {
    if (!(error instanceof RlmError) || errorCodes[error.code].kind === 'configuration') throw error;
    outcome = failedOutcome(sample, arm.name, error.toInfo());
  } finally {
    grant.settle(outcome === null ? { calls: 0, tokens: 0, usd: 0 } : spentBy([outcome]));
  }
  signal.throwIfAborted();
  const isUnrecorded = options.replay !== null && (!isWhole || unrecordedCodes.includes(outcome?.error?.code));
  return isUnrecorded ? 'unrecorded' : outcome;
}
