import type { ErrorInfo } from '../../errors.ts';
import type { Result } from '../../result.ts';
import type { Citation, TreeNode } from '../../state.ts';
import type { Sample } from '../samples/sample.ts';
import type { Judgement } from '../scorers/judge.ts';
import { noScore, type Score, score } from '../scorers/score.ts';
import type { Spent } from './shared-budget.ts';

/** A place in the text that an answer cites. */
type CitedPlace = Pick<Citation, 'number' | 'source' | 'startLine' | 'endLine' | 'quote' | 'under'>;

/** The result of one arm for one sample: plain data, as stored in the journal and the report. */
export interface SampleOutcome {
  readonly sample: string;
  readonly arm: string;
  /**
   * answered: there is an answer, possibly cut short. failed: there is none, and the error is never scored as an
   * answer.
   */
  readonly status: 'answered' | 'failed';
  /** The answer as it was given, at most 4,000 characters; null: none. */
  readonly answer: string | null;
  /** 0–1 each; all 0 where there is no answer. */
  readonly score: Score;
  /** 0–1; null: unknown. */
  readonly confidence: number | null;
  /** `code`: the certainty of the rule that computed the answer. Null or absent without a confidence. */
  readonly confidenceKind?: Result['confidenceKind'] | 'code' | null;
  readonly calls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** What it cites, at most 50. Absent in results of earlier versions. */
  readonly citations?: readonly CitedPlace[];
  /** In USD; null where a price is unknown. */
  readonly cost: number | null;
  readonly seconds: number;
  /** Size of the text, in bytes; null where no run began. */
  readonly bytes: number | null;
  /** Depth of the deepest question in the recursion tree, 0 for the root alone. */
  readonly depth: number;
  readonly strategy: string | null;
  /** Id for `rlm runs show`; null where the run was not recorded. */
  readonly runId: string | null;
  /** Warnings of the run, such as about text that was cut. */
  readonly warnings: readonly string[];
  /** The judge's verdict; null without a judge or an answer. */
  readonly judged: Judgement | null;
  /** The reason why there is no answer, or why it was cut short; else null. */
  readonly error: ErrorInfo | null;
}

const longestAnswer = 4_000;
const mostWarnings = 5;
const mostCitations = 50;

function depthOf(node: TreeNode | null): number {
  return node === null ? 0 : Math.max(node.depth, ...node.children.map(depthOf));
}

/** Facts about a run besides its result. */
export interface OutcomeFacts {
  readonly bytes: number | null;
  readonly isRecorded: boolean;
}

/** Returns the outcome of a run that resolved. A run without an answer failed, whatever ended it. */
export function outcomeOf(
  sample: Sample,
  arm: string,
  result: Result,
  { bytes, isRecorded }: OutcomeFacts,
): SampleOutcome {
  const { answer, usage, confidence, recursionTree, citations, tells, error } = result;
  const sources = citations.map(({ source }) => source);
  return {
    sample: sample.id,
    arm,
    status: answer === null ? 'failed' : 'answered',
    answer: answer === null ? null : answer.slice(0, longestAnswer),
    score: answer === null ? noScore : score(sample, { answer, sources, tells }),
    confidence: confidence === null ? null : confidence / 100,
    confidenceKind: (recursionTree?.certainty ?? null) === null ? result.confidenceKind : 'code',
    citations: citations.slice(0, mostCitations).map(({ number, source, startLine, endLine, quote, under }) => ({
      number,
      source,
      startLine,
      endLine,
      quote,
      ...(under && { under }),
    })),
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

/** Returns what outcomes cost, including the judge. */
export const spentBy = (outcomes: readonly SampleOutcome[]): Spent => ({
  calls: outcomes.reduce((sum, { calls, judged }) => sum + calls + (judged?.calls ?? 0), 0),
  tokens: outcomes.reduce((sum, { tokens, judged }) => sum + tokens.input + tokens.output + (judged?.tokens ?? 0), 0),
  usd: outcomes.reduce((sum, { cost, judged }) => sum + (cost ?? 0) + (judged?.cost ?? 0), 0),
});

/** Returns the outcome of a run that could not begin. */
export const failedOutcome = (sample: Sample, arm: string, error: ErrorInfo): SampleOutcome => ({
  ...{ sample: sample.id, arm, status: 'failed', answer: null, score: noScore, confidence: null, calls: 0 },
  ...{ tokens: { input: 0, output: 0 }, cost: 0, seconds: 0, bytes: null, depth: 0, strategy: null, runId: null },
  ...{ warnings: [], judged: null, error },
});
