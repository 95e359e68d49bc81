/** The meaning of each exit status. The help and the docs are generated from this table. */
export const exitCodes = {
  0: 'answered, or found that the text does not contain the answer',
  1: 'a bug in rlm; with rlm search --exit-code: no line matches',
  2: 'wrong usage, or input that cannot be used',
  3: 'wrong configuration',
  4: 'provider or search server unavailable: unreachable, no such model or collection, or refused credentials',
  5: 'provider or search server failed: all retries failed, rate limit, timeout, or unusable replies',
  6: 'a limit was reached; the answer is partial or missing',
  7: 'a requirement is not met (--min-confidence, --fail-on, --schema; rlm checks; --min and --max-regression of rlm eval)',
  129: 'the terminal was closed (SIGHUP); what was found is kept',
  130: 'interrupted (Ctrl-C); what was found is printed',
  143: 'terminated (SIGTERM); what was found is printed',
} as const;

/** A process exit status of `rlm`. */
export type ExitCode = keyof typeof exitCodes;

/**
 * The kinds of errors that the program distinguishes. `input`, `configuration`: the user has to change something.
 * `unavailable`: a server cannot be used at all. `failed`: a server was asked and failed. `call`: one call failed,
 * and the next one may succeed. `limit`: a limit was reached. `bar`: the answer does not meet a requirement.
 * `interruption`: the user ended the run. `bug`: the program is wrong.
 */
export type ErrorKind =
  | 'input'
  | 'configuration'
  | 'unavailable'
  | 'failed'
  | 'call'
  | 'limit'
  | 'bar'
  | 'interruption'
  | 'bug';

/** The kind and exit status of each error code, and whether the same command may succeed when tried again. */
export const errorCodes = {
  usage: { kind: 'input', exit: 2, retryable: false },
  'input-missing': { kind: 'input', exit: 2, retryable: false },
  'input-unreadable': { kind: 'input', exit: 2, retryable: false },
  'input-empty': { kind: 'input', exit: 2, retryable: false },
  'input-too-large': { kind: 'input', exit: 2, retryable: false },
  'no-space': { kind: 'input', exit: 2, retryable: false },
  'no-text': { kind: 'input', exit: 2, retryable: false },
  'too-many-files': { kind: 'input', exit: 2, retryable: true },
  'pattern-invalid': { kind: 'input', exit: 2, retryable: false },
  'query-invalid': { kind: 'input', exit: 2, retryable: false },
  'output-unwritable': { kind: 'input', exit: 2, retryable: false },
  'run-missing': { kind: 'input', exit: 2, retryable: false },
  'run-busy': { kind: 'input', exit: 2, retryable: true },
  'run-changed': { kind: 'input', exit: 2, retryable: false },
  'index-missing': { kind: 'input', exit: 2, retryable: false },
  'index-busy': { kind: 'input', exit: 2, retryable: true },
  'index-damaged': { kind: 'input', exit: 2, retryable: false },
  'index-outdated': { kind: 'input', exit: 2, retryable: false },
  'index-shrunk': { kind: 'input', exit: 2, retryable: false },
  'watch-unavailable': { kind: 'input', exit: 2, retryable: false },
  'journal-damaged': { kind: 'input', exit: 2, retryable: false },
  'cassette-invalid': { kind: 'input', exit: 2, retryable: false },
  'config-invalid': { kind: 'configuration', exit: 3, retryable: false },
  'prompt-invalid': { kind: 'configuration', exit: 3, retryable: false },
  'provider-unreachable': { kind: 'unavailable', exit: 4, retryable: true },
  'model-missing': { kind: 'unavailable', exit: 4, retryable: false },
  'search-unreachable': { kind: 'unavailable', exit: 4, retryable: true },
  'collection-missing': { kind: 'unavailable', exit: 4, retryable: false },
  'credentials-refused': { kind: 'unavailable', exit: 4, retryable: false },
  'provider-failed': { kind: 'failed', exit: 5, retryable: true },
  'search-failed': { kind: 'failed', exit: 5, retryable: true },
  'rate-limited': { kind: 'failed', exit: 5, retryable: true },
  'call-timeout': { kind: 'call', exit: 5, retryable: true },
  'request-refused': { kind: 'failed', exit: 5, retryable: false },
  'prompt-too-long': { kind: 'call', exit: 5, retryable: false },
  'reply-unusable': { kind: 'call', exit: 5, retryable: true },
  'call-not-recorded': { kind: 'failed', exit: 5, retryable: false },
  'limit-calls': { kind: 'limit', exit: 6, retryable: false },
  'limit-tokens': { kind: 'limit', exit: 6, retryable: false },
  'limit-cost': { kind: 'limit', exit: 6, retryable: false },
  'limit-fetches': { kind: 'limit', exit: 6, retryable: false },
  'limit-time': { kind: 'limit', exit: 6, retryable: false },
  'query-limit': { kind: 'limit', exit: 6, retryable: false },
  'limit-iterations': { kind: 'limit', exit: 6, retryable: false },
  'schema-unmet': { kind: 'bar', exit: 7, retryable: true },
  'below-bar': { kind: 'bar', exit: 7, retryable: false },
  'not-found': { kind: 'bar', exit: 7, retryable: false },
  interrupted: { kind: 'interruption', exit: 130, retryable: true },
  'hung-up': { kind: 'interruption', exit: 129, retryable: true },
  terminated: { kind: 'interruption', exit: 143, retryable: true },
  internal: { kind: 'bug', exit: 1, retryable: false },
} as const satisfies Record<string, { kind: ErrorKind; exit: ExitCode; retryable: boolean }>;

