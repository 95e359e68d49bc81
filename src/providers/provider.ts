import type { PromptInput } from '../prompts/index.ts';
import type { Message, Picture, ToolCall, ToolSpec } from '../prompts/prompt.ts';
import type { TokenOdds } from '../prompts/reply/choice-probability.ts';
import type { CallTokens } from '../state.ts';

export type { Message, Picture, TokenOdds, ToolCall, ToolSpec };

/** How much a model thinks before it replies. */
export type Reasoning = 'none' | 'low' | 'medium' | 'high';

/** One request to a model. */
export interface ModelRequest {
  /** The prompt's name and variables, which the extractive and scripted providers read instead of the messages. */
  readonly input: PromptInput;
  readonly messages: readonly Message[];
  /** Null if the reply is not constrained by a JSON Schema. */
  readonly schema: object | null;
  /** Tools that the model may call instead of replying. Empty if there is a schema, or `ModelInfo.tools` is false. */
  readonly tools: readonly ToolSpec[];
  readonly logprobs: boolean;
  readonly temperature: number;
  /** Null for no seed. */
  readonly seed: number | null;
  /** Null leaves the choice to the provider. */
  readonly reasoning: Reasoning | null;
  /** The maximum number of tokens in the reply, including its thinking. */
  readonly maxOutputTokens: number;
  /** The context window in tokens. It rarely changes between requests of a run to the same model. */
  readonly windowTokens: number;
}

/** The reply to a request. */
export interface ModelReply {
  /** The reply without the model's thinking; may be empty when tools are called. */
  readonly text: string;
  /** Tool calls in the order of the reply; empty where no tools were offered. */
  readonly toolCalls: readonly ToolCall[];
  /** Absent if not requested or not available. */
  readonly logprobs?: readonly TokenOdds[];
  /** The server's token counts; null if not reported. */
  readonly tokens: CallTokens | null;
  /** `length`: the reply ended at the limit `maxOutputTokens`. */
  readonly finish: 'stop' | 'length';
  /** The server's time for reading the prompt and for writing the reply; absent if not reported. */
  readonly timing?: { readonly readMs: number; readonly writeMs: number };
}

/** The description of a provider and its model, before the first call. */
export interface ModelInfo {
  /** The model's name; for a provider without a model, the provider's name. */
  readonly model: string;
  /** The largest window that may be requested, in tokens. */
  readonly maxWindowTokens: number;
  /** Whether `maxWindowTokens` is a guess, because no source states it. Defaults to false. */
  readonly windowIsAssumed?: boolean;
  /** Whether the server reloads the model if the window changes, and needs more memory for a larger window. */
  readonly loadsWindow?: boolean;
  /** Whether a reply can be constrained by a JSON Schema. */
  readonly structuredOutput: boolean;
  readonly tools: boolean;
  /** Whether the model reads pictures; absent if unknown. */
  readonly vision?: boolean;
  /** Number of weights; null or absent if unknown. */
  readonly weights?: number | null;
  /** What a call costs: nothing, tokens on the user's own machines, or money. */
  readonly spends: 'nothing' | 'tokens' | 'money';
  /** A value that differs between versions of a model with the same name, such as a hash; null if there is none. */
  readonly digest: string | null;
  /** The number of concurrent calls that the server handles well. */
  readonly callsAtOnce: number;
  /** Maximum number of concurrent calls to try if the server reports no number. Defaults to `callsAtOnce`. */
  readonly callsToTry?: number;
  /** Whether the model can answer a question without any text. */
  readonly answersWithoutText: boolean;
  /** Whether answers only quote sentences of the text. If so, the critic's score is a `match` (`ConfidenceKind`). */
  readonly quotes?: boolean;
  readonly notices: readonly string[];
}

/** A model that a provider has, as `rlm doctor` lists it. */
export interface ModelSummary {
  readonly name: string;
  /** The size on disk; null if unknown. */
  readonly sizeBytes: number | null;
  /** Null or absent where unknown. */
  readonly weights?: number | null;
  /** Abilities such as completion, tools, thinking, embedding; empty where they are unknown. */
  readonly capabilities: readonly string[];
  /** Null where unknown. */
  readonly windowTokens: number | null;
}

/** All details of a model, for `rlm models show`; unknown details are null or empty. */
export interface ModelDetails extends ModelSummary {
  readonly family: string | null;
  /** The number of weights as the server writes it, such as `14.8B`. */
  readonly parameterSize: string | null;
  /** The format of the weights, such as `Q4_K_M`. */
  readonly quantization: string | null;
  /** The parameters that the model comes with, such as `stop`, each with its values. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** First 16 hex digits of the SHA-256 of its chat template. */
  readonly templateDigest: string | null;
}

/** The progress of a download. */
export interface PullProgress {
  readonly status: string;
  /** The digest or name of the file that is being downloaded, or null. */
  readonly digest: string | null;
  readonly completedBytes: number;
  /** Null where unknown. */
  readonly totalBytes: number | null;
}

export interface PullOptions {
  /** Aborting it ends the download; the part that has arrived is kept. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
}

/** A provider's server, and the models to list. */
export interface Survey {
  /** Null if unknown. */
  readonly version: string | null;
  readonly address: string;
  readonly models: readonly ModelSummary[];
}

export interface CallOptions {
  /** Aborting it ends the call and closes its connection within a second. */
  readonly signal: AbortSignal;
  /** Called with a notice for the user, for example when the server refuses a parameter. */
  readonly onNotice?: (message: string) => void;
  /** Called as output arrives, with its length in characters, the reply's text, and whether all output is thinking. */
  readonly onProgress?: (characters: number, text?: string, isThinking?: boolean) => void;
}

/**
 * Serves a model. `tests/contracts/provider.ts` tests that every provider fulfils this contract:
 * - `inspect` and `call` reject only with an `RlmError`, whose code says what went wrong, or with the reason of an
 *   aborted signal. They never return the text of an error as a reply.
 * - An aborted call rejects within a second, with the signal's reason, and leaves no open connection behind.
 * - A call never shortens its messages. A prompt that does not fit is a `prompt-too-long` error.
 * - `inspect` and `call` do not retry; `run/door/retry.ts` does. An error may carry `retryAfterMs`.
 * - Calls may run concurrently.
 */
export interface Provider {
  readonly name: string;
  /**
   * Checks whether the provider is usable. Throws `provider-unreachable`, `model-missing`, `credentials-refused`, or
   * `config-invalid` when no trusted setting chose the provider or its model.
   */
  inspect(signal: AbortSignal): Promise<ModelInfo>;
  call(request: ModelRequest, options: CallOptions): Promise<ModelReply>;
  /** Lists the available models, if the provider can. Throws as `inspect` does. */
  survey?(signal: AbortSignal): Promise<Survey>;
  /** Returns all details of the model, if the provider has more than `survey` lists. Throws as `inspect` does. */
  show?(signal: AbortSignal): Promise<ModelDetails>;
  /**
   * Makes the server download the model or continue an earlier download, if the server can. Throws as `inspect` does.
   * Also throws `provider-failed`, `model-missing` if the model does not exist, or `no-space` if the disk is full.
   */
  pull?(options: PullOptions): Promise<void>;
  /** Ends the provider's calls and frees its resources in this process. Never rejects; no call may follow. */
  close?(): Promise<void>;
}
