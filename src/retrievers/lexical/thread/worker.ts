/** The build bundles this file separately. */
import { parentPort } from 'node:worker_threads';
import type { Spool } from '../../../context/store/spool.ts';
import { createPostingsBuilder } from '../postings.ts';
import { shippedRanking } from '../ranking.ts';
import type { CountedBatch, CountingRequest } from './counting-thread.ts';

let pieces: Uint8Array<ArrayBuffer>[] = [];
let size = 0;

/** The main thread stores the pieces at the same offsets. */
const outgoing: Pick<Spool, 'append'> = {
  append: (bytes) => {
    pieces.push(Uint8Array.from(bytes));
    size += bytes.length;
    return size - bytes.length;
  },
};

const builder = createPostingsBuilder(shippedRanking.analyse, outgoing);

function answer(done: CountedBatch['done']): void {
  const batch: CountedBatch = { pieces, done };
  parentPort?.postMessage(
    batch,
    pieces.map(({ buffer }) => buffer),
  );
  pieces = [];
}

function countBatch({ bytes, ends }: Exclude<CountingRequest, 'finish'>): void {
  let start = 0;
  for (const end of ends) {
    builder.count(bytes.subarray(start, end));
    builder.endChunk();
    start = end;
  }
}

parentPort?.on('message', (request: CountingRequest) => {
  if (request === 'finish') return answer(builder.finish());
  countBatch(request);
  answer(null);
});
