import { describe, expect, it } from 'vitest';
import { startChromaServer } from '../../servers/chroma-server.ts';
import { startElasticsearchServer } from '../../servers/elasticsearch-server.ts';
import { type FaultAt, faults } from '../../servers/search-http.ts';
import { during, open, signal } from '../../support/search-servers.ts';

const query = { text: 'pool', limit: 5, maxBytes: 1_000 };

/** Servers that answer when they are opened, and fail when they are searched. */
const kinds = {
  chroma: async (faultAt: FaultAt) => {
    const late: FaultAt = (index, request) => (index < 2 ? null : faultAt(index - 2, request));
    const server = await during(startChromaServer('docs', [{ id: '1', document: 'a pool' }], { faultAt: late }));
    return { server, address: `chroma+${server.url}/docs` };
  },
  elasticsearch: async (faultAt: FaultAt) => {
    const late: FaultAt = (index, request) => (index < 1 ? null : faultAt(index - 1, request));
    const documents = [{ _id: '1', _source: { text: 'a pool' } }];
    const server = await during(startElasticsearchServer('docs', documents, { faultAt: late }));
    return { server, address: `elasticsearch+${server.url}/docs` };
  },
};

const elastic = (type: string, reason: string) => ({ error: { root_cause: [], type, reason }, status: 0 });
const elsewhere = { location: 'http://192.0.2.1/docs' };

describe.each(Object.entries(kinds))('%s with faults', (_, serve) => {
  it.each([
    ['401', faults.status(401, elastic('security_exception', 'missing token')), 'credentials-refused', false],
    ['403', faults.status(403, { error: 'Forbidden', message: 'no' }), 'credentials-refused', false],
    [
      '404',
      faults.status(404, elastic('index_not_found_exception', 'no such index [docs]')),
      'collection-missing',
      false,
    ],
    ['400', faults.status(400, { error: 'InvalidArgumentError', message: 'wrong' }), 'request-refused', false],
    ['408', faults.status(408), 'search-failed', true],
    ['429', faults.status(429, 'too many'), 'rate-limited', true],
    ['500', faults.status(500, elastic('x', 'y')), 'search-failed', true],
    ['502 with a page', faults.status(502, '<html>Bad gateway</html>'), 'search-failed', true],
    ['a closed connection', faults.reset(), 'search-unreachable', true],
    ['a web page', faults.html(), 'search-failed', false],
    ['JSON of another kind', faults.status(200, { hello: 1 }), 'search-failed', false],
    ['a list', faults.status(200, '[1]'), 'search-failed', false],
    ['a redirect to another host', faults.status(302, '', elsewhere), 'search-unreachable', false],
    ['a redirect to itself', faults.status(302, '', { location: '/other' }), 'request-refused', false],
  ])('%s: an error that says what to do', async (__, fault, code, transient) => {
    const { address } = await serve(() => fault);
    const { retriever } = await open(address);
    await expect(retriever.retrieve(query, signal)).rejects.toMatchObject({
      code,
      transient,
      message: expect.stringContaining('127.0.0.1'),
      hint: expect.stringMatching(/./),
    });
  });

  it('gives the cause that the server names, and not that shards failed', async () => {
    const causes = [{ type: 'query_shard_exception', reason: 'the vector has 3 dimensions' }];
    const { address } = await serve(() =>
      faults.status(500, { error: { root_cause: causes, reason: 'all shards failed' } }),
    );
    const { retriever } = await open(address);
    await expect(retriever.retrieve(query, signal)).rejects.toThrow(/500: the vector has 3 dimensions$/);
  });

  it('states the waiting time that the server requests', async () => {
    const { address } = await serve(() => faults.status(429, 'slow', { 'retry-after': '3' }));
    const { retriever } = await open(address);
    await expect(retriever.retrieve(query, signal)).rejects.toMatchObject({ retryAfterMs: 3_000 });
  });

  it.each([
    ['sends nothing', faults.stall()],
    ['stops in the middle', faults.stallMidStream('{"hits":')],
  ])('%s: abandoned at the deadline, with the connection closed', async (__, fault) => {
    const { address, server } = await serve(() => fault);
    const { retriever } = await open(address, { callTimeout: 0.2 });
    await expect(retriever.retrieve(query, signal)).rejects.toMatchObject({ code: 'call-timeout' });
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it('is abandoned at once when the run is cancelled', async () => {
    const { address, server } = await serve(() => faults.stall());
    const { retriever } = await open(address);
    const cancelled = new AbortController();
    const work = retriever.retrieve(query, cancelled.signal);
    await expect.poll(() => server.requests.length).toBeGreaterThan(1);
    cancelled.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it('shows no key that the server repeats', async () => {
    const { address } = await serve(() => faults.status(401, { message: 'bad key k3y-0123456789abcdef' }));
    const env = { CHROMA_TOKEN: 'k3y-0123456789abcdef', ELASTICSEARCH_API_KEY: 'k3y-0123456789abcdef' };
    const { retriever } = await open(address, { env });
    const error = await retriever.retrieve(query, signal).catch((thrown: Error) => thrown);
    expect((error as Error).message).toContain('[secret]');
    expect((error as Error).message).not.toContain('k3y-0123456789abcdef');
  });
});

it('a missing server', async () => {
  await expect(open('chroma+http://127.0.0.1:1/docs', { callTimeout: 0.5 })).rejects.toMatchObject({
    code: 'search-unreachable',
    message: expect.stringContaining('connection refused'),
  });
});

it('a server that is busy when it is opened is asked again', async () => {
  const faultAt: FaultAt = (index) => (index === 0 ? faults.status(503, 'busy', { 'retry-after': '0' }) : null);
  const server = await during(startChromaServer('docs', [], { faultAt }));
  expect(await open(`chroma+${server.url}/docs`)).toMatchObject({ passages: 0 });
});
