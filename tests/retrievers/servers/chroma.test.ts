import { describe, expect, it } from 'vitest';
import { type ChromaRecord, startChromaServer } from '../../servers/chroma-server.ts';
import { type FaultAt, faults } from '../../servers/search-http.ts';
import { countingAccess, during, open, signal } from '../../support/search-servers.ts';

const query = (text: string, limit = 5) => ({ text, limit, maxBytes: 10_000 });

const records = (...texts: readonly (string | null)[]): ChromaRecord[] =>
  texts.map((document, index) => ({ id: `t${index}`, document }));

async function serve(all: readonly ChromaRecord[], options: Parameters<typeof open>[1] = {}) {
  const server = await during(startChromaServer('docs', all));
  const { retriever, ...rest } = await open(server.url.replace('http', 'chroma+http').concat('/docs'), options);
  const find = (text: string, limit?: number) => retriever.retrieve(query(text, limit), signal);
  return { server, retriever, find, ...rest };
}

const textsOf = (passages: readonly { text: string }[]) => passages.map(({ text }) => text);

describe('passages of a Chroma server', () => {
  it('have the source and lines of the metadata', async () => {
    const metadata = { source: 'docs/pool.md', startLine: 41, endLine: 42, other: true };
    const { find } = await serve([{ id: 'x', document: 'the pool\nis small\n', metadata }]);
    expect(await find('pool')).toEqual([
      {
        id: expect.stringMatching(/^P\d{10}$/),
        source: 'docs/pool.md',
        startLine: 41,
        endLine: 42,
        startByte: 0,
        endByte: 18,
        text: 'the pool\nis small\n',
        score: expect.any(Number),
        hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]);
  });

  it('are not searched if the server counts none', async () => {
    const faultAt: FaultAt = (index) => (index === 1 ? faults.status(200, '"three"') : null);
    const server = await during(startChromaServer('docs', records('a pool'), { faultAt }));
    await expect(open(`chroma+${server.url}/docs`)).rejects.toMatchObject({
      code: 'search-failed',
      message: expect.stringContaining('the reply has no number of passages'),
    });
  });

  it('are named by their id, with lines of their own, if the metadata has no usable values', async () => {
    const metadata = { source: 7, startLine: 'top', endLine: -1 };
    const { find } = await serve([{ id: 'row-7', document: 'one pool\ntwo pools', metadata }]);
    expect(await find('pool')).toMatchObject([{ source: 'row-7', startLine: 1, endLine: 2 }]);
  });

  it('use the fields that the address names', async () => {
    const server = await during(
      startChromaServer('docs', [{ id: 'x', document: 'a pool', metadata: { file: 'a.md', line: 9 } }]),
    );
    const { retriever } = await open(`chroma+${server.url}/docs?source=file&startLine=line`);
    expect(await retriever.retrieve(query('pool'), signal)).toMatchObject([
      { source: 'a.md', startLine: 9, endLine: 9 },
    ]);
  });

  it('keep their ids whatever else is found, and in any order of arrival', async () => {
    const texts = ['a pool', 'a pool and a lake', 'a lake'];
    const { find } = await serve(records(...texts));
    const backwards = await serve(records(...texts).reverse());
    const ids = (passages: readonly { id: string; text: string }[]) =>
      new Map(passages.map(({ id, text }) => [text, id]));
    const [one, other] = [ids(await find('pool')), ids(await backwards.find('lake pool'))];
    for (const [text, id] of one) expect(other.get(text)).toBe(id);
  });

  it('are returned once, even if the server has them twice; the same words elsewhere are another passage', async () => {
    const metadata = { source: 'a.md' };
    const twice = [1, 2].map((at) => ({ id: `i${at}`, document: 'a pool', metadata }));
    const { find } = await serve([...twice, { id: 'i3', document: 'a pool', metadata: { source: 'b.md' } }]);
    const passages = await find('pool');
    expect(passages.map(({ source }) => source)).toEqual(['a.md', 'b.md']);
    expect(new Set(passages.map(({ id }) => id)).size).toBe(2);
  });

  it('are limited by the room of the query, and one that never fits is reported', async () => {
    const { retriever } = await serve(records(`pool ${'x'.repeat(200)}`, 'pool'));
    const access = countingAccess();
    const found = await retriever.retrieve({ text: 'pool', limit: 5, maxBytes: 100 }, signal, access);
    expect(textsOf(found)).toEqual(['pool']);
    expect(access.warnings).toEqual([expect.stringContaining('1 of the passages')]);
  });

  it('have their bytes, even if the server sends half a character', async () => {
    const { find } = await serve(records('a pool \ud800 here'));
    const [passage] = await find('pool');
    expect(passage!.text).toBe('a pool \ufffd here');
    expect(passage!.endByte).toBe(Buffer.byteLength(passage!.text));
  });
});

describe('search by words', () => {
  it('finds other endings and cases, parts of identifiers, accents and Chinese', async () => {
    const { find } = await serve(
      records(
        'It RETRIED twice.',
        'const maxRetryCount = 3',
        'Le Café ferme',
        '東京タワー',
        'see src/a.b(c)/d+e.ts',
        'It is',
        'good',
      ),
    );
    expect(textsOf(await find('retries'))).toEqual(['It RETRIED twice.', 'const maxRetryCount = 3']);
    expect(textsOf(await find('café'))).toEqual(['Le Café ferme']);
    expect(textsOf(await find('東京'))).toEqual(['東京タワー']);
    expect(textsOf(await find('src/a.b(c)/d+e.ts'))).toEqual(['see src/a.b(c)/d+e.ts']);
    expect(textsOf(await find('go'))).toEqual([]);
  });

  it('finds short words with their endings, and not within others', async () => {
    const { find } = await serve(
      records('two logs', 'They log it.', 'a blog', 'the setting', 'She tries it.', 'upset'),
    );
    expect(textsOf(await find('logs'))).toEqual(expect.arrayContaining(['two logs', 'They log it.']));
    expect(await find('logs')).toHaveLength(2);
    expect(textsOf(await find('set'))).toEqual(['the setting']);
    expect(textsOf(await find('try'))).toEqual(['She tries it.']);
  });

  it('makes one request if few passages match', async () => {
    const { retriever } = await serve(records('a pool', 'a lake'));
    const access = countingAccess();
    await retriever.retrieve(query('pool or lake or sea'), signal, access);
    expect(access.requests).toBe(1);
  });

  it('finds the one passage with a rare word among many with the frequent ones', async () => {
    const many = Array.from({ length: 900 }, (_, index) => `the gateway ${index} is open`);
    const { find, server } = await serve(records(...many, 'the gateway in Lisbon is open'));
    expect(textsOf(await find('Is the gateway in Lisbon open?', 1))).toEqual(['the gateway in Lisbon is open']);
    expect(server.requests.length).toBeLessThan(10);
  });

  it('finds the one passage with two frequent words together', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 ? `the gateway ${index}` : `a harbour ${index}`,
    );
    const { find } = await serve(records(...many, 'the gateway at the harbour'));
    expect(textsOf(await find('gateway harbour', 1))).toEqual(['the gateway at the harbour']);
  });

  it('gives a rare word more weight than a frequent one, although most passages with it were not fetched', async () => {
    const many = Array.from({ length: 1_000 }, () => 'pool pool pool');
    const { find } = await serve(records(...many, 'a timeout of the pool'));
    expect(textsOf(await find('pool timeout', 1))).toEqual(['a timeout of the pool']);
  });

  it('leaves out passages without text', async () => {
    const { find, passages, about } = await serve(records(null, 'a pool'));
    expect(textsOf(await find('pool'))).toEqual(['a pool']);
    expect(passages).toBe(2);
    expect(about).toMatch(/^collection "docs" of Chroma at chroma\+http:\/\/127\.0\.0\.1:\d+\/docs$/);
  });
});

