/** The description of an embedder and its model, before the first request. */
export interface EmbedderInfo {
  /** Identifies this version among models of the same name; null where the server does not tell. */
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
 * Who turns texts into vectors whose directions tell how near their meanings are. The contract, which
 * `tests/contracts/embedder.ts` holds every embedder to:
 * - `inspect` and `embed` reject with an `RlmError` whose code says what went wrong, never with anything else.
 * - `embed` is one request. An aborted one rejects within a second with the signal's reason, and leaves no open
 *   connection behind.
 * - A text is never shortened. One that is too long for the model, or too many of them, is a `prompt-too-long` error.
 * - No retries, and no cache: those are in `run/`. Requests may run at once.
 */
export interface Embedder {
  readonly name: string;
  readonly model: string;
  /** Its place, for messages; without a login. */
  readonly address: string;
  /** Checks whether it can serve. Throws as a provider's `inspect` does. */
  inspect(signal: AbortSignal): Promise<EmbedderInfo>;
  /** @param texts none of them blank. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
  /** Frees its resources in this process. Never rejects; no request may follow. */
  close?(): Promise<void>;
}
