/** Answers one sample with one arm within the budget of the evaluation, and judges the answer where a judge is set. */
import { join } from 'node:path';
import { errorCodes, RlmError, type RunEvent } from '../../index.ts';
import { type Allowance, type Answering, answerSample } from '../arms/answer.ts';
import type { Arm } from '../arms/arm.ts';
import type { Sample } from '../samples/sample.ts';
import type { EvaluationOptions } from './evaluation.ts';
import { type EvaluationJournal, keyOf } from './evaluation-journal.ts';
import { failedOutcome, type Outcome, outcomeOf, spentBy } from './outcome.ts';
import type { SharedBudget } from './shared-budget.ts';

/** Returns a file name without characters that a file system may refuse. */
const fileOf = (sample: string, arm: string): string => `${sample}.${arm}`.replace(/[^\w.-]/g, '_');

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

/** Answers one sample with one arm; null where the budget no longer pays for it. */
export async function outcomeFor(
  sample: Sample,
  arm: Arm,
  { options, answering, journal, budget, keepsRuns, signal }: Work,
) {
  const grant = budget.take();
  if (grant === null) return null;
  const facts = { bytes: null as number | null, isRecorded: false };
  const isRecorded = arm.kind === 'ask' && keepsRuns;
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
    if (!(error instanceof RlmError) || errorCodes[error.code].kind === 'configuration') throw error;
    outcome = failedOutcome(sample, arm.name, error.toInfo());
  } finally {
    grant.settle(outcome === null ? { calls: 0, tokens: 0, usd: 0 } : spentBy([outcome]));
  }
  signal.throwIfAborted();
  return outcome;
}
