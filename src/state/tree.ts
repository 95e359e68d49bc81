/** The recursion tree: the questions of a run with their results. */
import type { ErrorInfo } from '../errors.ts';
import type { Citation, PassageRef } from './passage.ts';
import type { StrategyName } from './strategies.ts';

/** How hard a question was judged to be. */
export interface Assessment {
  readonly verdict: 'SIMPLE' | 'COMPLEX';
  /** The model's probability of COMPLEX, 0–1; null if it reports no probabilities. */
  readonly probability: number | null;
  readonly reason: string;
}

/** answered: without an error. partial: an error left the answer incomplete. unanswered: no answer. */
export type NodeStatus = 'answered' | 'partial' | 'unanswered';

/** How much of the question the answer covers, as the model judges: everything, a part, or nothing. */
export type Tells = 'all' | 'part' | 'nothing';

/** What a reply says about its answer. */
export interface Completeness {
  /** Null if the reply does not say. */
  readonly tells: Tells | null;
  /** Short, self-contained questions that the text does not answer, as far as it was read. */
  readonly missing: readonly string[];
}

/** Tokens as the provider counted them; estimated if the provider does not count them. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Tokens of a call. `input` includes the tokens of the provider's prompt cache, which have other prices. */
export interface CallTokens extends Tokens {
  /** Read from the cache; left out if the provider does not report it. */
  readonly cacheRead?: number;
  /** Written to the cache; left out if the provider does not report it. */
  readonly cacheWritten?: number;
}

/** A further search for a question. A reply asked for it, or passages of the first search led to it. */
export interface FurtherSearch {
  readonly query: string;
  /** Ids of the passages that it found, best first. */
  readonly found: readonly string[];
}

/** A tool call of a step, with its result. */
export interface ToolUse {
  readonly tool: string;
  /** The arguments, or what the model sent in place of valid arguments. */
  readonly arguments: unknown;
  /** The result that the model received. */
  readonly result: string;
  /** done: the call gave a result. same: an earlier call was the same. wrong: the call was invalid or failed. */
  readonly outcome: 'done' | 'same' | 'wrong';
}

/** Something that an exploration found in the text. */
export interface ExploredFinding {
  readonly description: string;
  /** The words that the model quotes from the text; verbatim if they were found there. */
  readonly evidence: string;
  readonly source: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The model's own confidence in the finding, 0–100. */
  readonly confidence: number;
  /** The passage that contains the evidence; null if none does. Only a finding with a passage can be cited. */
  readonly passage: string | null;
}

/** One step of an exploration, with its thought, its tool calls, its findings and the plan for the next step. */
export interface ExploreStep {
  /** Counted from 1. */
  readonly number: number;
  readonly thought: string;
  readonly calls: readonly ToolUse[];
  /** What this step found. */
  readonly findings: readonly ExploredFinding[];
  readonly next: string;
  /** Number of the last step that the model saw in shortened form; 0 if it saw all steps in full. */
  readonly summarisedTo: number;
}

/** One question in the recursion tree. */
export interface TreeNode extends Completeness {
  /** The place in the tree: `0` is the root, `0.2` its second child. */
  readonly path: string;
  readonly question: string;
  /** 0 at the root. */
  readonly depth: number;
  readonly status: NodeStatus;
  readonly strategy: StrategyName;
  /** Why this strategy was chosen. */
  readonly strategyReason: string;
  /** Null if the strategy was chosen without asking a model. */
  readonly assessment: Assessment | null;
  /** The passages from which the question was answered. */
  readonly passages: readonly PassageRef[];
  /** Searches after the first. */
  readonly searches: readonly FurtherSearch[];
  /** The steps of the strategies `explore` and `repl`; empty for other strategies. */
  readonly steps: readonly ExploreStep[];
  /** The answer, with citations as passage ids in square brackets (`[P12]`); null without an answer. */
  readonly answer: string | null;
  readonly citations: readonly Citation[];
  readonly assumptions: readonly string[];
  readonly children: readonly TreeNode[];
  /** The probability, 0–1, that an answer computed by code is right. Null if a model or a search answered. */
  readonly certainty: number | null;
  /** Calls and tokens of this node without its children. `timeMs` includes the children. */
  readonly calls: number;
  /** Calls of this node that were not needed, because the same request was made before. `calls` excludes them. */
  readonly cacheHits: number;
  readonly tokens: Tokens;
  readonly timeMs: number;
  /** Why there is no complete answer; null without an error. */
  readonly error: ErrorInfo | null;
}
