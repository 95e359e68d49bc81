import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store/store.ts';
import { indexVersion } from '../../src/indexes/manifest.ts';
import { createSurroundings } from '../../src/retrievers/lexical/chunk-bytes.ts';
import { createIndexBuilder } from '../../src/retrievers/lexical/postings.ts';
import { shippedRanking } from '../../src/retrievers/lexical/ranking.ts';
import { countChunk } from '../../src/retrievers/lexical/retriever.ts';

const sample = [
  '# Retrying requests\n\nThe pool retried maxRetryCount times; see src/readInputs.ts and read_inputs.py.\n\n',
  'Version v1.2.3 of 2026-11-21, well-known naïve cafés, 東京タワー, "quoted" words and 0x1f numbers 42.\n',
  'export function startServer(port: number) {\n  return listen(port);\n}\n\n',
  'export const pooled =\n  (pool) =>\n  async (call) => {\n    return pool.run(call, retries);\n\n    // Never reached.\n  };\n\n',
  'HTTP_SERVER listens. A long line of words that are running, ran, runs. '.repeat(12),
  '\n2026-11-21T08:00:00Z ERROR pool exhausted\n2026-11-21T08:00:01Z INFO again\n',
].join('');

/** Returns the stored content of an index of the sample, for each kind of text. */
async function fingerprint(): Promise<string> {
  const store = createContextStore([], { kind: 'auto', chunkBytes: 200 });
  for (const name of ['a.md', 'b.log', 'c.ts', 'd.txt']) {
    const writer = store.begin(name);
    writer.write(Buffer.from(sample));
    await writer.prepare();
    writer.end();
  }
  const builder = createIndexBuilder(shippedRanking.analyse);
  const around = createSurroundings(store);
  const hash = createHash('sha256');
  for (let index = 0; index < store.chunkCount; index++) {
    const chunk = store.chunk(index);
    hash.update(JSON.stringify(chunk));
    const bytes = store.read(chunk.document, chunk.startByte, chunk.endByte);
    countChunk(builder, chunk, bytes, around(chunk, bytes));
  }
  const { lengths, segments, bytes } = builder.finish();
  hash.update(JSON.stringify([[...lengths], segments.map(({ start, terms }) => [start, terms])]));
  hash.update(bytes.read(0, bytes.size()));
  builder.close();
  store.close();
  return hash.digest('hex').slice(0, 16);
}

describe('the version of an index', () => {
  it('must change when text is cut or read in another way: then raise indexVersion, and note the new pair here', async () => {
    expect({ indexVersion, fingerprint: await fingerprint() }).toEqual({
      indexVersion: 5,
      fingerprint: '29a78a7687f73553',
    });
  });
});
