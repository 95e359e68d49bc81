/** What each exit code means. The help, the docs and the tests are made from this table. */
export const exitCodes = {
  0: 'answered (also when the answer is that the text does not say)',
  1: 'a bug in rlm',
  2: 'wrong usage, or input that cannot be used',
  3: 'wrong configuration',
  4: 'provider or search server unavailable: unreachable, no such model or collection, or refused credentials',
  5: 'provider or search server failed: retries spent, rate limit, timeout, or unusable replies',
  6: 'a limit was reached; the answer is partial',
  7: 'answered, but below the asked bar (--min-confidence)',
  130: 'interrupted (Ctrl-C); what was found is printed',
  143: 'terminated (SIGTERM); what was found is printed',
} as const;

/** A process exit status of `rlm`. */
export type ExitCode = keyof typeof exitCodes;

/** Every error code with its exit status and whether the same command may succeed when tried again. */
export const errorCodes = {
  usage: { exit: 2, retryable: false },
  'input-missing': { exit: 2, retryable: false },
  'input-unreadable': { exit: 2, retryable: false },
  'input-empty': { exit: 2, retryable: false },
  'input-too-large': { exit: 2, retryable: false },
  'no-space': { exit: 2, retryable: false },
  'no-text': { exit: 2, retryable: false },
  'pattern-invalid': { exit: 2, retryable: false },
  'output-unwritable': { exit: 2, retryable: false },
  'run-missing': { exit: 2, retryable: false },
  'run-busy': { exit: 2, retryable: true },
  'run-changed': { exit: 2, retryable: false },
  'index-missing': { exit: 2, retryable: false },
  'index-busy': { exit: 2, retryable: true },
  'index-damaged': { exit: 2, retryable: false },
  'index-outdated': { exit: 2, retryable: false },
  'journal-damaged': { exit: 2, retryable: false },
  'cassette-invalid': { exit: 2, retryable: false },
  'config-invalid': { exit: 3, retryable: false },
  'prompt-invalid': { exit: 3, retryable: false },
  'provider-unreachable': { exit: 4, retryable: true },
  'model-missing': { exit: 4, retryable: false },
  'search-unreachable': { exit: 4, retryable: true },
  'collection-missing': { exit: 4, retryable: false },
  'credentials-refused': { exit: 4, retryable: false },
  'provider-failed': { exit: 5, retryable: true },
  'search-failed': { exit: 5, retryable: true },
  'rate-limited': { exit: 5, retryable: true },
  'call-timeout': { exit: 5, retryable: true },
  'request-refused': { exit: 5, retryable: false },
  'prompt-too-long': { exit: 5, retryable: false },
  'reply-unusable': { exit: 5, retryable: true },
  'call-not-recorded': { exit: 5, retryable: false },
  'limit-calls': { exit: 6, retryable: false },
  'limit-tokens': { exit: 6, retryable: false },
  'limit-cost': { exit: 6, retryable: false },
  'limit-fetches': { exit: 6, retryable: false },
  'limit-time': { exit: 6, retryable: false },
  'limit-iterations': { exit: 6, retryable: false },
  'below-bar': { exit: 7, retryable: false },
  interrupted: { exit: 130, retryable: true },
  terminated: { exit: 143, retryable: true },
  internal: { exit: 1, retryable: false },
} as const satisfies Record<string, { exit: ExitCode; retryable: boolean }>;

/** The machine-readable name of what went wrong. */
export type ErrorCode = keyof typeof errorCodes;

/** An error as it stands in a result: plain data. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  /** What happened, and why. */
  readonly message: string;
  /** What to type or change next; empty when there is nothing to suggest. */
  readonly hint: string;
  readonly retryable: boolean;
}

export interface RlmErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | null;
}

/** The one error type that `rlm` throws on purpose. Anything else that is thrown is a bug. */
export class RlmError extends Error {
  override readonly name = 'RlmError';
  readonly code: ErrorCode;
  /** What to type or change next; empty when there is nothing to suggest. */
  readonly hint: string;
  /** Whether the very same call may be tried again at once: 408, 409, 429, 5xx and broken connections. */
  readonly transient: boolean;
  /** How long the server asked to wait before the next try, in ms; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, options: RlmErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? '';
    this.transient = options.transient ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  /** The process exit status that stands for this error. */
  get exitCode(): ExitCode {
    return errorCodes[this.code].exit;
  }

  /** The error as plain data, for results and events. */
  toInfo(): ErrorInfo {
    return { code: this.code, message: this.message, hint: this.hint, retryable: errorCodes[this.code].retryable };
  }
}

/** Any thrown value as an RlmError; what is not one already becomes `internal`. */
export function toRlmError(thrown: unknown): RlmError {
  if (thrown instanceof RlmError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new RlmError('internal', `unexpected error: ${message}`, {
    hint: 'This is a bug in rlm. Run again with --verbose and report what it prints.',
    cause: thrown,
  });
}
