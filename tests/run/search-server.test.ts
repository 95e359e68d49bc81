import { describe, expect, it } from 'vitest';
import { startChromaServer } from '../servers/chroma-server.ts';
import { startElasticsearchServer } from '../servers/elasticsearch-server.ts';
import { type FaultAt, faults } from '../servers/search-http.ts';
import { askScripted, decomposing, part, type Script, splitInto, variables } from '../support/scripted-run.ts';
import { during } from '../support/search-servers.ts';

const records = [
  { id: 'r1', document: 'The pool was limited to 20.\n', metadata: { source: 'pool.md', startLine: 7 } },
  { id: 'r2', document: 'Release 4.2 went out at 02:00.\n', metadata: { source: 'log.md', startLine: 3 } },
];

const serve = async (faultAt: FaultAt = () => null) => {
  const server = await during(startChromaServer('docs', records, { faultAt }));
  return { server, retrieval: { server: `chroma+${server.url}/docs` } };
};

/** Cites the first passage with its words. */
const citing: Script = {
  answer: (request) => {
    const [first] = variables(request, 'answer').passages;
    const citations = first ? [{ passage: first.id, quote: 'limited to 20' }] : [];
    return { answer: `Twenty [${first?.id}].`, citations, assumptions: [] };
  },
};

const question = 'What was the pool limited to?';

describe('a run with a search server', () => {
  it('answers without any text of its own, and its citation resolves to the source', async () => {
    const { retrieval } = await serve();
    const { result, of } = await askScripted(citing, { documents: [], settings: { retrieval } }, question);
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'Twenty [1].',
      citations: [{ source: 'pool.md', startLine: 7, endLine: 7, quote: 'limited to 20', startByte: 13, endByte: 26 }],
      warnings: [],
    });
    expect(of('planner')[0]!.documents).toEqual([
      { name: expect.stringMatching(/^collection "docs" of Chroma at chroma\+http/), bytes: 0, lines: 0 },
    ]);
  });

  it('searches the text that is given as well, though it would fit whole', async () => {
    const { retrieval } = await serve();
    const documents = [{ name: 'mine.md', text: 'My pool is limited to 4.\n' }];
    const { of } = await askScripted(citing, { documents, settings: { retrieval } }, question);
    expect(of('answer')[0]!.passages.map(({ source }) => source)).toEqual(['mine.md', 'pool.md']);
  });

  it('checks a quote from the server like any other', async () => {
    const { retrieval } = await serve();
    const wrong = { answer: 'x [P1].', citations: [{ passage: 'P1', quote: 'none' }], assumptions: [] };
    const { result } = await askScripted({ answer: wrong }, { documents: [], settings: { retrieval } }, question);
    expect(result.citations).toEqual([]);
    expect(result.warnings).toContain('the reply cites passage P1, which it was not given');
  });

  it('says when nothing was found', async () => {
    const { retrieval } = await serve();
    const { result } = await askScripted({}, { documents: [], settings: { retrieval } }, 'Xylophone?');
    expect(result.warnings).toContain('the search for a question has found no passage');
  });

  it('gives the same passages the same ids in every run', async () => {
    const ids = async () => {
      const { retrieval } = await serve();
      const { of } = await askScripted({}, { documents: [], settings: { retrieval } }, question);
      return of('answer')[0]!.passages.map(({ id }) => id);
    };
    expect(await ids()).toEqual(await ids());
  });
});

describe('requests to a search server', () => {
  const busy = faults.status(503, 'busy', { 'retry-after': '0' });

  it('are tried again after a transient failure, and that is said', async () => {
    const { retrieval, server } = await serve((index) => (index === 2 ? busy : null));
    const { result } = await askScripted(citing, { documents: [], settings: { retrieval } }, question);
    expect(result.status).toBe('answered');
    expect(result.warnings).toEqual([expect.stringMatching(/answered 503: busy; it was asked again$/)]);
    expect(server.requests).toHaveLength(4);
  });

  it('fail the run after two further tries', async () => {
    const { retrieval, server } = await serve((index) => (index >= 2 ? busy : null));
    const { result } = await askScripted(citing, { documents: [], settings: { retrieval } }, question);
    expect(result).toMatchObject({ status: 'failed', answer: null, error: { code: 'search-failed' } });
    expect(server.requests).toHaveLength(5);
  });

  it('are charged to the budget of searches, each try', async () => {
    const { retrieval, server } = await serve((index) => (index >= 2 ? busy : null));
    const settings = { retrieval, budget: { maxFetches: 2 } };
    const { result } = await askScripted(citing, { documents: [], settings }, question);
    expect(result).toMatchObject({ stopReason: 'limit-fetches' });
    expect(server.requests).toHaveLength(4);
  });

  it('that fail at a part leave the other parts', async () => {
    const documents = records.map(({ id, document, metadata }) => ({
      _id: id,
      _source: { text: document, ...metadata },
    }));
    const faultAt: FaultAt = (_, { body }) =>
      JSON.stringify(body).includes('"query":"Which went') ? faults.status(400, { error: 'no' }) : null;
    const server = await during(startElasticsearchServer('docs', documents, { faultAt }));
    const retrieval = { server: `elasticsearch+${server.url}/docs` };
    const script = splitInto(part('What pool?'), part('Which went out?'));
    const settings = { ...decomposing.settings, retrieval };
    const { result } = await askScripted(script, { documents: [], settings }, 'What of both?');
    expect(result.status).toBe('partial');
    expect(result.recursionTree!.children.map(({ status }) => status)).toEqual(['answered', 'unanswered']);
  });
});

it('a server that is wrong is found out before a model is asked', async () => {
  const { server } = await serve();
  const retrieval = { server: `chroma+${server.url}/none` };
  await expect(askScripted({}, { documents: [], settings: { retrieval } })).rejects.toMatchObject({
    code: 'collection-missing',
  });
});

it('a run that is cancelled while the server keeps it waiting ends at once', async () => {
  const { retrieval, server } = await serve(() => faults.stall());
  const cancelled = new AbortController();
  const run = askScripted({}, { documents: [], settings: { retrieval }, signal: cancelled.signal });
  const ended = expect(run).rejects.toMatchObject({ code: 'interrupted' });
  await expect.poll(() => server.requests.length).toBe(1);
  cancelled.abort(new Error('enough'));
  await ended;
  await expect.poll(() => server.openSockets()).toBe(0);
});
