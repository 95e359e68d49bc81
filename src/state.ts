/**
 * The state of a run, growing stage by stage. Each stage takes the state of the one before it and adds its own slice,
 * so stages in a wrong order do not compile. Nothing is optional and nothing is changed in place.
 */
import type { ErrorInfo } from './errors.ts';

/** One file, or the piped text, in the context. */
export interface DocumentInfo {
  /** The path as the user gave or would type it, with `/` separators; `stdin` for piped text. */
  readonly name: string;
  /** Size of the decoded text as UTF-8, in bytes. */
  readonly bytes: number;
  readonly lines: number;
}

/** A chunk retrieved for a question. */
export interface Passage {
  /**
   * `P` and the chunk's number in the context: the same chunk has the same id in the whole run. Of a passage from a
   * search server, and of lines of a file that a tool has read, the number has ten digits and is made of its source,
   * its place and its text.
   */
  readonly id: string;
  /** The document's name. */
  readonly source: string;
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Byte range in the document's UTF-8 text, end exclusive; from a search server in the passage's own text. */
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
  /**
   * What it stands under that is not in its text, the outermost first: headings, the head of its table, the first lines
   * of the definitions that it is in. Absent where there is nothing, or it was not looked for.
   */
  readonly under?: readonly string[];
  /** The retriever's score for the question, 0 or more; 0 when the passage was not searched for. */
  readonly score: number;
  /** First 16 hex digits of the SHA-256 of `text`. */
  readonly hash: string;
}

/**
 * How the reasoner may answer a question, each in a line; the settings, the planner and the output's schemas list
 * these.
 */
export const strategyAbout = {
  direct: 'one look at the best passages',
  decompose: 'split the question into parts that need different passages, or that build on each other',
  scan: 'read all of the text, piece by piece: to count or list everything of a kind, or to sum up the whole',
  explore:
    'look around in the text with tools, step by step: for a large or connected text where one step shows what the next is',
  repl: 'look into the text with code that the model writes: to search, count and compare in a very large text, piece by piece',
} as const;

/** How the reasoner answers a question. */
export type StrategyName = keyof typeof strategyAbout;

/** Every strategy by its name, the cheapest first. */
export const strategyNames = Object.keys(strategyAbout) as [StrategyName, ...StrategyName[]];

/** A question that was answered before, with what was found. */
export interface EarlierAnswer {
  readonly question: string;
  readonly answer: string;
}

/** A part of a question. */
export interface SubQuestion {
  readonly question: string;
  /** Numbers (from 1) of earlier parts whose answers this part needs. */
  readonly needs: readonly number[];
}

/** The planner's slice. */
export interface Plan {
  /** Who made it: code, of facts that can be measured, or the planner's call. */
  readonly madeBy: 'code' | 'planner';
  readonly approach: StrategyName;
  /** Why this approach was taken, in a sentence. */
  readonly reason: string;
  readonly taskDecomposition: readonly string[];
  readonly keyQuestions: readonly SubQuestion[];
  readonly requiredInformation: readonly string[];
  readonly successCriteria: readonly string[];
}

/** A passage, or a part of one, that an answer rests on; checked against the text. */
export interface Citation {
  /** The number that stands in the answer as `[1]`. */
  readonly number: number;
  readonly passage: string;
  readonly source: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  readonly endByte: number;
  /** Of the passage the citation lies in. */
  readonly hash: string;
  /** The quoted words as they stand in the source, or null when the whole passage is cited. */
  readonly quote: string | null;
  /** reply: the reply named the passage. code: the reply named none, and code has found the words that bear it out. */
  readonly origin: 'reply' | 'code';
}

/** How hard a question was judged to be. */
export interface Assessment {
  readonly verdict: 'SIMPLE' | 'COMPLEX';
  /** That it is COMPLEX, by the model's own tokens, 0–1; null where they are not told. */
  readonly probability: number | null;
  readonly reason: string;
}

/** A passage as it is listed in the recursion tree: everything but its text. */
export type PassageRef = Omit<Passage, 'text'>;

/** answered: from a reply. partial: put together without the model from parts. unanswered: no answer. */
export type NodeStatus = 'answered' | 'partial' | 'unanswered';

