/** The description of a tool for a model that can call tools. */
export interface ToolSpec {
  /** The name, such as `search_context`. */
  readonly name: string;
  /** What the tool does and returns, for the model. */
  readonly about: string;
  /** The JSON Schema of its arguments, an object. */
  readonly schema: object;
  /** Example arguments. */
  readonly example?: unknown;
}

/** A tool call of a model. */
export interface ToolCall {
  /** The id that the call's result refers to; created by the provider where the server gives none. */
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: an object, or JSON as text, or neither. */
  readonly arguments: unknown;
}

/** One message of a rendered prompt. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  /** The result of a call in an earlier message. Every call has one, in the order of the calls. */
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string };
