/** The description of an embedder and its model, before the first request. */
export interface EmbedderInfo {
  /** Identifies this version among models of the same name; null where the server does not report it. */
  readonly digest: string | null;
  /** Notices for the user. */
  readonly notices: readonly string[];
}

/** The vectors of some texts. */
export interface Embedded {
  /** One for each text, in order; all of one length, of finite numbers. */
  readonly vectors: readonly Float32Array[];
  /** Tokens that were read, as counted by the server; null where it does not tell. */
  readonly tokens: number | null;
}

/**
 * Turns texts into vectors whose directions show how similar their meanings are. `tests/contracts/embedder.ts` tests
 * the contract of every embedder:
 * - `inspect` and `embed` reject only with an `RlmError`, whose code says what went wrong.
 * - `embed` is one request. An aborted one rejects within a second with the signal's reason, and leaves no open
 *   connection behind.
 * - A text is never shortened. One that is too long for the model, or too many of them, is a `prompt-too-long` error.
 * - No retries, and no cache: those are in `run/`. Requests may run at once.
 */
export interface Embedder {
  readonly name: string;
  readonly model: string;
  /** Its address for messages, without credentials. */
  readonly address: string;
  /** Checks whether the embedder is usable. Throws as a provider's `inspect` does. */
  inspect(signal: AbortSignal): Promise<EmbedderInfo>;
  /** @param texts none of them blank. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
  /** Frees its resources in this process. Never rejects; no request may follow. */
  close?(): Promise<void>;
}
