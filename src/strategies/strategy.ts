import type { ContextStore } from '../context/document.ts';
import type { ErrorInfo } from '../errors.ts';
import { type BudgetLeft, type KnownAnswer, renderKnown } from '../prompts/prompt.ts';
import type { Run } from '../run/run.ts';
import type {
  Citation,
  ExploreStep,
  FurtherSearch,
  NodeStatus,
  Passage,
  StrategyName,
  SubQuestion,
  TreeNode,
} from '../state.ts';

/** An answer that left a doubt. */
interface Tried {
  /** What it was made from. It begins the next prompt, too, so that a server need not read it again. */
  readonly shown: readonly Passage[];
  /** Other words that the question was put in since; empty: none. */
  readonly words: string;
}

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
  /** Passages that were found for the question above, and for those before it whose answers this one needs. */
  readonly inHand: readonly Passage[];
  /** The answer from the best sentences that was tried before and left a doubt; null: none was. */
  readonly tried: Tried | null;
  /** Whether it is about a text of its own, and not about all that the question above is about. */
  readonly hasOwnText: boolean;
  /** Parts that it was split into already; empty when it was not. */
  readonly parts: readonly SubQuestion[];
  /**
   * Calls that this question, its parts included, may count on, in all. It follows from the limits and the tree alone,
   * not from what others have spent by now, so a run splits its questions in the same way each time.
   */
  readonly allotment: number;
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
  /** The same as the one prompt that answered showed them, which may be in part; empty where there were several. */
  readonly shown: readonly Passage[];
  readonly searches: readonly FurtherSearch[];
  readonly steps: readonly ExploreStep[];
  readonly children: readonly TreeNode[];
  /** As in the node. */
  readonly certainty: number | null;
  /** Why there is no answer from a reply, or null. */
  readonly error: ErrorInfo | null;
}

/** A question one level deeper. */
export interface Child extends Pick<Question, 'question' | 'path' | 'known' | 'inHand' | 'allotment'> {
  /** The only text that it is about; default: that of the question above. */
  readonly text?: ContextStore;
  /** Whether its form shows all of its parts, so that no model is asked whether it has any; default: no. */
  readonly isPlain?: boolean;
  /** Whether it may look around with tools, too, where it is worth that; default: no. */
  readonly explores?: boolean;
}

/**
 * Answers a question one level deeper, by the whole procedure. It never rejects but for bugs: a failure is in the
 * node.
 */
export type Recurse = (child: Child) => Promise<TreeNode>;

/** Calls of its allotment that a question has left for itself and its parts. */
export const allotmentLeft = ({ allotment, path }: Question, run: Run): number =>
  Math.max(0, allotment - run.events.usage.at(path).calls);

/** What a question's prompt holds that the window was not chosen for, in bytes: what is known can be of any length. */
export const takenBy = ({ known }: Pick<Question, 'known'>): number =>
  known.length > 0 ? Buffer.byteLength(renderKnown(known)) : 0;

/** What a model is told before it decides on more calls. */
export const budgetLeft = (question: Question, run: Run): BudgetLeft => ({
  calls: allotmentLeft(question, run),
  levels: run.settings.budget.maxDepth - question.depth,
});

/** A way to answer. */
export interface Strategy {
  readonly name: StrategyName;
  /** Throws RlmError when there is nothing to show for it. */
  solve(question: Question, run: Run, recurse: Recurse): Promise<Draft>;
}
