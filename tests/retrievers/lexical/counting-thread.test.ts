import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { RlmError } from '../../../src/errors.ts';
import { shippedRanking } from '../../../src/retrievers/lexical/ranking.ts';
import { createLexicalRetriever } from '../../../src/retrievers/lexical/retriever.ts';
import { createThreadedBuilder } from '../../../src/retrievers/lexical/thread/counting-thread.ts';

const { signal } = new AbortController();
const words = [
  'retry',
  'Timeout',
  'naïve',
  'übergröße',
  'HTTP_Client',
  'v1.2.3',
  'src/a-b.ts',
  'queries',
  '日本語',
  '42',
];
/** More than a batch of text: documents with titles, and code, whose chunks include their surroundings. */
const text = Array.from(
  { length: 60_000 },
  (_, n) => `${words[(n * 7 + (n >> 5)) % words.length]} w${n % 997}${n % 40 ? '' : '\n\n'}`,
);
const third = text.length / 3;
const documents = [
  { name: 'a.txt', bytes: Buffer.from(text.slice(0, third).join(' ')) },
  { name: 'b.md', bytes: Buffer.from(`# Timeout of queries\n${text.slice(third, 2 * third).join(' ')}`) },
  { name: 'c.ts', bytes: Buffer.from('export function retryQueries() {\n  return 42;\n}\n'.repeat(40)) },
  { name: 'd.log', bytes: Buffer.from(text.slice(2 * third).join(' ')) },
];
const store = createContextStore(documents);
const queries = [
  'queries timeout w17',
  'naive übergröße',
  'retryQueries',
  'HTTP client v1.2.3',
  '日本語 w900',
  'w5 w6 w7 src/a-b.ts',
];

async function found(retriever: ReturnType<typeof createLexicalRetriever>) {
  const query = (text: string) => retriever.retrieve({ text, limit: 30, maxBytes: 1e9 }, signal);
  const lists = await Promise.all(queries.map(query));
  retriever.close();
  return lists.map((list) => list.map(({ id, score }) => [id, score]));
}

const threaded = (start?: () => Worker) => createLexicalRetriever(store, shippedRanking, createThreadedBuilder(start));

describe('terms that another thread counts', () => {
  it('are equal, to the last digit of a score', async () => {
    expect(await found(threaded())).toEqual(await found(createLexicalRetriever(store)));
  });

  it('are counted here if the thread cannot be started, or ends halfway', async () => {
    const here = await found(createLexicalRetriever(store));
    expect(await found(threaded(() => new Worker('./no-such-file.js')))).toEqual(here);
    const ending = "require('node:worker_threads').parentPort.once('message', () => process.exit(0))";
    expect(await found(threaded(() => new Worker(ending, { eval: true })))).toEqual(here);
  });

  it('are sent to no failed thread', async () => {
    const failing = [
      ['process.exit(0)', { name: 'ThreadLost' }],
      [
        "require('node:worker_threads').parentPort.once('message', () => { throw new Error('full') })",
        { message: 'full' },
      ],
    ] as const;
    for (const [code, error] of failing) {
      const worker = new Worker(code, { eval: true });
      const builder = createThreadedBuilder(() => worker);
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      builder.count(Buffer.alloc(1_000_000, 'word '));
      builder.endChunk();
      await ended;
      await expect(builder.room?.()).rejects.toMatchObject(error);
      builder.close();
    }
  });

  it('end with the run', async () => {
    const worker = { thread: null as Worker | null };
    const start = () => {
      worker.thread = new Worker('setInterval(() => {}, 1000)', { eval: true });
      return worker.thread;
    };
    const retriever = threaded(start);
    const stop = new AbortController();
    const reading = retriever.advance(stop.signal);
    const ended = new Promise((resolve) => worker.thread!.once('exit', resolve));
    stop.abort(new RlmError('interrupted', 'enough'));
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
    retriever.close();
    await ended;
  });
});
