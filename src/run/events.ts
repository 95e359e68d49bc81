import type { ErrorInfo } from '../errors.ts';
import type { PromptName } from '../prompts/index.ts';
import type {
  Assessment,
  Claim,
  Contradiction,
  ExploredFinding,
  LadderStep,
  NodeStatus,
  Plan,
  StrategyName,
  Tokens,
  ToolUse,
} from '../state.ts';

/** How a reply was read: as asked, after mending, or not at all. */
type ReplyClass = 'ok' | 'repaired' | 'failed';

/** The steps of a run: four, and those that are there only where they are wanted. */
export type StageName = 'planner' | 'retriever' | 'reasoner' | 'toolExecutor' | 'critic' | 'form';

/**
 * Everything that happens in a run, in order. The renderers, the logs, the usage and the result's numbers are all made
 * from these. Times are in ms, tokens as counted by the provider or estimated. `call` numbers a call from 1; `path` is
 * a place in the recursion tree, or the stage's name for calls outside of it.
 */
export type EventBody =
  | {
      readonly type: 'run.started';
      readonly task: string;
      readonly provider: string;
      readonly model: string;
      readonly documents: number;
      readonly bytes: number;
      /** Whether the whole text fits one prompt. */
      readonly fits: boolean;
      /** Calls that the run has made before and that are not made again. */
      readonly recordedCalls: number;
      /** What it may spend; null: as much as it wants. */
      readonly limits: {
        readonly calls: number;
        readonly tokens: number | null;
        /** In USD. */
        readonly usd: number | null;
        readonly wallTimeMs: number;
      };
    }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'stage.started'; readonly stage: StageName }
  | { readonly type: 'stage.completed'; readonly stage: StageName; readonly timeMs: number }
  | {
      /** The answer's claims were held against the text. */
      readonly type: 'evidence.checked';
      /** With the numbers of its citations. */
      readonly answer: string;
      readonly claims: readonly Claim[];
      readonly contradictions: readonly Contradiction[];
    }
  | { readonly type: 'plan'; readonly plan: Plan }
  | { readonly type: 'node.started'; readonly path: string; readonly depth: number; readonly question: string }
  | {
      readonly type: 'node.judged';
      readonly path: string;
      readonly strategy: StrategyName;
      readonly reason: string;
      readonly assessment: Assessment | null;
    }
  /** The answer of the step before left a doubt. */
  | { readonly type: 'ladder.climbed'; readonly step: LadderStep; readonly reason: string }
  | {
      readonly type: 'node.completed';
      readonly path: string;
      readonly status: NodeStatus;
      readonly calls: number;
      readonly cacheHits: number;
      readonly tokens: Tokens;
      readonly timeMs: number;
      readonly error: ErrorInfo | null;
    }
  | {
      readonly type: 'call.started';
      readonly call: number;
      readonly path: string;
      /** Who is asked. */
      readonly provider: string;
      readonly model: string;
      readonly prompt: PromptName;
      readonly repair: boolean;
    }
  | { readonly type: 'call.progress'; readonly call: number; readonly path: string; readonly characters: number }
  | {
      /**
       * Words of the answer, as they come from the call that gives it: `text` stands from the character `from` on, and
       * what stood there before is gone. Another `call` begins another answer. Marks such as `[P12]` and claims are not
       * checked yet, which `evidence.checked` does.
       */
      readonly type: 'answer.progress';
      readonly call: number;
      readonly from: number;
      readonly text: string;
    }
  | {
      readonly type: 'call.retried';
      readonly call: number;
      readonly path: string;
      /** Which try comes next, from 2. */
      readonly attempt: number;
      readonly waitMs: number;
      readonly error: ErrorInfo;
    }
  | {
      readonly type: 'call.completed';
      readonly call: number;
      readonly path: string;
      readonly provider: string;
      readonly model: string;
      readonly prompt: PromptName;
      /** Who replied: the model; or for a call that was made before, the run's journal or a cassette. */
      readonly from: 'model' | 'journal' | 'cassette';
      readonly reply: ReplyClass;
      readonly tokens: Tokens;
      /** In USD; null when the price is not known. */
      readonly cost: number | null;
      readonly timeMs: number;
    }
  | {
      readonly type: 'call.failed';
      readonly call: number;
      readonly path: string;
      readonly provider: string;
      readonly model: string;
      readonly prompt: PromptName;
      readonly error: ErrorInfo;
      readonly timeMs: number;
    }
  | {
      readonly type: 'call.reused';
      readonly path: string;
      readonly prompt: PromptName;
      /** run: the same call was made in this run already. cache: in another one. */
      readonly from: 'run' | 'cache';
    }
  | {
      /** Before a scan begins: what it will read, and what that costs. */
      readonly type: 'scan.started';
      readonly path: string;
      /** Of all the text, and those of them that the budget pays for. */
      readonly pieces: number;
      readonly chosen: number;
      readonly bytes: number;
      readonly chosenBytes: number;
      /** Calls when each reply can be used as it comes. */
      readonly fewestCalls: number;
      /** Calls at worst, were there no budget. */
      readonly mostCalls: number;
      /** Calls that the budget has left for all of it. */
      readonly callsLeft: number;
    }
  | {
      /** A search besides a question's first; `found` are ids of passages. */
      readonly type: 'search.completed';
      readonly path: string;
      readonly query: string;
      readonly found: readonly string[];
    }
  | {
      /** A tool call of an exploration came to something. */
      readonly type: 'tool.called';
      readonly path: string;
      /** Its step, and its place there, both from 1. */
      readonly step: number;
      readonly call: number;
      readonly tool: string;
      readonly arguments: unknown;
      readonly outcome: ToolUse['outcome'];
      /** The first line of what the model was told. */
      readonly result: string;
    }
  | {
      /** A step of an exploration is over. */
      readonly type: 'step.completed';
      readonly path: string;
      readonly step: number;
      readonly thought: string;
      readonly next: string;
      readonly findings: readonly ExploredFinding[];
      readonly summarisedTo: number;
      readonly timeMs: number;
    }
  | {
      /** Vectors of some passages, or of a question, are there. */
      readonly type: 'embedding.completed';
      readonly requests: number;
      /** Vectors that were made, and those that were kept from earlier. */
      readonly made: number;
      readonly reused: number;
      /** Read by the embedding model. */
      readonly tokens: number;
      readonly timeMs: number;
    }
  | {
      readonly type: 'embedding.retried';
      /** Which try comes next, from 2. */
      readonly attempt: number;
      readonly waitMs: number;
      readonly error: ErrorInfo;
    }
  | {
      /** How far the index of vectors is; told at its end, and now and then before. */
      readonly type: 'index.progress';
      readonly done: number;
      readonly chunks: number;
    }
  | { readonly type: 'run.stopped'; readonly error: ErrorInfo };

/** An event with its number in the run, from 1, and its time (ISO 8601). */
export type RunEvent = EventBody & { readonly seq: number; readonly at: string; readonly runId: string };

/** Receives events as they happen. It must not throw and is not waited for. */
export type EventListener = (event: RunEvent) => void;
