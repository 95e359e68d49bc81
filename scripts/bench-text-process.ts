/** Indexes this many bytes of log, and sends its parent the total time of 20 retrievals, in ms. */
import { createContextStore } from '../src/context/store/store.ts';
import { createLexicalRetriever } from '../src/retrievers/lexical/retriever.ts';
import { logBlocks } from './bench-text.ts';

const store = createContextStore();
const writer = store.begin('log');
for (const block of logBlocks(Number(process.argv[2]))) writer.write(block);
writer.end();

const { signal } = new AbortController();
const retriever = createLexicalRetriever(store);
await retriever.advance(signal);
await retriever.retrieve({ text: 'Why did the ledger writer stop?', limit: 8, maxBytes: 16_000 }, signal);
const startedAt = performance.now();
for (let query = 0; query < 20; query++) {
  const text = `Which request of worker-${query} for tenant t${query * 31} took ${query * 7} ms?`;
  await retriever.retrieve({ text, limit: 8, maxBytes: 16_000 }, signal);
}
process.send!(performance.now() - startedAt);
