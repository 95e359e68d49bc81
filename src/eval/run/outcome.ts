import type { ErrorInfo, Result, TreeNode } from '../../index.ts';
import type { Sample } from '../samples/sample.ts';
import type { Judgement } from '../scorers/judge.ts';
import { noScore, type Score, score } from '../scorers/score.ts';
import type { Spent } from './shared-budget.ts';

/** What one arm made of one sample: plain data, as it stands in the journal and in the result. */
export interface Outcome {
  readonly sample: string;
  readonly arm: string;
  /** answered: there is an answer, if cut short. failed: there is none, which is never scored as one. */
  readonly status: 'answered' | 'failed';
  /** The answer as it was given, at most 4,000 characters; null: none. */
  readonly answer: string | null;
  /** 0–1 each; all 0 where there is no answer. */
  readonly score: Score;
  /** 0–1; null: unknown. */
  readonly confidence: number | null;
  /** `code`: how certain a rule is that computed the answer. Null or left out where there is none. */
  readonly confidenceKind?: Result['confidenceKind'] | 'code' | null;
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** In USD; null where a price is not known. */
  readonly cost: number | null;
  readonly seconds: number;
  /** Of the text that was asked about, in bytes; null where no run began. */
  readonly bytes: number | null;
  /** The deepest question of the recursion tree, 0 for the root alone. */
  readonly depth: number;
  readonly strategy: string | null;
  /** What `rlm runs show` takes; null where the run was not recorded. */
  readonly runId: string | null;
  /** Of the run, such as a text that was cut. */
  readonly warnings: readonly string[];
  /** Null where there is no judge, or no answer. */
  readonly judged: Judgement | null;
  /** Why there is no answer, or why it was cut short. */
  readonly error: ErrorInfo | null;
}

const longestAnswer = 4_000;
const mostWarnings = 5;

function depthOf(node: TreeNode | null): number {
  return node === null ? 0 : Math.max(node.depth, ...node.children.map(depthOf));
}

/** What is known of a run besides its result. */
export interface RunFacts {
  readonly bytes: number | null;
  readonly isRecorded: boolean;
}

/** The outcome of a run that resolved. A run whose answer is null has failed, whatever ended it. */
export function outcomeOf(sample: Sample, arm: string, result: Result, { bytes, isRecorded }: RunFacts): Outcome {
  const { answer, usage, confidence, recursionTree, citations, error } = result;
  const sources = citations.map(({ source }) => source);
  return {
    sample: sample.id,
    arm,
    status: answer === null ? 'failed' : 'answered',
    answer: answer === null ? null : answer.slice(0, longestAnswer),
    score: answer === null ? noScore : score(sample, { answer, sources }),
    confidence: confidence === null ? null : confidence / 100,
    confidenceKind: (recursionTree?.certainty ?? null) === null ? result.confidenceKind : 'code',
    calls: usage.calls,
    tokens: usage.tokens,
    cost: usage.cost,
    seconds: usage.wallTimeMs / 1000,
    bytes,
    depth: depthOf(recursionTree),
    strategy: recursionTree?.strategy ?? null,
    runId: isRecorded ? result.runId : null,
    warnings: result.warnings.slice(0, mostWarnings),
    judged: null,
    error,
  };
}

/** What outcomes have cost, with their judge. */
export const spentBy = (outcomes: readonly Outcome[]): Spent => ({
  calls: outcomes.reduce((sum, { calls, judged }) => sum + calls + (judged?.calls ?? 0), 0),
  tokens: outcomes.reduce((sum, { tokens, judged }) => sum + tokens.input + tokens.output + (judged?.tokens ?? 0), 0),
  usd: outcomes.reduce((sum, { cost, judged }) => sum + (cost ?? 0) + (judged?.cost ?? 0), 0),
});

/** The outcome of a run that could not begin. */
export const failedOutcome = (sample: Sample, arm: string, error: ErrorInfo): Outcome => ({
  ...{ sample: sample.id, arm, status: 'failed', answer: null, score: noScore, confidence: null, calls: 0 },
  ...{ tokens: { input: 0, output: 0 }, cost: 0, seconds: 0, bytes: null, depth: 0, strategy: null, runId: null },
  ...{ warnings: [], judged: null, error },
});
