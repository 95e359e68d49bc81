/**
 * Runs a query in a thread of its own, which the main thread can end at any time. The build bundles it as a file of its
 * own.
 */
import { workerData } from 'node:worker_threads';
import { describeTableList } from './describe-tables.ts';
import { runQuery } from './run-query.ts';
import { startSqlite } from './sqlite/start.ts';
import type { FromThread, ThreadSetup } from './thread/messages.ts';
import { QueryError } from './thread/query-error.ts';
import { createThreadSource } from './thread/read-text.ts';

const setup = workerData as ThreadSetup;
const { sql, limits, origins, port, sqlite: compiled } = setup;

const post = (message: FromThread): void => port.postMessage(message);

// The thread lives until the main thread has its result and ends it.
port.ref();

async function work(): Promise<FromThread> {
  const sqlite = await startSqlite(compiled, limits.memoryMb);
  const text = { source: createThreadSource(setup), origins };
  return sql === null
    ? { kind: 'tables', description: describeTableList(sqlite, text) }
    : { kind: 'result', result: runQuery(sqlite, text, sql, limits) };
}

work().then(post, (error: unknown) => {
  if (error instanceof QueryError) post({ kind: 'failed', code: error.code, message: error.message, hint: error.hint });
  else post({ kind: 'failed', code: 'internal', message: (error as Error).message, hint: '' });
});
