/** The messages between the thread of a query and the main thread. */
import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../errors.ts';
import type { DocumentInfo } from '../state.ts';
import type { QueryLimits, QueryResult, TablesDescription, Translation } from './query-result.ts';
import type { CompiledSqlite } from './sqlite/start.ts';
import type { RowOrigin } from './tables/fill-table.ts';

/** Maximum number of bytes of text per read. */
export const pageBytes = 1024 * 1024;

export type QueryWork =
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'describe' }
  | { readonly kind: 'translate'; readonly question: string };

export interface Outcomes {
  readonly query: QueryResult;
  readonly describe: TablesDescription;
  readonly translate: Translation;
}

export interface ThreadSetup {
  readonly work: QueryWork;
  readonly limits: QueryLimits;
  readonly documents: readonly DocumentInfo[];
  readonly origins: readonly RowOrigin[];
  readonly page: SharedArrayBuffer;
  /** The main thread sets the flag to 1 when the page is filled, or to 2 when the text cannot be read. */
  readonly flag: Int32Array;
  readonly port: MessagePort;
  readonly sqlite: CompiledSqlite;
}

export interface DocumentRange {
  /** Index into the documents of the text. */
  readonly document: number;
  readonly startByte: number;
  readonly endByte: number;
}

/** A message from the thread of a query. `read` asks for ranges one after the other in the page, which has room. */
export type FromThread =
  | { readonly kind: 'read'; readonly ranges: readonly DocumentRange[] }
  | { readonly kind: 'done'; readonly outcome: Outcomes[keyof Outcomes] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string; readonly hint: string };
