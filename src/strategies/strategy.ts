import type { ErrorInfo } from '../errors.ts';
import type { KnownAnswer } from '../prompts/prompt.ts';
import type { Run } from '../run/run.ts';
import type { Citation, NodeStatus, Passage, StrategyName, SubQuestion, TreeNode } from '../state.ts';

/** A question to be answered at one place in the tree. */
export interface Question {
  readonly question: string;
  readonly path: string;
  readonly depth: number;
  /** The questions above this one, the root's first. */
  readonly ancestors: readonly string[];
  /** Answers that this question builds on. */
  readonly known: readonly KnownAnswer[];
  /** What a good answer contains. */
  readonly criteria: readonly string[];
  /** Passages that were retrieved for it already, or null. */
  readonly passages: readonly Passage[] | null;
  /** Parts that it was split into already; empty when it was not. */
  readonly parts: readonly SubQuestion[];
  /** How many questions were made of its parent, itself included; they share what is left of the budget. */
  readonly siblings: number;
}

/** What a strategy makes of a question. */
export interface Draft {
  /** The strategy that made it; another one than was asked when that had nothing to do. */
  readonly strategy: StrategyName;
  /** Why that one made it, or null when it is the one that was asked. */
  readonly strategyReason: string | null;
  readonly status: NodeStatus;
  readonly answer: string | null;
  readonly citations: readonly Citation[];
  readonly assumptions: readonly string[];
  readonly passages: readonly Passage[];
  readonly children: readonly TreeNode[];
  /** Why there is no answer from a reply, or null. */
  readonly error: ErrorInfo | null;
}

/** Answers a question one level deeper, by the whole procedure. It never rejects but for bugs: a failure is in the node. */
export type Recurse = (child: Pick<Question, 'question' | 'path' | 'known' | 'siblings'>) => Promise<TreeNode>;

/** A way to answer. */
export interface Strategy {
  readonly name: StrategyName;
  /** Throws RlmError when there is nothing to show for it. */
  solve(question: Question, run: Run, recurse: Recurse): Promise<Draft>;
}