describe('search by vectors', () => {
  const near = [0, 1, 2].map((at) => ({ id: `v${at}`, document: `text ${at}`, embedding: [at, 1] }));

  it('returns the nearest, in order', async () => {
    const asked: (readonly string[])[] = [];
    const embed = async (texts: readonly string[]) => {
      asked.push(texts);
      return [Float32Array.from([1.9, 1])];
    };
    const { find } = await serve(near, { embed });
    const found = await find('whatever', 2);
    expect(textsOf(found)).toEqual(['text 2', 'text 1']);
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
    expect(asked).toEqual([['whatever']]);
  });

  it('reports vectors of another model', async () => {
    const { find } = await serve(near, { embed: async () => [Float32Array.from([1, 2, 3])] });
    await expect(find('whatever')).rejects.toMatchObject({
      code: 'request-refused',
      message: expect.stringContaining('dimension of 2, got 3'),
    });
  });
});

describe('opening a Chroma server', () => {
  it('sends the token, and takes the database from the address', async () => {
    const server = await during(startChromaServer('docs', records('a pool'), { database: 'other' }));
    const env = { CHROMA_TOKEN: 'ck-0123456789' };
    await open(`chroma+${server.url}/docs?database=other`, { env });
    expect(server.requests[0]!.headers).toMatchObject({
      'x-chroma-token': 'ck-0123456789',
      authorization: 'Bearer ck-0123456789',
    });
  });

  it('sends the login of the address, which no error shows', async () => {
    const server = await during(startChromaServer('docs', []));
    const address = `chroma+${server.url.replace('//', '//me:s3cretpass@')}/none`;
    const error = await open(address).catch((thrown: Error) => thrown);
    expect(server.requests[0]!.headers.authorization).toBe(`Basic ${Buffer.from('me:s3cretpass').toString('base64')}`);
    expect(error).toMatchObject({ code: 'collection-missing', message: expect.stringContaining('"none"') });
    expect((error as Error).message).not.toContain('s3cretpass');
  });
});
