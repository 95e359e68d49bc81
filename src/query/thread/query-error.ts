import type { QueryFailure } from './messages.ts';

/** An error of a query that its writer can mend, or a limit that it reached. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryFailure['code'];
  readonly hint: string;

  constructor(code: QueryFailure['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
