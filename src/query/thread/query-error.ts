/** The kinds of errors, as RlmError names them. */
export type QueryErrorCode = 'query-invalid' | 'query-limit' | 'internal';

/** An error of a query that its writer can mend, or a limit that it reached. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;
  readonly hint: string;

  constructor(code: QueryErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
