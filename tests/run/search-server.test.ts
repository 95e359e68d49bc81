import { describe, expect, it, onTestFinished } from 'vitest';
import { startChromaServer } from '../servers/chroma-server.ts';
import { startElasticsearchServer } from '../servers/elasticsearch-server.ts';
import { startOllamaServer } from '../servers/ollama-server.ts';
import { type FaultAt, faults } from '../servers/search-http.ts';
import { bagOfMeanings } from '../support/embeddings.ts';
import { askScripted, decomposing, part, type Script, splitInto, variables } from '../support/scripted-run.ts';
import { during } from '../support/search-servers.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { warned } from '../support/warned.ts';

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
  it('answers without any local text, and its citation leads to the source', async () => {
    const { retrieval } = await serve();
    const { result, of } = await askScripted(citing, { documents: [], settings: { retrieval } }, question);
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'Twenty [1].',
      citations: [{ source: 'pool.md', startLine: 7, endLine: 7, quote: 'limited to 20', startByte: 13, endByte: 26 }],
      warnings: [],
    });
    expect(of('planner')[0]!.documents).toMatch(
      /^- collection "docs" of Chroma at chroma\+http\S+: it can be searched for passages, and cannot be read as a whole$/,
    );
  });

  it('lists the files that tools may read, also without any local text', async () => {
    const { retrieval } = await serve();
    const settings = { retrieval, strategy: 'explore' as const, tools: { roots: [tempFolder()] } };
    const { of } = await askScripted({}, { documents: [], settings }, question);
    expect(of('explore')[0]!.tools.map(({ name }) => name)).toContain('list_files');
  });

  it('also searches the given text, even if it would fit whole', async () => {
    const { retrieval } = await serve();
    const documents = [{ name: 'mine.md', text: 'My pool is limited to 4.\n' }];
    const { of } = await askScripted(citing, { documents, settings: { retrieval } }, question);
    expect(of('answer')[0]!.passages.map(({ source }) => source)).toEqual(['mine.md', 'pool.md']);
    expect(of('planner')[0]!.documents).toMatch(/^- collection "docs" .+\n- mine\.md: /);
  });

  it('checks a quote from the server like any other', async () => {
    const { retrieval } = await serve();
    const wrong = { answer: 'x [P1].', citations: [{ passage: 'P1', quote: 'none' }], assumptions: [] };
    const { result } = await askScripted({ answer: wrong }, { documents: [], settings: { retrieval } }, question);
    expect(result.citations).toEqual([]);
    expect(warned(result, 'evidence')).toMatch(/cites passage P1, .*not given/);
  });

  it('says when nothing was found', async () => {
    const { retrieval } = await serve();
    const { result } = await askScripted({}, { documents: [], settings: { retrieval } }, 'Xylophone?');
    expect(result.warningCodes).toContain('no-match');
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

  it('are retried after a transient failure, with a notice', async () => {
    const { retrieval, server } = await serve((index) => (index === 2 ? busy : null));
    const { result } = await askScripted(citing, { documents: [], settings: { retrieval } }, question);
    expect(result.status).toBe('answered');
    expect(result).toMatchObject({
      warningCodes: ['search'],
      warnings: [expect.stringMatching(/ 503: busy; .*repeated$/)],
    });
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

  it('that fail for a part leave the other parts', async () => {
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

describe('a server with local text', () => {
  const documents = [{ name: 'mine.md', text: 'My pool is limited to 4.\n' }];
  const busy = faults.status(503, 'busy', { 'retry-after': '0' });
  const ask = async (faultAt: FaultAt, script: Script = {}, settings = {}) => {
    const { retrieval, server } = await serve(faultAt);
    const asked = await askScripted(script, { documents, settings: { ...settings, retrieval } }, question);
    return { ...asked, server, sources: asked.of('answer')[0]?.passages.map(({ source }) => source) };
  };

  it('that fails leads to a warning, and the text is searched', async () => {
    const { result, sources } = await ask((index) => (index >= 2 ? faults.status(400, { message: 'no' }) : null));
    expect(sources).toEqual(['mine.md']);
    expect(result).toMatchObject({
      status: 'answered',
      error: null,
      warningCodes: ['search'],
      warnings: [expect.stringMatching(/^only the local text .*: Chroma at \S+ answered 400: no\. /)],
    });
  });

  it('that is unreachable at the start does the same', async () => {
    const { result, sources, of } = await ask(() => busy);
    expect(sources).toEqual(['mine.md']);
    expect(result).toMatchObject({
      warningCodes: ['search'],
      warnings: [expect.stringMatching(/^only the local text .*: .+ answered 503: busy/)],
    });
    expect(of('planner')[0]!.documents).toMatch(/^- mine\.md: /);
  });

  it('with a wrong name ends the run before a model is asked', async () => {
    const { server } = await serve();
    const retrieval = { server: `chroma+${server.url}/none` };
    await expect(askScripted({}, { documents, settings: { retrieval } })).rejects.toMatchObject({
      code: 'collection-missing',
    });
  });

  it('is not read by a scan, which says so and does not claim to be complete', async () => {
    const finding = { passage: 'P1', quote: 'limited to 4', key: '4', finding: 'The pool is limited to 4.' };
    const script: Script = { scan: { findings: [finding], more: 'no', asksFor: 'count' } };
    const { result, server } = await ask(() => null, script, { strategy: 'scan' });
    expect(result.answer).toMatch(/^At least 1 found:/);
    expect(result.answer).toMatch(/The text on the search server was not read\.$/);
    expect(result).toMatchObject({ warningCodes: ['unread'], warnings: [expect.stringContaining('search server')] });
    expect(server.requests).toHaveLength(2);
  });

  it('a scan that can read only a part chooses it by the local text', async () => {
    const text = `${'Nothing happened then.\n\n'.repeat(20_000)}The pool was limited to 20.\n`;
    const { retrieval, server } = await serve();
    const settings = { retrieval, strategy: 'scan', budget: { maxCalls: 12 } } as const;
    const { of, result } = await askScripted({}, { documents: [{ name: 'log.md', text }], settings }, question);
    expect(of('scan').some(({ passages }) => passages.some((passage) => passage.text.includes('limited to 20')))).toBe(
      true,
    );
    expect(result.answer).toMatch(/Only \d+ % of the text was read\. The text on the search server was not read\.$/);
    expect(server.requests).toHaveLength(2);
  });
});

it('a scan with only a server searches it instead, with a warning', async () => {
  const { retrieval } = await serve();
  const settings = { retrieval, strategy: 'scan' } as const;
  const { result } = await askScripted(citing, { documents: [], settings }, question);
  expect(result).toMatchObject({ status: 'answered', answer: 'Twenty [1].' });
  expect(result).toMatchObject({ warningCodes: ['unread'], warnings: [expect.stringContaining('search server')] });
  expect(result.recursionTree).toMatchObject({ strategyReason: 'there is no text to read' });
});

describe('a server and an embedding model', () => {
  const model = 'nomic-embed-text';
  const texts = ['The vehicle was reduced to rubble.', 'Nothing else happened.', 'The weather was fine.'];
  const asked = 'Which automobile crashed?';

  const unit = (vector: readonly number[]) => vector.map((value) => value / Math.hypot(...vector));

  async function startEmbedder() {
    const server = await startOllamaServer({
      reply: () => '',
      models: [{ name: model, capabilities: ['embedding'] }],
      embed: ({ input }) => input.map(bagOfMeanings),
    });
    onTestFinished(server.close);
    return server;
  }

  async function ask(retrieval: object, host: string, embedding = {}) {
    const settings = { retrieval, ollama: { host }, embedding: { model, ...embedding } };
    const run = await askScripted({}, { documents: [], settings, env: { HOME: tempFolder() } }, asked);
    return { ...run, sources: run.of('answer')[0]!.passages.map(({ text }) => text) };
  }

  const startChroma = () =>
    during(
      startChromaServer(
        'docs',
        texts.map((document, at) => ({ id: `v${at}`, document, embedding: unit(bagOfMeanings(document)) })),
      ),
    );
  const startElastic = () =>
    during(
      startElasticsearchServer(
        'docs',
        texts.map((text, at) => ({ _id: `v${at}`, _source: { text }, vector: bagOfMeanings(text) })),
      ),
    );

  it('Chroma is asked for the nearest', async () => {
    const [chroma, embedder] = [await startChroma(), await startEmbedder()];
    const { sources, result } = await ask({ server: `chroma+${chroma.url}/docs` }, embedder.url, {
      queryPrefix: 'search_query: ',
    });
    expect(sources[0]).toBe(texts[0]);
    expect(chroma.requests.at(-1)!.segments.at(-1)).toBe('query');
    expect(embedder.embeds.map(({ input }) => input)).toEqual([[expect.stringMatching(/^search_query: Which auto/)]]);
    expect(result.warnings).toEqual([]);
    expect(result.usage.embeddings.requests).toBe(1);
  });

  it('Elasticsearch is asked for words and for the nearest, with the mode vector only for the nearest', async () => {
    const [elastic, embedder] = [await startElastic(), await startEmbedder()];
    const server = `elasticsearch+${elastic.url}/docs?vector=embedding`;
    let seen = 0;
    const forms = () => {
      const fresh = elastic.requests.slice(seen);
      seen = elastic.requests.length;
      return fresh
        .filter(({ segments }) => segments.at(-1) === '_search')
        .map(({ body }) => Object.keys(body)[0])
        .sort();
    };
    expect((await ask({ server }, embedder.url)).sources[0]).toBe(texts[0]);
    expect(forms()).toEqual(['knn', 'query']);
    expect((await ask({ server, mode: 'vector' }, embedder.url)).sources[0]).toBe(texts[0]);
    expect(forms()).toEqual(['knn']);
    await ask({ server, mode: 'lexical' }, embedder.url);
    expect(forms()).toEqual(['query']);
  });

  it('an address without a vector field is searched by words with a notice, unless vectors were named', async () => {
    const [elastic, embedder] = [await startElastic(), await startEmbedder()];
    const server = `elasticsearch+${elastic.url}/docs`;
    const { result } = await ask({ server }, embedder.url);
    expect(warned(result, 'search')).toMatch(/^the search server .* words alone: .+ names no field/);
    await expect(ask({ server, mode: 'vector' }, embedder.url)).rejects.toMatchObject({ code: 'config-invalid' });
  });

  it('words are used if the model cannot be reached, with one warning', async () => {
    const chroma = await startChroma();
    const { result } = await ask({ server: `chroma+${chroma.url}/docs` }, '127.0.0.1:1');
    expect(warned(result, 'search')).toMatch(/^passages .* words alone: /);
    expect(chroma.requests.at(-1)!.segments.at(-1)).toBe('get');
  });

  it('a text that is too long for vectors is searched by words, and the server by vectors', async () => {
    const [chroma, embedder] = [await startChroma(), await startEmbedder()];
    const settings = {
      retrieval: { server: `chroma+${chroma.url}/docs` },
      ollama: { host: embedder.url },
      embedding: { model, maxChunks: 1 },
    };
    const documents = [{ name: 'mine.md', text: 'One paragraph of it.\n\n'.repeat(500) }];
    const { result } = await askScripted({}, { documents, settings, env: { HOME: tempFolder() } }, asked);
    expect(warned(result, 'search')).toContain('at most 1 get vectors');
    expect(chroma.requests.at(-1)!.segments.at(-1)).toBe('query');
    expect(embedder.embeds).toHaveLength(1);
  });
});

it('a wrong server is discovered before a model is asked', async () => {
  const { server } = await serve();
  const retrieval = { server: `chroma+${server.url}/none` };
  await expect(askScripted({}, { documents: [], settings: { retrieval } })).rejects.toMatchObject({
    code: 'collection-missing',
  });
});

it('a run that is cancelled while it waits for the server ends at once', async () => {
  const { retrieval, server } = await serve(() => faults.stall());
  const cancelled = new AbortController();
  const run = askScripted({}, { documents: [], settings: { retrieval }, signal: cancelled.signal });
  const ended = expect(run).resolves.toMatchObject({ result: { status: 'cancelled', error: { code: 'interrupted' } } });
  await expect.poll(() => server.requests.length).toBe(1);
  cancelled.abort(new Error('enough'));
  await ended;
  await expect.poll(() => server.openSockets()).toBe(0);
});
