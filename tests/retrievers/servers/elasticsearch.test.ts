import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import {
  type IndexedDocument,
  type IndexOptions,
  startElasticsearchServer,
} from '../../servers/elasticsearch-server.ts';
import { countingAccess, during, open, signal } from '../../support/search-servers.ts';

const query = (text: string, limit = 5) => ({ text, limit, maxBytes: 10_000 });

const documents: readonly IndexedDocument[] = [
  { _id: '1', _source: { text: 'the pool is small', source: 'a.md', startLine: 4, endLine: 4 }, vector: [1, 0] },
  { _id: '2', _source: { text: 'a lake, and a pool by the lake', source: 'b.md' }, vector: [0, 1] },
  { _id: '3', _source: { text: 'nothing of it' }, vector: [0.7, 0.7] },
];

interface Served extends IndexOptions {
  readonly options?: string;
  readonly open?: Parameters<typeof open>[1];
}

async function serve(all: readonly IndexedDocument[], { options = '', open: how = {}, ...index }: Served = {}) {
  const server = await during(startElasticsearchServer('docs', all, index));
  const kind = index.kind ?? 'elasticsearch';
  const { retriever, warnings } = await open(`${kind}+${server.url}/docs${options}`, how);
  const access = countingAccess();
  const find = (text: string, limit?: number) => retriever.retrieve(query(text, limit), signal, access);
  return { server, find, access, warnings };
}

const sourcesOf = (passages: readonly { source: string }[]) => passages.map(({ source }) => source);

describe('search by words', () => {
  it("asks for the words in the text field, and returns the server's ranking", async () => {
    const { server, find } = await serve(documents);
    const found = await find('lake pool');
    expect(found).toMatchObject([
      { source: 'b.md', startLine: 1, endLine: 1, id: expect.stringMatching(/^P\d{10}$/) },
      { source: 'a.md', startLine: 4, endLine: 4, text: 'the pool is small' },
    ]);
    expect(server.requests.at(-1)!.body).toEqual({
      query: { match: { text: { query: 'lake pool' } } },
      size: 10,
      _source: ['text', 'source', 'startLine', 'endLine'],
    });
  });

  it('uses the fields of the address, including nested ones, and searches several', async () => {
    const own = [
      { _id: '1', _source: { doc: { body: 'a pool', path: 'x.md' }, line: 3, title: 'lake' } },
      { _id: '2', _source: { doc: { body: 'a lake', path: 'y.md' }, line: 5, title: '' } },
    ];
    const options = '?text=doc.body&source=doc.path&startLine=line&search=title^3,doc.body';
    const { server, find } = await serve(own, { options });
    expect(await find('lake')).toMatchObject([
      { text: 'a pool', source: 'x.md', startLine: 3 },
      { text: 'a lake', source: 'y.md', startLine: 5 },
    ]);
    expect(server.requests.at(-1)!.body['query']).toEqual({
      multi_match: { query: 'lake', fields: ['title^3', 'doc.body'] },
    });
  });

  it('cuts no character of a long source', async () => {
    const source = `${'x'.repeat(499)}😀`;
    const { find } = await serve([{ _id: '1', _source: { text: 'a lake', source } }]);
    expect((await find('lake'))[0]!.source).toBe('x'.repeat(499));
  });

  it.each([
    ['?search=source, text ,,', { multi_match: { query: 'lake', fields: ['source', 'text'] } }],
    ['?search=text,', { multi_match: { query: 'lake', fields: ['text'] } }],
    ['?search=,', { match: { text: { query: 'lake' } } }],
  ])('does not read blanks or empty names as fields: %s', async (options, expected) => {
    const { server, find } = await serve(documents, { options });
    await find('lake');
    const { body } = server.requests.find(({ segments }) => segments[1] === '_search')!;
    expect(body['query']).toEqual(expected);
  });

  it('sends no more words than the server accepts', async () => {
    const { server, find } = await serve(documents);
    await find(Array.from({ length: 5_000 }, (_, index) => `word${index % 2_000}`).join(' '));
    const { body } = server.requests.find(({ segments }) => segments[1] === '_search')!;
    const { match } = body['query'] as { match: { text: { query: string } } };
    expect(match.text.query.split(' ')).toHaveLength(256);
  });

  it('names the field if no passage has a text there', async () => {
    const { find } = await serve([{ _id: '1', _source: { body: 'a pool', text: '' } }], { options: '?search=body' });
    await expect(find('pool')).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('"text"'),
      hint: expect.stringContaining('?text=body'),
    });
  });

  it('leaves out single passages without text, and says how many', async () => {
    const mixed = [...documents, { _id: '9', _source: { title: 'pool' } }];
    const { find, access } = await serve(mixed, { options: '?search=title,text' });
    expect(await find('pool')).toHaveLength(2);
    expect(access.warnings).toEqual([expect.stringMatching(/^left out 1 passage of .*: no text in the field "text"$/)]);
  });

  it('reports that only a part of the index was searched', async () => {
    const { find, access } = await serve(documents, { failedShards: 2 });
    expect(await find('pool')).toHaveLength(2);
    expect(access.warnings).toEqual([expect.stringContaining('only a part of index "docs"')]);
  });
});

