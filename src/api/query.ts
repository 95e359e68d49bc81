import type { QueryResult, QueryWishes, TablesDescription } from '../query/query-result.ts';
import { type Context, type ContextOptions, openContext } from './open-context.ts';

/** What to query; see `ContextOptions`. */
export interface QueryOptions extends ContextOptions, QueryWishes {
  /** An opened text, in place of paths and documents. */
  readonly context?: Context;
}

async function withOpened<T>(
  { context, maxRows: _, maxCharacters: __, ...options }: QueryOptions,
  use: (context: Context) => Promise<T>,
): Promise<T> {
  if (context !== undefined) return use(context);
  const opened = await openContext(options);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/**
 * Runs one statement of SQL over the records and lines of a text: `select level, count(*) from log group by 1`. See
 * `queryTables` for the tables.
 * @throws RlmError `query-invalid`, `query-limit`; as `openContext` does; the signal's reason.
 */
export const query = (sql: string, options: QueryOptions): Promise<QueryResult> =>
  withOpened(options, (context) => context.query(sql, options));

/**
 * Describes the tables that `query` can name, with their columns, types and first rows.
 * @throws RlmError `query-limit`; as `openContext` does; the signal's reason.
 */
export const queryTables = (options: QueryOptions): Promise<TablesDescription> =>
  withOpened(options, (context) => context.tables(options));