/** Tokens as the provider counted them, or as estimated where it did not. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
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
  /** Words of the text, as they stand there where they were found. */
  readonly evidence: string;
  readonly source: string;
  readonly startLine: number;
  readonly endLine: number;
  /** 0–100, as the model says. */
  readonly confidence: number;
  /** The passage in which the evidence was found to stand; null when it was not, and the finding does not count. */
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
export interface TreeNode {
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

/** The critic's words about the answer. */
export interface Critique {
  /** 0–100, the critic's own number; not the confidence. */
  readonly score: number;
  readonly gaps: readonly string[];
  readonly uncertainties: readonly string[];
  readonly reasoning: string;
}

/**
 * supported: the passages bear it out. partial: a part of it. unsupported: they do not say it. contradicted: they say
 * otherwise. unchecked: it was not held against them.
 */
export type Verdict = 'supported' | 'partial' | 'unsupported' | 'contradicted' | 'unchecked';

/** A sentence, a list item or a row of the answer that can be true or false, held against the text. */
export interface Claim {
  /** Without its marks. */
  readonly text: string;
  /** Character range in the answer, in UTF-16 units, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Numbers of the citations that it names, or that code has found for it. */
  readonly citations: readonly number[];
  /** How well the passages bear it out, 0–1; null when that was not checked. */
  readonly support: number | null;
  readonly verdict: Verdict;
  /** What is wrong, or why it was not checked; null when nothing is wrong. */
  readonly reason: string | null;
}

/** One of two places that contradict each other. */
export interface ContradictionSide {
  readonly passage: string;
  readonly source: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The sentence as it stands there. */
  readonly quote: string;
}

/** Two sentences of the text that answer the question differently. */
export interface Contradiction {
  /** `runbook.md:31 says 40, deploys.md:14 says 4`. */
  readonly text: string;
  readonly sides: readonly [ContradictionSide, ContradictionSide];
}

/** What the answer rests on. */
interface Evidence {
  /** Numbered in the order in which the answer cites them. */
  readonly citations: readonly Citation[];
}

/** Before any stage: the question and what it is asked about. */
export interface TaskState {
  readonly task: string;
  /** Earlier questions with their answers, which the task builds on; empty where it stands alone. */
  readonly earlier: readonly EarlierAnswer[];
  readonly documents: readonly DocumentInfo[];
}

export interface Planned extends TaskState {
  readonly plan: Plan;
}

export interface Retrieved extends Planned {
  /** The passages for the whole task. */
  readonly context: readonly Passage[];
}

/**
 * How far `auto` went for an answer. look: code computed it, no model was asked. answer: one call, from the best
 * sentences. wider: one more, from more of the text. quote: the best sentences themselves, as the model gave no answer
 * that can be used. refine: what the answer left open was looked for once more. The others are the strategies of that
 * name.
 */
export type LadderStep = 'look' | 'answer' | 'wider' | 'quote' | 'refine' | Exclude<StrategyName, 'direct'>;

/** A step that was taken, and what its check by code found. */
export interface Rung {
  readonly step: LadderStep;
  /** Why it was taken, in a sentence. */
  readonly reason: string;
  /** What its answer leaves open; null: nothing. */
  readonly doubt: string | null;
  /** Whether its answer is the one that was kept. */
  readonly isKept: boolean;
}

export interface Reasoned extends Retrieved {
  /** The answer with its citation numbers (`[1]`), or null when there is none. */
  readonly solution: string | null;
  readonly evidence: Evidence;
  /** Passages as the prompt that answered showed them, in its order; empty where several prompts did. */
  readonly read: readonly Passage[];
  /** The steps in their order; the tree is that of the one that was kept. */
  readonly ladder: readonly Rung[];
  readonly recursionTree: TreeNode;
}

export interface Executed extends Reasoned {
  /** What the answer still asked for, and tools have done; then `solution` is its revision. */
  readonly toolExecutions: readonly ToolUse[];
}

export interface Critiqued extends Executed {
  /** Null when the critic could not be asked or gave no usable reply. */
  readonly critique: Critique | null;
  /** Where the passages that were read contradict each other about the question. */
  readonly contradictions: readonly Contradiction[];
  /** The answer's claims in their order; empty when there is no answer. */
  readonly claims: readonly Claim[];
  /** 0–100, as `confidenceKind` says; null when there is no evidence. */
  readonly confidence: number | null;
  readonly confidenceKind: ConfidenceKind;
  /** What holds the confidence down, or why there is none; null when nothing does. */
  readonly confidenceReason: string | null;
}

/** The answer in the form that was asked for (`schema`). */
export interface Form {
  /** Conforms to the schema; null also where the answer could not be put into it. */
  readonly value: unknown;
  /** What fields rest on, by JSON pointer. */
  readonly fieldCitations: Readonly<Record<string, readonly Citation[]>>;
  /** Why the answer is not in the form, or null. */
  readonly error: ErrorInfo | null;
}

export interface Formed extends Critiqued {
  /**
   * Null where no form is asked for; else `solution` is its JSON, its fields are the `claims`, and the confidence is
   * theirs, where the answer could be put into it.
   */
  readonly form: Form | null;
}

/**
 * What the number is: `evidence`, how far the cited passages bear the answer out; `match`, how likely a sentence that
 * was quoted for its words holds the answer.
 */
export type ConfidenceKind = 'evidence' | 'match';

/** A run cut short: the state it reached, and why it went no further. */
export interface Interrupted {
  readonly state: TaskState | Planned | Retrieved | Reasoned | Executed;
  readonly stopped: ErrorInfo;
}