describe('search by vectors', () => {
  const embed = async () => [Float32Array.from([1, 0])];

  it.each([
    ['elasticsearch', { knn: { field: 'embedding', query_vector: [1, 0], k: 10, num_candidates: 1_000 } }],
    ['opensearch', { query: { knn: { embedding: { vector: [1, 0], k: 1_000 } } } }],
  ] as const)('%s: in its own form, fused with the words by rank', async (kind, form) => {
    const { server, find, access } = await serve(documents, { kind, options: '?vector=embedding', open: { embed } });
    const found = await find('lake');
    expect(server.requests.map(({ body }) => body)).toContainEqual(expect.objectContaining(form));
    // Words find 2; vectors find 1, 3, 2.
    expect(sourcesOf(found)).toEqual(['b.md', 'a.md', '3']);
    expect(access.requests).toBe(2);
  });

  it('names the existing fields if the server refuses one for vectors', async () => {
    const { find } = await serve(documents, { options: '?vector=embeding', open: { embed } });
    await expect(find('lake')).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/no field "embeding" \(option vector\).*embedding/),
    });
  });

  it('requests only the nearest with the mode vector', async () => {
    const { find, access } = await serve(documents, { options: '?vector=embedding', open: { embed, isAlone: true } });
    expect(sourcesOf(await find('lake'))).toEqual(['a.md', '3', 'b.md']);
    expect(access.requests).toBe(1);
  });

  it('searches by words if the query has no vector, unless the mode is vector', async () => {
    let asked = 0;
    const gone = async () => {
      asked += 1;
      throw new RlmError('provider-unreachable', 'nobody is there', { hint: 'Start it.' });
    };
    const { find, warnings } = await serve(documents, { options: '?vector=embedding', open: { embed: gone } });
    expect(sourcesOf(await find('lake'))).toEqual(['b.md']);
    expect(sourcesOf(await find('pool'))).toEqual(['a.md', 'b.md']);
    expect(warnings).toEqual(['passages are found by words alone: nobody is there. Start it.']);
    expect(asked).toBe(1);
    const alone = await serve(documents, { options: '?vector=embedding', open: { embed: gone, isAlone: true } });
    await expect(alone.find('lake')).rejects.toMatchObject({ code: 'provider-unreachable' });
  });

  it('makes the vector of a query once', async () => {
    const asked: (readonly string[])[] = [];
    const once = async (texts: readonly string[]) => {
      asked.push(texts);
      return embed();
    };
    const { find } = await serve(documents, { options: '?vector=embedding', open: { embed: once } });
    expect(await find('lake')).toEqual(await find('lake'));
    expect(asked).toEqual([['lake']]);
  });

  it('is not made if the address names no field of vectors', async () => {
    const { find, access } = await serve(documents, { open: { embed } });
    expect(sourcesOf(await find('lake'))).toEqual(['b.md']);
    expect(access.requests).toBe(1);
  });
});

describe('credentials', () => {
  it.each([
    ['id:secret-key', `ApiKey ${Buffer.from('id:secret-key').toString('base64')}`],
    ['aWQ6c2VjcmV0LWtleQ==', 'ApiKey aWQ6c2VjcmV0LWtleQ=='],
  ])('has an API key in either form: %s', async (key, header) => {
    const { server } = await serve(documents, { open: { env: { ELASTICSEARCH_API_KEY: key } } });
    expect(server.requests[0]!.headers.authorization).toBe(header);
  });
});
