import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { packageRoot } from '../../../src/config/package-root.ts';
import { createContextStore } from '../../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../../src/retrievers/lexical/retriever.ts';
import { createBudget } from '../../../src/run/door/budget.ts';
import { createPassageFinder } from '../../../src/run/text/find-passages.ts';
import { createGivenPassages } from '../../../src/run/text/given-passages.ts';

const { settings: shipped } = loadConfiguration({ cwd: packageRoot, env: { HOME: '/dev/null/nowhere' } });
const limits = { calls: 9, tokens: null, usd: null, wallTimeMs: 60_000, fetches: 9 };
const signal = new AbortController().signal;

function finder(passageBytes: number) {
  const bytes = Buffer.from('first apple\nthen a pear\nlast a plum\n');
  const store = createContextStore([{ name: 'a', bytes }], { chunkBytes: 12, overlapBytes: 12 });
  const settings = { ...shipped, context: { ...shipped.context, chunkTokens: 4, overlapTokens: 4 } };
  const given = createGivenPassages();
  const passages = createPassageFinder({
    store,
    retriever: createLexicalRetriever(store),
    local: createLexicalRetriever(store),
    rerank: null,
    settings,
    windowAt: () => ({ tokens: 1_000, passageBytes, passages: 8, fits: true }),
    budget: createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
    given,
    readsOrder: false,
    onSearch: () => {},
    warn: () => {},
  });
  return { ...passages, given: (ids: readonly string[]) => ids.flatMap((id) => given.find(id) ?? []) };
}

const textsOf = (passages: readonly { readonly text: string }[]) => passages.map(({ text }) => text);

describe('the passages of a question', () => {
  it('are all of the text without overlap where it fits, and else the best with it', async () => {
    const passages = finder(1_000);
    const whole = await passages.find({ query: 'pear', takenBytes: 0, path: '0' }, signal);
    expect(textsOf(whole)).toEqual(['first apple\n', 'then a pear\n', 'last a plum\n']);
    expect(textsOf(await passages.find({ query: 'pear', takenBytes: 900, path: '0' }, signal))).toEqual([
      'first apple\nthen a pear\n',
    ]);
  });

  it('are remembered with the most that was shown of them', async () => {
    const passages = finder(1_000);
    await passages.find({ query: 'pear', takenBytes: 900, path: '0' }, signal);
    await passages.find({ query: 'pear', takenBytes: 0, path: '0' }, signal);
    expect(textsOf(passages.given(['P2', 'P3']))).toEqual(['first apple\nthen a pear\n', 'last a plum\n']);
  });

  it('need room for a chunk and the overlap before it', async () => {
    await expect(finder(23).find({ query: 'pear', takenBytes: 0, path: '0' }, signal)).rejects.toMatchObject({
      code: 'prompt-too-long',
    });
    expect(textsOf(await finder(24).find({ query: 'pear', takenBytes: 0, path: '0' }, signal))).toEqual([
      'first apple\nthen a pear\n',
    ]);
  });
});

describe('passages in hand', () => {
  const bytes = Buffer.from(Array.from({ length: 9 }, (_, line) => `this is line ${line}\n`).join(''));
  const store = createContextStore([{ name: 'a', bytes }], { chunkBytes: 16 });

  /** The chunks that a question is shown, of so many with these scores, where two are usual. */
  async function shown(scores: readonly number[], inHand: readonly number[], nearBest = 0.6): Promise<number[]> {
    const all = scores.map((score, chunk) => store.passage(store.chunk(chunk), score));
    const passages = createPassageFinder({
      store,
      retriever: {
        name: 'listing',
        nearBest: nearBest || undefined,
        retrieve: async ({ limit }) => all.slice(0, limit),
      },
      local: { name: 'none', retrieve: async () => [] },
      rerank: null,
      settings: { ...shipped, context: { ...shipped.context, chunkTokens: 4, overlapTokens: 0 } },
      windowAt: () => ({ tokens: 1_000, passageBytes: 1_000, passages: 2, fits: false }),
      budget: createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
      given: createGivenPassages(),
      readsOrder: false,
      onSearch: () => {},
      warn: () => {},
    });
    const search = { query: 'line', path: '0.1', inHand: inHand.map((chunk) => all[chunk]!) };
    return (await passages.find(search, signal)).map(({ id }) => Number(id.slice(1)) - 1);
  }

  it('take no place of others', async () => {
    expect(await shown([9, 9, 9, 9, 9, 9], [])).toEqual([0, 1]);
    expect(await shown([9, 9, 9, 9, 9, 9], [0, 2])).toEqual([0, 1, 2, 3]);
    expect(await shown([9, 9, 9, 9, 9, 9], [5])).toEqual([0, 1]);
  });

  it('bring no others that suit much less than the best', async () => {
    expect(await shown([10, 9, 6, 5.9, 5.8], [0, 1])).toEqual([0, 1, 2]);
    expect(await shown([10, 1, 1, 1, 1], [0])).toEqual([0, 1]);
    expect(await shown([10, 9, 6, 5.9, 5.8], [0, 1], 0.55)).toEqual([0, 1, 2, 3]);
  });

  it('bring no others where scores only give the order', async () => {
    expect(await shown([9, 9, 9, 9, 9, 9], [0, 2], 0)).toEqual([0, 1]);
  });
});

