/** A tool as it is offered to a model that can call tools. */
export interface ToolSpec {
  /** `search_context`. */
  readonly name: string;
  /** What it does and gives, for the model. */
  readonly about: string;
  /** The JSON Schema of its arguments, an object. */
  readonly schema: object;
  /** Arguments as they may look. */
  readonly example?: unknown;
}

/** A tool that a model calls. */
export interface ToolCall {
  /** What the call's result is named by; made by the provider where the server gives none. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: an object, or JSON as text, or neither. */
  readonly arguments: unknown;
}

/** One message of a rendered prompt. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  /** What a call of an earlier message came to. Every call has one, in the order of the calls. */
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string };
