import type { ContextStore } from '../context/document.ts';
import { weigh } from '../context/text-size.ts';
import { markedIds } from '../evidence/marks.ts';
import { type BudgetLeft, type KnownAnswer, renderKnown, renderPassages } from '../prompts/prompt.ts';
import type { Run } from '../run/run.ts';
import type { Completeness, Passage, StrategyName, SubQuestion, TreeNode } from '../state.ts';

/** The results of an earlier step, for the step that continues it. */
export interface EarlierStep {
  /** Passages of the earlier step: all that its prompt showed, or only those that its answer cites. */
  readonly shown: readonly Passage[];
  /** The answer, with passage ids as marks; null without an answer. */
  readonly answer: string | null;
  /** Questions that the answer leaves open, or searches for the missing information. */
  readonly missing: readonly string[];
}

/** A question to answer at one path of the tree. */
export interface Question {
  readonly question: string;
  readonly path: string;
  readonly depth: number;
  /** The questions above this one, from the root down. */
  readonly ancestors: readonly string[];
  readonly known: readonly KnownAnswer[];
  /** What a good answer contains. */
  readonly criteria: readonly string[];
  /** Passages that were retrieved for the question; null without retrieval. */
  readonly passages: readonly Passage[] | null;
  /** Passages of the parent question, and of earlier questions whose answers this one needs. */
  readonly inHand: readonly Passage[];
  /** Null for the first step. */
  readonly earlierStep: EarlierStep | null;
  /**
   * Whether the question, or a question above it, has a text of its own or asks for what an answer lacks. Such a
   * question may search even if `reasoner.childTools` is off.
   */
  readonly hasOwnText: boolean;
  /** The parts into which the question was split earlier. */
  readonly parts: readonly SubQuestion[];
  /** Calls that this question and its parts may use. Depends only on the limits and the shape of the tree. */
  readonly allotment: number;
}

type Decided = 'status' | 'answer' | 'citations' | 'assumptions' | 'steps' | 'children' | 'certainty' | 'error';

export interface Draft extends Completeness, Pick<TreeNode, Decided> {
  /** The strategy that produced the draft. It differs from the requested strategy if the latter could not answer. */
  readonly strategy: StrategyName;
  /** Replaces the reason for the chosen strategy, for example if another strategy answered. Null keeps the reason. */
  readonly strategyReason: string | null;
  readonly passages: readonly Passage[];
  /** The passages as the answering prompt showed them, possibly shortened; empty if several prompts answered. */
  readonly shown: readonly Passage[];
  /** Whether the reply says that the answer needs the whole text, as a count does. */
  readonly needsAll: boolean;
}

export interface Child extends Pick<Question, 'question' | 'path' | 'known' | 'inHand' | 'allotment'> {
  /** The text that the question is about; default: the parent's. */
  readonly text?: ContextStore;
  /** Whether a tool call or the model's code asked the question. Such a question is not split. Default: false. */
  readonly isQuery?: boolean;
  /** Whether the question may be explored with tools; default: false. */
  readonly explores?: boolean;
}

/** Answers a child question, and returns its node. Rejects only on bugs, because the node records a failure. */
export type Recurse = (child: Child) => Promise<TreeNode>;

/** Returns how many calls of its allotment a question has left, for itself and its parts. */
export const allotmentLeft = ({ allotment, path }: Question, run: Run): number =>
  Math.max(0, allotment - run.events.usage.at(path).calls);

/** Returns the bytes of known answers in a prompt. The search for passages subtracts them from `passageBytes`. */
export const takenBy = ({ known }: Pick<Question, 'known'>): number =>
  known.length > 0 ? Buffer.byteLength(renderKnown(known)) : 0;

/** Returns the first passages of the earlier step that fit together, unshortened, into a third of `room` (bytes). */
export function earlierPassages({ earlierStep }: Question, room: number, run: Run): readonly Passage[] {
  let left = room / 3;
  return run.passages.byId((earlierStep?.shown ?? []).map(({ id }) => id)).filter((passage) => {
    left -= weigh(renderPassages([passage]));
    return left >= 0;
  });
}

/**
 * Returns the passages of the earlier step whose ids are marks in earlier or known answers. The model may cite these
 * passages even if the prompt lacks them.
 */
export function toldPassages({ earlierStep, known }: Question): readonly Passage[] {
  const told = new Set([earlierStep, ...known].flatMap((earlier) => markedIds(earlier?.answer ?? '')));
  return earlierStep?.shown.filter(({ id }) => told.has(id)) ?? [];
}

/** Returns the remaining budget that a model sees before it decides on more calls. */
export const budgetLeft = (question: Question, run: Run): BudgetLeft => ({
  calls: allotmentLeft(question, run),
  levels: run.settings.budget.maxDepth - question.depth,
});

/** A note in an answer. The text on a search server can be searched, but not read as a whole. */
export const unreadServer = 'The text on the search server was not read.';

/** Answers a question in one way. Throws RlmError if there is no answer at all. */
export type Strategy = (question: Question, run: Run, recurse: Recurse) => Promise<Draft>;

/** Returns a question and its answer for the questions that build on it. */
export const asKnown = ({ question, answer }: TreeNode): KnownAnswer => ({ question, answer });

/** Creates a draft. With an error, the draft is partial by default. */
export function draftBy(strategy: StrategyName, said: Partial<Omit<Draft, 'strategy'>>): Draft {
  const { error = null } = said;
  return {
    strategy,
    strategyReason: null,
    status: error === null ? 'answered' : 'partial',
    answer: null,
    tells: null,
    missing: [],
    needsAll: false,
    citations: [],
    assumptions: [],
    passages: [],
    shown: [],
    steps: [],
    children: [],
    certainty: null,
    ...said,
    error,
  };
}
