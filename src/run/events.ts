import type { ErrorInfo, WarningCode } from '../errors.ts';
import type { PromptName } from '../prompts/index.ts';
import type { Message, ToolCall } from '../providers/provider.ts';
import type {
  AskedIndex,
  Assessment,
  CallTokens,
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

/** How a reply could be parsed: as asked, after a repair, or not at all. */
type ReplyClass = 'ok' | 'repaired' | 'failed';

/** The stages of a run. `transcription` runs only if a model reads pictures, and `form` only if a schema is given. */
export type StageName = 'transcription' | 'planner' | 'retriever' | 'reasoner' | 'critic' | 'form';

/** The model call of an event. */
interface EventCall {
  readonly call: number;
  readonly path: string;
  /** The provider that is asked. */
  readonly provider: string;
  readonly model: string;
  readonly prompt: PromptName;
}

/**
 * Everything that happens in a run, in order. Renderers, logs, usage and the result's numbers all derive from these
 * events. Times are in ms. Tokens are counted by the provider or estimated. `call` numbers a call from 1; `path` is a
 * node's path in the recursion tree, or the stage's name for calls outside the tree.
 */
export type EventBody =
  | {
      /** The run begins; always the first event. */
      readonly type: 'run.started';
      readonly task: string;
      readonly provider: string;
      readonly model: string;
      readonly documents: number;
      readonly bytes: number;
      /** The index that contains the text; null if there is none. */
      readonly index: AskedIndex | null;
      /** Whether the whole text fits one prompt. */
      readonly fits: boolean;
      /** Calls that an earlier part of the run made and that are replayed from its journal. */
      readonly recordedCalls: number;
      /**
       * The most that a run with a priced model can spend, if every call costs the maximum; null if all calls are free
       * or a price is unknown.
       */
      readonly atMost: { readonly calls: number; readonly tokens: number; readonly usd: number } | null;
      /** The limits of the run; null: no limit. */
      readonly limits: {
        readonly calls: number;
        readonly tokens: number | null;
        /** In USD. */
        readonly usd: number | null;
        readonly wallTimeMs: number;
      };
    }
  | {
      /** A warning about the run. */
      readonly type: 'warning';
      readonly code: WarningCode;
      readonly message: string;
    }
  | {
      /** A stage begins, such as planner, retriever, reasoner or critic. */
      readonly type: 'stage.started';
      readonly stage: StageName;
    }
  | {
      /** A stage ended. */
      readonly type: 'stage.completed';
      readonly stage: StageName;
      readonly timeMs: number;
    }
  | {
      /** The answer's claims were checked against the text. */
      readonly type: 'evidence.checked';
      /** The answer with its citation numbers. */
      readonly answer: string;
      readonly claims: readonly Claim[];
      readonly contradictions: readonly Contradiction[];
    }
  | {
      /** The plan of the planner. */
      readonly type: 'plan';
      readonly plan: Plan;
    }
  | {
      /** Work on a question of the recursion tree begins. */
      readonly type: 'node.started';
      readonly path: string;
      readonly depth: number;
      readonly question: string;
    }
  | {
      /** The strategy for a question, and why it was chosen. */
      readonly type: 'node.judged';
      readonly path: string;
      readonly strategy: StrategyName;
      readonly reason: string;
      readonly assessment: Assessment | null;
    }
  | {
      /** The answer so far left a doubt, and a further step begins. */
      readonly type: 'ladder.climbed';
      readonly step: LadderStep;
      readonly reason: string;
    }
  | {
      /** Work on a question ended, with or without an answer. */
      readonly type: 'node.completed';
      readonly path: string;
      readonly status: NodeStatus;
      readonly calls: number;
      readonly cacheHits: number;
      readonly tokens: Tokens;
      readonly timeMs: number;
      readonly error: ErrorInfo | null;
    }
  | (EventCall & {
      /** A model call begins. */
      readonly type: 'call.started';
      readonly repair: boolean;
    })
  | {
      /** The reply of a call is arriving. */
      readonly type: 'call.progress';
      readonly call: number;
      readonly path: string;
      /** Number of characters that arrived, thinking included. */
      readonly characters: number;
      /** How long the model has been thinking; left out while it does not think. */
      readonly thinkingMs?: number;
    }
  | {
      /**
       * Part of the answer as it arrives. `text` replaces everything from the character `from` on. A new number in
       * `call` begins a new answer. Marks such as `[P12]` and claims are checked later: see `evidence.checked`.
       */
      readonly type: 'answer.progress';
      readonly call: number;
      readonly from: number;
      readonly text: string;
    }
  | {
      /** A call failed and will be tried again. */
      readonly type: 'call.retried';
      readonly call: number;
      readonly path: string;
      /** The number of the next try, from 2. */
      readonly attempt: number;
      readonly waitMs: number;
      readonly error: ErrorInfo;
    }
  | (EventCall & {
      /** A call has its reply. The event tells the origin of the reply, and whether it could be parsed. */
      readonly type: 'call.completed';
      /** The origin of the reply: the model or, for a replayed call, the run's journal or a cassette. */
      readonly from: 'model' | 'journal' | 'cassette';
      readonly reply: ReplyClass;
      readonly tokens: CallTokens;
      /** In USD; null when the price is not known. */
      readonly cost: number | null;
      readonly timeMs: number;
    })
  | (EventCall & {
      /** A call failed and will not be tried again. */
      readonly type: 'call.failed';
      readonly error: ErrorInfo;
      /** Tokens and cost that its requests may have used; left out if they used none. */
      readonly spent?: { readonly tokens: CallTokens; readonly cost: number | null };
      readonly timeMs: number;
    })
  | {
      /** The run is resumed. A call that failed or was lost in an earlier session is added to the usage. */
      readonly type: 'call.lost';
      readonly provider: string;
      readonly model: string;
      /** Maximum number of tokens that the call may have used. */
      readonly tokens: CallTokens;
      /** In USD; null when the price is not known. */
      readonly cost: number | null;
    }
  | {
      /** No call was needed: this run, or an earlier run with the cache, already made the same request. */
      readonly type: 'call.reused';
      readonly path: string;
      readonly prompt: PromptName;
      /** run: an earlier call of this run gave the reply. cache: a call of another run gave it. */
      readonly from: 'run' | 'cache';
    }
  | {
      /** A replay needed a call that is not in its recording. The run may continue without it. */
      readonly type: 'call.missing';
      readonly path: string;
      readonly prompt: PromptName;
    }
  | {
      /** A scan begins. The event tells what the scan will read, and how many calls it takes. */
      readonly type: 'scan.started';
      readonly path: string;
      /** Number of pieces of the whole text. `chosen`: how many of them the budget pays for. */
      readonly pieces: number;
      readonly chosen: number;
      readonly bytes: number;
      readonly chosenBytes: number;
      /** Number of calls if no reply needs a repair. */
      readonly fewestCalls: number;
      /** Number of calls in the worst case, if the budget did not limit them. */
      readonly mostCalls: number;
      /** Number of calls that the budget still allows for the scan. */
      readonly callsLeft: number;
    }
  | {
      /** A second or later search for a question ended. `found`: ids of passages. */
      readonly type: 'search.completed';
      readonly path: string;
      readonly query: string;
      readonly found: readonly string[];
    }
  | {
      /** A tool call of an exploration ended. */
      readonly type: 'tool.called';
      readonly path: string;
      /** The step, and the number of the call in it, both from 1. */
      readonly step: number;
      readonly call: number;
      readonly tool: string;
      readonly arguments: unknown;
      readonly outcome: ToolUse['outcome'];
      /** The first line of the result that the model received. */
      readonly result: string;
    }
  | {
      /** A step of an exploration ended. */
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
      /** Vectors of some passages, or of a question, were computed. */
      readonly type: 'embedding.completed';
      readonly requests: number;
      /** Number of computed vectors. `reused`: number of vectors that were stored before. */
      readonly made: number;
      readonly reused: number;
      /** Tokens that the embedding model read. */
      readonly tokens: number;
      readonly timeMs: number;
    }
  | {
      /** A request for vectors failed and will be tried again. */
      readonly type: 'embedding.retried';
      /** The number of the next try, from 2. */
      readonly attempt: number;
      readonly waitMs: number;
      readonly error: ErrorInfo;
    }
  | {
      /** A vector index is being built. Emitted from time to time, and at the end. */
      readonly type: 'index.progress';
      readonly done: number;
      readonly chunks: number;
    }
  | {
      /** The run has to end early because of a limit, the user, or a call that is not in the recording. */
      readonly type: 'run.stopped';
      readonly error: ErrorInfo;
    };

/** An event with its number in the run, from 1, and its time (ISO 8601). */
export type RunEvent = EventBody & { readonly seq: number; readonly at: string; readonly runId: string };

/** Receives events as they happen. It must not throw. The run does not wait for it. */
export type EventListener = (event: RunEvent) => void;

/** A request with its reply, as the trajectory shows them. */
export interface Exchange {
  /** The call's number, as in the events; null for a reused reply and for a failed request. */
  readonly call: number | null;
  readonly path: string;
  readonly prompt: PromptName;
  readonly provider: string;
  readonly model: string;
  /** The messages that were sent; null if no language model was asked, or if messages are not kept. */
  readonly messages: readonly Message[] | null;
  /** Null without a reply. */
  readonly reply: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly error: string | null;
  readonly from: 'model' | 'journal' | 'cassette' | 'run' | 'cache';
  /** Start time, ISO 8601. */
  readonly at: string;
  readonly timeMs: number;
  readonly tokens: Tokens;
  /** In USD; null when the price is not known. */
  readonly cost: number | null;
}
