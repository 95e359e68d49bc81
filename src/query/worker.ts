import { workerData } from 'node:worker_threads';
import type { TextSource } from '../context/shown-text.ts';
import { toRlmError } from '../errors.ts';
import { describeTableList } from './describe-tables.ts';
import { type DocumentRange, type FromThread, type Outcomes, pageBytes, type ThreadSetup } from './messages.ts';
import { runQuery } from './run-query.ts';
import { startSqlite } from './sqlite/start.ts';

/** Maximum size of a document that is read together with the small documents after it. */
const smallBytes = 64 * 1024;

/** Creates a text source. A read requests each page from the main thread, and sleeps until the page is filled. */
function createThreadSource({ documents, page, flag, port }: ThreadSetup): TextSource {
  function readPage(ranges: readonly DocumentRange[]): Uint8Array {
    Atomics.store(flag, 0, 0);
    port.postMessage({ kind: 'read', ranges } satisfies FromThread);
    // The wake-up for an earlier page may come late, so only the value of `flag` shows that this page is filled.
    while (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0);
    if (Atomics.load(flag, 0) !== 1) throw new Error('the text cannot be read any more');
    return new Uint8Array(
      page,
      0,
      ranges.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0),
    );
  }

  /** The last page of small documents, as whole documents. Documents are usually read in their order. */
  let small: ReadonlyMap<number, Buffer> = new Map();
  function readSmall(first: number): ReadonlyMap<number, Buffer> {
    const ranges: DocumentRange[] = [];
    const starts = [0];
    for (let document = first; document < documents.length; document++) {
      const endByte = documents[document]!.bytes;
      const next = starts.at(-1)! + endByte;
      if (endByte > smallBytes || next > pageBytes) break;
      ranges.push({ document, startByte: 0, endByte });
      starts.push(next);
    }
    const bytes = Buffer.from(readPage(ranges));
    return new Map(ranges.map(({ document }, at) => [document, bytes.subarray(starts[at], starts[at + 1])]));
  }

  return {
    documents,
    read(document, startByte, endByte) {
      if (documents[document]!.bytes <= smallBytes) {
        if (!small.has(document)) small = readSmall(document);
        return small.get(document)!.subarray(startByte, endByte);
      }
      const bytes = Buffer.allocUnsafeSlow(endByte - startByte);
      for (let at = startByte; at < endByte; at += pageBytes) {
        const end = Math.min(endByte, at + pageBytes);
        bytes.set(readPage([{ document, startByte: at, endByte: end }]), at - startByte);
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
