import { workerData } from 'node:worker_threads';
import type { TextSource } from '../context/shown-text.ts';
import { toRlmError } from '../errors.ts';
import { describeTableList } from './describe-tables.ts';
import { type FromThread, type Outcomes, pageBytes, type ThreadSetup } from './messages.ts';
import { runQuery } from './run-query.ts';
import { startSqlite } from './sqlite/start.ts';

/** Creates a text source. A read requests each page from the main thread, and sleeps until the page is filled. */
function createThreadSource({ documents, page, flag, port }: ThreadSetup): TextSource {
  return {
    documents,
    read(document, startByte, endByte) {
      const bytes = Buffer.allocUnsafeSlow(endByte - startByte);
      for (let at = startByte; at < endByte; at += pageBytes) {
        const end = Math.min(endByte, at + pageBytes);
        Atomics.store(flag, 0, 0);
        port.postMessage({ kind: 'read', document, startByte: at, endByte: end } satisfies FromThread);
        // The wake-up for an earlier page may come late, so only the value of `flag` shows that this page is filled.
        while (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0);
        if (Atomics.load(flag, 0) !== 1) throw new Error('the text cannot be read any more');
        bytes.set(new Uint8Array(page, 0, end - at), at - startByte);
      }
      return bytes;
    },
  };
}

const setup = workerData as ThreadSetup;
const { work, limits, origins, port, sqlite: compiled } = setup;

const post = (message: FromThread): void => port.postMessage(message);

// Keeps the thread alive until the main thread has the result and terminates it.
port.ref();

async function run(): Promise<Outcomes[keyof Outcomes]> {
  const sqlite = await startSqlite(compiled, limits.memoryMb);
  const text = { source: createThreadSource(setup), origins };
  if (work.kind === 'describe') return describeTableList(sqlite, text);
  if (work.kind === 'query') return runQuery(sqlite, text, work.sql, limits);
  const { translate } = await import('./translate/translate.ts');
  return translate(sqlite, text, work.question, limits);
}

run().then(
  (outcome) => post({ kind: 'done', outcome }),
  (error: unknown) => {
    const { code, message, hint } = toRlmError(error);
    post({ kind: 'failed', code, message, hint });
  },
);
