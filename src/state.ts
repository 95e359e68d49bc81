/**
 * Each stage takes the state of the stage before it and returns a new state with more fields, so stages in a wrong
 * order do not compile.
 */
import type { ErrorInfo } from './errors.ts';
import type { Claim, ConfidenceKind, Contradiction, Critique, Form } from './state/critique.ts';
import type { Citation, DocumentInfo, Passage } from './state/passage.ts';
import type { LadderStep, StrategyName } from './state/strategies.ts';
import type { TreeNode } from './state/tree.ts';

export * from './state/critique.ts';
export type * from './state/passage.ts';
export * from './state/strategies.ts';
export type * from './state/tree.ts';

/** An earlier question with its answer. */
export interface EarlierAnswer {
  readonly question: string;
  readonly answer: string;
}

/** The state before any stage: the question and its documents. */
export interface TaskState {
  readonly task: string;
  /** Earlier questions and answers that the task may refer to; empty if it is not a follow-up. */
  readonly earlier: readonly EarlierAnswer[];
  readonly documents: readonly DocumentInfo[];
}

/** A part of a question. */
export interface SubQuestion {
  readonly question: string;
  /** Numbers (from 1) of earlier parts whose answers this part needs. */
  readonly needs: readonly number[];
}

/** The plan that the planner adds to the state. */
export interface Plan {
  /** code: the plan follows from measured facts. planner: a model made the plan. */
  readonly madeBy: 'code' | 'planner';
  readonly approach: StrategyName;
  /** Why this approach was chosen, in a sentence. */
  readonly reason: string;
  readonly taskDecomposition: readonly string[];
  readonly keyQuestions: readonly SubQuestion[];
  readonly requiredInformation: readonly string[];
  readonly successCriteria: readonly string[];
}

export interface Planned extends TaskState {
  readonly plan: Plan;
}

export interface Retrieved extends Planned {
  /** The passages for the whole task. */
  readonly context: readonly Passage[];
}

/** A step towards the answer, and any doubt about its result. */
export interface Rung {
  readonly step: LadderStep;
  /** Why the step was taken, in a sentence. */
  readonly reason: string;
  /** Why the step's answer is doubtful; null if it is not. */
  readonly doubt: string | null;
  /**
   * The probability (0–1) that the passages contain the answer, from a separate question to a small model. Null when
   * that question was not asked, or had no reply.
   */
  readonly answerable: number | null;
  /** Whether the answer of this step was kept. */
  readonly isKept: boolean;
}

export interface Reasoned extends Retrieved {
  /** The answer with its citation numbers (`[1]`); null if there is none. */
  readonly solution: string | null;
  /** Numbered in the order in which the answer cites them. */
  readonly citations: readonly Citation[];
  /** The passages in the prompt that led to the answer, in order. Empty if several prompts led to it. */
  readonly read: readonly Passage[];
  /** The steps in order. `recursionTree` is the tree of the step that was kept. */
  readonly ladder: readonly Rung[];
  readonly recursionTree: TreeNode;
}

export interface Critiqued extends Reasoned {
  /** Null when the critic was not asked or gave no usable reply. */
  readonly critique: Critique | null;
  /** Where the passages contradict each other about the question. */
  readonly contradictions: readonly Contradiction[];
  /** The answer's claims in their order; empty when there is no answer. */
  readonly claims: readonly Claim[];
  /** 0–100; `confidenceKind` says what it measures. Null if it could not be determined. */
  readonly confidence: number | null;
  readonly confidenceKind: ConfidenceKind;
  /** Why the confidence is low or missing; else null. */
  readonly confidenceReason: string | null;
}

export interface Formed extends Critiqued {
  /**
   * Null without the setting `schema`. If the answer was converted to the schema, `solution` is the answer as JSON, the
   * `claims` are the fields of the JSON, and the confidence is the confidence in these fields.
   */
  readonly form: Form | null;
}

/** A run cut short: the state that it reached, and the reason why it stopped. */
export interface Interrupted {
  readonly state: TaskState | Planned | Retrieved | Reasoned;
  readonly stopped: ErrorInfo;
}
