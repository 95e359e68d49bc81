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
const { work, limits, origins, port, sqlite: compiled } = setup;

const post = (message: FromThread): void => port.postMessage(message);

// The thread lives until the main thread has its result and ends it.
port.ref();

async function run(): Promise<FromThread> {
  const sqlite = await startSqlite(compiled, limits.memoryMb);
  const text = { source: createThreadSource(setup), origins };
  if (work.kind === 'describe') return { kind: 'tables', description: describeTableList(sqlite, text) };
  if (work.kind === 'query') return { kind: 'result', result: runQuery(sqlite, text, work.sql, limits) };
  const { translate } = await import('./translate/translate.ts');
  return { kind: 'translation', translation: translate(sqlite, text, work.question, limits) };
}

run().then(post, (error: unknown) => {
  if (error instanceof QueryError) post({ kind: 'failed', code: error.code, message: error.message, hint: error.hint });
  else post({ kind: 'failed', code: 'internal', message: (error as Error).message, hint: '' });
});