/** The machine-readable name of an error. */
export type ErrorCode = keyof typeof errorCodes;

/** Returns the kind of an error. */
export const kindOf = ({ code }: { readonly code: ErrorCode }): ErrorKind => errorCodes[code].kind;

/** The meaning of each warning of a run. The help and the docs are generated from this table. */
export const warningCodes = {
  configuration: 'a setting, variable, flag or role has no effect',
  input: 'a text was read in part, or its encoding was guessed',
  model: 'another model answers, or the server says something about the model',
  cost: 'a price is unknown, or questions below the root may cost much',
  search: 'a part of the search is left out, vectors are not kept, or a request to the search server was repeated',
  'no-match': 'no passage matches a question',
  unread: 'a part of the text was not read',
  'no-plan': 'the question is answered without a plan',
  'answered-directly': 'a question is answered directly, without the chosen strategy',
  'ended-early': 'a strategy ended before the model had finished',
  'left-out': 'a step, a part of a question or a query was left out',
  'reply-cut': 'a reply was cut off; the part that arrived is used',
  'reply-unusable': 'the model gave no usable answer; sentences are quoted',
  'not-held': 'the model answered, and then said that the passages do not contain the answer',
  evidence: 'the text does not confirm a citation or finding, which was left out',
  'not-judged': 'the critic saw only some of the passages, or none of them',
  'not-computed': 'a question about records was not computed',
  'not-kept': 'the run is not recorded, or its replies or files could not be written',
} as const;

/** The machine-readable name of a warning. */
export type WarningCode = keyof typeof warningCodes;

/** A warning of a run, as plain data. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** Warns of something that did not end the run. */
export type Warn = (code: WarningCode, message: string) => void;

/** An error in a result, as plain data. */
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

/** An error that `rlm` throws on purpose. */
export class RlmError extends Error {
  override readonly name = 'RlmError';
  readonly code: ErrorCode;
  /** What to type or change next; empty when there is nothing to suggest. */
  readonly hint: string;
  /** Whether the same call may succeed on a retry, such as after HTTP 408, 409, 429, 5xx or a broken connection. */
  readonly transient: boolean;
  /** The wait, in ms, that the server requested before the next attempt. Null when it requested none. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, options: RlmErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? '';
    this.transient = options.transient ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  get exitCode(): ExitCode {
    return errorCodes[this.code].exit;
  }

  toInfo(): ErrorInfo {
    return { code: this.code, message: this.message, hint: this.hint, retryable: errorCodes[this.code].retryable };
  }
}

/** Returns the error for a server at `where` that did not answer within `ms`. */
export const lateError = (where: string, ms: number, hint = '', code: ErrorCode = 'provider-unreachable'): RlmError =>
  new RlmError(code, `${where} did not answer within ${ms / 1000} s`, { hint });

/** Converts the system's error about too many open files to an RlmError. Returns null for any other error. */
export function tooManyFiles(error: unknown): RlmError | null {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code !== 'EMFILE' && code !== 'ENFILE') return null;
  return new RlmError('too-many-files', `too many files are open, and the system refuses to open another (${code})`, {
    hint: 'Raise the limit and try again: ulimit -n 1024',
    cause: error,
  });
}

/** Returns `too-many-files` or `output-unwritable` for a failure to write `what`. Returns an RlmError unchanged. */
export function unwritable(what: string, error: unknown, hint: string, done = 'written'): RlmError {
  if (error instanceof RlmError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const text = `${what} cannot be ${done} (${code ?? message})`;
  return tooManyFiles(error) ?? new RlmError('output-unwritable', text, { hint });
}

/** Converts a thrown value to an RlmError; an unknown error becomes `internal`. */
export function toRlmError(thrown: unknown): RlmError {
  if (thrown instanceof RlmError) return thrown;
  const known = tooManyFiles(thrown);
  if (known !== null) return known;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new RlmError('internal', `unexpected error: ${message}`, {
    hint: 'This is a bug in rlm: please report it.',
    cause: thrown,
  });
}

/** Whether a run can continue after this error: only one call failed, and the next call may succeed. */
export const isForgivable = (error: unknown): error is RlmError =>
  error instanceof RlmError && kindOf(error) === 'call';
