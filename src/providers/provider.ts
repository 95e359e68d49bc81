import type { PromptInput } from '../prompts/index.ts';
import type { Message, ToolCall, ToolSpec } from '../prompts/message.ts';
import type { TokenOdds } from '../prompts/reply/choice-probability.ts';
import type { Tokens } from '../state.ts';

export type { Message, TokenOdds, ToolCall, ToolSpec };

/** One request to a model. */
export interface ModelRequest {
  /** What is asked, typed: the extractive and scripted providers read this and not the messages. */
  readonly input: PromptInput;
  readonly messages: readonly Message[];
  /** The JSON Schema of the reply, or null when the model is asked for text of another form. */
  readonly schema: object | null;
  /**
   * Tools that the model may call instead of replying; never together with a schema, and only where
   * `ModelInfo.tools`.
   */
  readonly tools: readonly ToolSpec[];
  /** Whether the probabilities of the reply's tokens are wanted, where they can be had. */
  readonly logprobs: boolean;
  readonly temperature: number;
  /** For the same reply to the same request, where the model can; null: none. */
  readonly seed: number | null;
  /** The longest reply, in tokens. */
  readonly maxOutputTokens: number;
  /** The window of the whole run, in tokens; the same in every request. */
  readonly windowTokens: number;
}

/** What came back. */
export interface ModelReply {
  /** The reply without the model's thinking; may be empty when tools are called. */
  readonly text: string;
  /** In the order of the reply; empty where no tools were offered. */
  readonly toolCalls: readonly ToolCall[];
  /** Its tokens with what might have stood in their place; left out where that was not wanted, or cannot be had. */
  readonly logprobs?: readonly TokenOdds[];
  /** As counted by the server; null where it did not say. */
  readonly tokens: Tokens | null;
  /** `length`: the reply was stopped by `maxOutputTokens`. */
  readonly finish: 'stop' | 'length';
  /** What the server says that it spent on reading and on writing, in ms; left out where it does not say. */
  readonly timing?: { readonly readMs: number; readonly writeMs: number };
}

/** What a provider says of itself and its model before the first call. */
export interface ModelInfo {
  /** The model's name; the provider's own name where it has no model. */
  readonly model: string;
  /** The largest window, in tokens, that may be asked for. */
  readonly maxWindowTokens: number;
  /** Whether a reply can be constrained by a JSON Schema. */
  readonly structuredOutput: boolean;
  /** Whether it can call tools. */
  readonly tools: boolean;
  /** How many weights it has; null or left out where it is not told. */
  readonly weights?: number | null;
  /** What a call costs: nothing, tokens of a model that runs on the user's own machines, or money for tokens. */
  readonly spends: 'nothing' | 'tokens' | 'money';
  /** What tells this version of the model from others of the same name; null where it is not told. */
  readonly digest: string | null;
  /** How many calls at the same time serve well. */
  readonly callsAtOnce: number;
  /** How many it may turn out to serve, where it does not tell; left out: no more. */
  readonly callsToTry?: number;
  /** Whether it can answer a question without any text. */
  readonly answersWithoutText: boolean;
  /**
   * Whether its answers are sentences of the text, chosen by their words: then the score that it gives as the critic
   * says how well they match, and is reported instead of a confidence.
   */
  readonly quotes?: boolean;
  /** Things the user should know, such as a model that is not made for chat. */
  readonly notices: readonly string[];
}

/** A model that a provider has, as `rlm doctor` lists it. */
export interface ModelSummary {
  readonly name: string;
  /** On disk; null where it is not told. */
  readonly sizeBytes: number | null;
  /** How many weights it has; null or left out where it is not told. */
  readonly weights?: number | null;
  /** Such as completion, tools, thinking, embedding; empty where it is not told. */
  readonly capabilities: readonly string[];
  /** Null where it is not told. */
  readonly windowTokens: number | null;
}

/** A model in full, as `rlm models show` tells it; what is not told is null or empty. */
export interface ModelDetails extends ModelSummary {
  readonly family: string | null;
  /** How many weights it has, such as `14.8B`. */
  readonly parameterSize: string | null;
  /** How they are rounded, such as `Q4_K_M`. */
  readonly quantization: string | null;
  /** The parameters that it comes with, such as `stop`, each with its values. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** First 16 hex digits of the SHA-256 of its chat template. */
  readonly templateDigest: string | null;
}

/** How far a download has come. */
export interface PullProgress {
  /** What is being done, in the server's words. */
  readonly status: string;
  /** The part that is being downloaded; null: none is. */
  readonly digest: string | null;
  /** Of that part; 0 where it has just begun. */
  readonly completedBytes: number;
  /** Of that part; null where it is not told. */
  readonly totalBytes: number | null;
}

export interface PullOptions {
  /** Aborting it ends the download; what has come is kept by the server. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
}

/** What a provider has to offer besides the model that was chosen. */
export interface Survey {
  /** Of the server. */
  readonly version: string | null;
  readonly address: string;
  readonly models: readonly ModelSummary[];
}

export interface CallOptions {
  /** Aborting it ends the call and closes its connection within a second. */
  readonly signal: AbortSignal;
  /** Called with something that the user should know and the reply does not show; with each thing once. */
  readonly onNotice?: (message: string) => void;
  /** Called as output arrives, with the number of characters so far, thinking included, and the text without it. */
  readonly onProgress?: (characters: number, text?: string) => void;
}

/**
 * Who serves a model. The contract, which `tests/contracts/provider.ts` holds every provider to:
 * - `inspect` and `call` reject with an `RlmError` whose code says what went wrong, never with anything else, and never
 *   resolve with an error as the text.
 * - An aborted call rejects within a second, with the signal's reason, and leaves no open connection behind.
 * - A call never shortens its messages. A prompt that does not fit is a `prompt-too-long` error.
 * - No retries: the one retry loop is in `run/`. An error may carry `retryAfterMs`.
 * - Calls may run at once.
 */
export interface Provider {
  readonly name: string;
  /**
   * Looks whether it can serve. Throws `provider-unreachable`, `model-missing`, `credentials-refused`, or
   * `config-invalid` when the settings forbid it.
   */
  inspect(signal: AbortSignal): Promise<ModelInfo>;
  call(request: ModelRequest, options: CallOptions): Promise<ModelReply>;
  /** Lists the models that are there; for providers with a server. Throws as `inspect` does. */
  survey?(signal: AbortSignal): Promise<Survey>;
  /** Tells all of its model; for providers that know more than a survey says. Throws as `inspect` does. */
  show?(signal: AbortSignal): Promise<ModelDetails>;
  /**
   * Has the server download its model, going on where an earlier download stopped; for providers that can. Throws as
   * `inspect` does (`model-missing`: nobody has such a model), `provider-failed`, or `no-space` when the server's disk
   * is full.
   */
  pull?(options: PullOptions): Promise<void>;
  /** Frees what it holds in this process, and ends what it still does. It never rejects, and no call comes after it. */
  close?(): Promise<void>;
}
