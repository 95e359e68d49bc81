/** Tests the retriever contract with a real Chroma server, which `npm run test:chroma` starts. */
import { expect, it } from 'vitest';
import { fillCollection } from '../../scripts/chroma-client.ts';
import { onServer, retrieverContract } from '../contracts/retriever.ts';
import { open, signal, toRecords } from '../support/search-servers.ts';

const url = process.env['CHROMA_TEST_URL'] ?? '';
const host = url.replace('http://', '');
let collections = 0;

async function create(records: Parameters<typeof fillCollection>[2], options: Parameters<typeof open>[1] = {}) {
  collections += 1;
  const name = `contract-${process.pid}-${collections}`;
  await fillCollection(url, name, records);
  return (await open(`chroma+http://${host}/${name}`, options)).retriever;
}

retrieverContract('chroma', (store) => create(toRecords(store)), onServer);

const find = async (texts: readonly string[], text: string) => {
  const records = texts.map((document, index) => ({ id: `t${index}`, document }));
  const passages = await (await create(records)).retrieve({ text, limit: 5, maxBytes: 10_000 }, signal);
  return passages.map((passage) => passage.text);
};

it('finds other cases and endings, identifiers, accents, Chinese, and words with signs', async () => {
  expect(await find(['It RETRIED twice.', 'no'], 'retries')).toEqual(['It RETRIED twice.']);
  expect(await find(['const maxRetryCount = 3', 'no'], 'retry count')).toEqual(['const maxRetryCount = 3']);
  expect(await find(['Le Café ferme.', 'no'], 'café')).toEqual(['Le Café ferme.']);
  expect(await find(['東京タワーの高さ', 'no'], '東京')).toEqual(['東京タワーの高さ']);
  expect(await find(['see src/a.b(c)/d+e.ts', 'no'], 'src/a.b(c)/d+e.ts')).toEqual(['see src/a.b(c)/d+e.ts']);
  expect(await find(['go is C', 'good ego'], 'go')).toEqual(['go is C']);
  expect(await find(['two logs', 'a blog'], 'log')).toEqual(['two logs']);
});

it('returns the nearest by vector, and reports vectors of another model', async () => {
  const records = [0, 1, 2].map((at) => ({ id: `v${at}`, document: `text ${at}`, embedding: [at, 1] }));
  const embed = (vector: number[]) => async () => [Float32Array.from(vector)];
  const query = { text: 'whatever', limit: 2, maxBytes: 1000 };
  const near = await create(records, { embed: embed([1.9, 1]) });
  expect((await near.retrieve(query, signal)).map(({ text }) => text)).toEqual(['text 2', 'text 1']);
  const other = await create(records, { embed: embed([1, 2, 3]) });
  await expect(other.retrieve(query, signal)).rejects.toMatchObject({
    code: 'request-refused',
    message: expect.stringContaining('dimension of 2, got 3'),
  });
});

it('names a missing collection', async () => {
  await expect(open(`chroma+http://${host}/none`)).rejects.toMatchObject({ code: 'collection-missing' });
});
