/** What became of a question and of those below it. */
import type { ErrorInfo } from '../errors.ts';
import type { Citation, PassageRef } from './passage.ts';
import type { StrategyName } from './strategies.ts';

/** How hard a question was judged to be. */
export interface Assessment {
  readonly verdict: 'SIMPLE' | 'COMPLEX';
  /** The model's probability of COMPLEX, 0–1; null where it reports no probabilities. */
  readonly probability: number | null;
  readonly reason: string;
}

/** answered: from a reply. partial: put together without the model from parts. unanswered: no answer. */
export type NodeStatus = 'answered' | 'partial' | 'unanswered';

/** How much of the question an answer tells, by its own reply: everything, a part, or nothing. */
export type Tells = 'all' | 'part' | 'nothing';

/** What a reply says about its answer. */
export interface Completeness {
  /** Null where the reply does not say. */
  readonly tells: Tells | null;
  /** What the text that was read does not tell, as short questions that stand by themselves. */
  readonly missing: readonly string[];
}

/** Tokens as the provider counted them, or as estimated where it did not. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Tokens of a call. Those of the provider's prompt cache are a part of the input, and have prices of their own. */
export interface CallTokens extends Tokens {
  /** Read from the cache; left out where the provider does not tell. */
  readonly cacheRead?: number;
  /** Written to the cache; left out where the provider does not tell. */
  readonly cacheWritten?: number;
}

/** A search besides a question's first: its reply asked for it, or the first one's passages led to it. */
export interface FurtherSearch {
  readonly query: string;
  /** Ids of the passages that it brought, the best first. */
  readonly found: readonly string[];
}

/** A tool call of a step, and what came of it. */
export interface ToolUse {
  readonly tool: string;
  /** The arguments, or what stood in their place. */
  readonly arguments: unknown;
  /** What the model was told. */
  readonly result: string;
  /** done; same: it was made before, and was not made again; wrong: it could not be made. */
  readonly outcome: 'done' | 'same' | 'wrong';
}

/** Something that a question's exploration has found in the text. */
export interface ExploredFinding {
  readonly description: string;
  /** Words of the text, as the text has them if they were found. */
  readonly evidence: string;
  readonly source: string;
  readonly startLine: number;
  readonly endLine: number;
  /** 0–100, as the model says. */
  readonly confidence: number;
  /** The passage that contains the evidence; null when none does, and the finding does not count. */
  readonly passage: string | null;
}

/** One step of an exploration: what was thought, done and found, and where it goes from there. */
export interface ExploreStep {
  /** From 1. */
  readonly number: number;
  readonly thought: string;
  readonly calls: readonly ToolUse[];
  /** What this step has found; those before are in their steps. */
  readonly findings: readonly ExploredFinding[];
  readonly next: string;
  /** Steps up to this number were shown to the model in short in this step; 0: none. */
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
  /** Why this strategy was taken. */
  readonly strategyReason: string;
  /** Null where the strategy was settled without asking. */
  readonly assessment: Assessment | null;
  /** What it was answered from. */
  readonly passages: readonly PassageRef[];
  /** Searches besides the first. */
  readonly searches: readonly FurtherSearch[];
  /** What its exploration or its code did, step by step; empty for other strategies. */
  readonly steps: readonly ExploreStep[];
  /** With passage ids in square brackets (`[P12]`) where it cites; null when there is none. */
  readonly answer: string | null;
  readonly citations: readonly Citation[];
  readonly assumptions: readonly string[];
  readonly children: readonly TreeNode[];
  /**
   * Where code has computed the answer: how certain it is that the question means the rule by which it did, 0–1. Null
   * where a model or a search has answered.
   */
  readonly certainty: number | null;
  /** This node's own calls, tokens and time in ms (children not included in calls and tokens; time is the whole). */
  readonly calls: number;
  /** Calls of this node that were none, since the same was asked before. */
  readonly cacheHits: number;
  readonly tokens: Tokens;
  readonly timeMs: number;
  /** Why there is no answer from a reply, or null. */
  readonly error: ErrorInfo | null;
}