describe('a second search', () => {
  const texts = [
    'The film Harbour Lights was directed by Anna Berg.',
    'Anna Berg lived in Tromso with her husband, a painter.',
    'Harbour lights were lit.',
  ];
  const store = createContextStore(texts.map((text, place) => ({ name: `d${place}`, bytes: Buffer.from(text) })));
  const question = 'Where did the husband of the director of the film Harbour Lights paint?';

  async function found(room: number, fetches: number, path = '0') {
    const searches: [string, readonly string[]][] = [];
    const local = createLexicalRetriever(store);
    const { find } = createPassageFinder({
      store,
      retriever: local,
      local,
      rerank: null,
      settings: {
        ...shipped,
        context: { ...shipped.context, chunkTokens: 20, overlapTokens: 0 },
        reasoner: { ...shipped.reasoner, childTools: 'full' },
      },
      windowAt: () => ({ tokens: 1_000, passageBytes: room, passages: 1, fits: false }),
      budget: createBudget({ ...limits, fetches }, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
      given: createGivenPassages(),
      readsOrder: false,
      onSearch: (at, { found }) => searches.push([at, found]),
      warn: () => {},
    });
    const passages = await find({ query: question, path }, signal);
    return { ids: passages.map(({ id }) => id), searches };
  }

  it('adds passages, and reports itself', async () => {
    expect(await found(1_000, 9)).toEqual({ ids: ['P1', 'P2', 'P3'], searches: [['0', ['P2', 'P3']]] });
  });

  it('needs room and a search that the run has left, and is not made for a part that may search itself', async () => {
    expect(await found(100, 9)).toEqual({ ids: ['P1'], searches: [] });
    expect(await found(1_000, 1)).toEqual({ ids: ['P1'], searches: [] });
    expect(await found(1_000, 9, '0.1')).toEqual({ ids: ['P1'], searches: [] });
  });
});

describe('a question about the order in time', () => {
  const lines = [3, 1, 2].map((minute) => `2026-01-01T10:0${minute}:00Z ERROR pool failed\n`);
  const store = createContextStore(lines.map((line, at) => ({ name: `${at}.log`, bytes: Buffer.from(line) })));

  async function found(readsOrder: boolean) {
    const { find } = createPassageFinder({
      store,
      retriever: { name: 'last', retrieve: async () => [store.passage(store.chunk(2), 1)] },
      local: { name: 'none', retrieve: async () => [] },
      rerank: null,
      settings: { ...shipped, context: { ...shipped.context, chunkTokens: 20, overlapTokens: 0 } },
      windowAt: () => ({ tokens: 1_000, passageBytes: 1_000, passages: 3, fits: false }),
      budget: createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
      given: createGivenPassages(),
      readsOrder,
      onSearch: () => {},
      warn: () => {},
    });
    return (await find({ query: 'What failed first?', path: '0' }, signal)).map(({ source }) => source);
  }

  it('is read by rules where no language model answers, and by the model otherwise', async () => {
    expect(await found(true)).toContain('1.log');
    expect(await found(false)).toEqual(['2.log']);
  });
});
