/** Tests the retriever contract with a real OpenSearch, which `npm run test:opensearch` starts. */
import { expect, it } from 'vitest';
import { fillIndex } from '../../scripts/opensearch/index-client.ts';
import { onServer, retrieverContract } from '../contracts/retriever.ts';
import { open, signal, toIndexed } from '../support/search-servers.ts';

const url = process.env['OPENSEARCH_TEST_URL'] ?? '';
let indexes = 0;

async function create(passages: Parameters<typeof fillIndex>[2]) {
  indexes += 1;
  const name = `contract-${process.pid}-${indexes}`;
  await fillIndex(url, name, passages);
  return (await open(`opensearch+${url}/${name}`)).retriever;
}

retrieverContract(
  'opensearch',
  (store) => create(toIndexed(store).map(({ _source }) => _source as { text: string })),
  onServer,
);

it('finds words in other cases, accents, Chinese, and words with signs', async () => {
  const find = async (texts: readonly string[], text: string) => {
    const retriever = await create(texts.map((one) => ({ text: one })));
    return (await retriever.retrieve({ text, limit: 5, maxBytes: 10_000 }, signal)).map((passage) => passage.text);
  };
  expect(await find(['It RETRIED twice.', 'no'], 'retried')).toEqual(['It RETRIED twice.']);
  expect(await find(['Le Café ferme.', 'no'], 'café')).toEqual(['Le Café ferme.']);
  expect(await find(['東京タワーの高さ', 'no'], '東京')).toEqual(['東京タワーの高さ']);
  expect(await find(['see src/a.b(c)/d+e.ts', 'no'], 'src/a.b(c)/d+e.ts')).toEqual(['see src/a.b(c)/d+e.ts']);
});
