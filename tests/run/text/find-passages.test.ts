import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/config/folders.ts';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { createContextStore } from '../../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../../src/retrievers/lexical/retriever.ts';
import { createBudget } from '../../../src/run/door/budget.ts';
import { createPassageFinder } from '../../../src/run/text/find-passages.ts';
import { createGivenPassages } from '../../../src/run/text/given-passages.ts';

const { settings: shipped } = loadConfiguration({ cwd: packageRoot, env: { HOME: '/dev/null/nowhere' } });
const limits = { calls: 9, tokens: null, usd: null, wallTimeMs: 60_000, fetches: 9 };
const signal = new AbortController().signal;

function finder(
  passageBytes: number,
  text = 'first apple\nthen a pear\nlast a plum\n',
  lookBytes: number | null = null,
) {
  const bytes = Buffer.from(text);
  const store = createContextStore([{ name: 'a', bytes }], { chunkBytes: 12, overlapBytes: 12 });
  const settings = { ...shipped, context: { ...shipped.context, chunkTokens: 4, overlapTokens: 4 } };
  const given = createGivenPassages();
  const passages = createPassageFinder({
    store,
    retriever: createLexicalRetriever(store),
    local: createLexicalRetriever(store),
    settings,
    windowAt: () => ({ tokens: 1_000, passageBytes, lookBytes, fits: lookBytes === null }),
    budget: createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
    given,
    onSearch: () => {},
    warn: () => {},
  });
  return { ...passages, given: (ids: readonly string[]) => ids.flatMap((id) => given.find(id) ?? []) };
}

const textsOf = (passages: readonly { readonly text: string }[]) => passages.map(({ text }) => text);

describe('the passages of a question', () => {
  it('are all of the text without overlap if it fits, and otherwise the best with it', async () => {
    const passages = finder(1_000);
    const whole = await passages.find({ query: 'pear', takenBytes: 0, path: '0' }, signal);
    expect(textsOf(whole)).toEqual(['first apple\n', 'then a pear\n', 'last a plum\n']);
    expect(textsOf(await passages.find({ query: 'pear', takenBytes: 900, path: '0' }, signal))).toEqual([
      'first apple\nthen a pear\n',
    ]);
  });

  it('are at least one if a first look is smaller than a passage, and the window has room', async () => {
    const found = await finder(1_000, undefined, 20).find({ query: 'pear', path: '0' }, signal);
    expect(textsOf(found).join('')).toContain('then a pear');
  });

  it('fill a given room, in text order, and are remembered', async () => {
    const lines = Array.from({ length: 400 }, (_, n) => `Line ${n} is of ${n % 5 === 0 ? 'pears' : 'plums'}.\n`).join(
      '',
    );
    const sizes: number[] = [];
    for (const room of [6_000, 12_000]) {
      const passages = finder(1_000_000, lines, room);
      const found = await passages.find({ query: 'pears', path: '0' }, signal);
      expect(passages.given(found.map(({ id }) => id))).toHaveLength(found.length);
      expect(found.map(({ startByte }) => startByte)).toEqual(
        found.map(({ startByte }) => startByte).sort((a, b) => a - b),
      );
      sizes.push(found.length);
    }
    expect(sizes[0]).toBeGreaterThan(8);
    expect(sizes[1]).toBeGreaterThan(1.5 * sizes[0]!);
    const little = finder(1_000_000, lines, 4_000).find({ query: 'pears', path: '0', takenBytes: 999_990 }, signal);
    await expect(little).rejects.toMatchObject({ code: 'prompt-too-long' });
  });

  it('are remembered with the largest part that was shown of them', async () => {
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

  /** Returns the chunks that a question is shown. The search finds chunks with these scores, and the limit is two. */
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
      settings: { ...shipped, context: { ...shipped.context, passages: 2, chunkTokens: 4, overlapTokens: 0 } },
      windowAt: () => ({ tokens: 1_000, passageBytes: 1_000, lookBytes: null, fits: false }),
      budget: createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
      given: createGivenPassages(),
      onSearch: () => {},
      warn: () => {},
    });
    const search = { query: 'line', path: '0.1', inHand: inHand.map((chunk) => all[chunk]!) };
    return (await passages.find(search, signal)).map(({ id }) => Number(id.slice(1)) - 1);
  }

  it('do not displace others', async () => {
    expect(await shown([9, 9, 9, 9, 9, 9], [])).toEqual([0, 1]);
    expect(await shown([9, 9, 9, 9, 9, 9], [0, 2])).toEqual([0, 1, 2, 3]);
    expect(await shown([9, 9, 9, 9, 9, 9], [5])).toEqual([0, 1]);
  });

  it('are not joined by others that fit much less well than the best', async () => {
    expect(await shown([10, 9, 6, 5.9, 5.8], [0, 1])).toEqual([0, 1, 2]);
    expect(await shown([10, 1, 1, 1, 1], [0])).toEqual([0, 1]);
    expect(await shown([10, 9, 6, 5.9, 5.8], [0, 1], 0.55)).toEqual([0, 1, 2, 3]);
  });

  it('are not joined by others if scores only give the order', async () => {
    expect(await shown([9, 9, 9, 9, 9, 9], [0, 2], 0)).toEqual([0, 1]);
  });
});

describe('a second search', () => {
  const texts = [
    'The film Harbour Lights was directed by Anna Berg.',
    'Anna Berg lived in Tromso with her husband, a painter.',
    'Harbour lights were lit.',
  ];
  const named = (name: (place: number) => string) => (text: string, place: number) => ({
    name: name(place),
    bytes: Buffer.from(text),
  });
  const documents = texts.map(named((place) => `d${place}`));
  const question = 'Where did the husband of the director of the film Harbour Lights paint?';

  async function found(room: number, fetches: number, path = '0', store = createContextStore(documents)) {
    const searches: [string, readonly string[]][] = [];
    const local = createLexicalRetriever(store);
    const { find } = createPassageFinder({
      store,
      retriever: local,
      local,
      settings: {
        ...shipped,
        context: { ...shipped.context, passages: 1, chunkTokens: 20, overlapTokens: 0 },
      },
      windowAt: () => ({ tokens: 1_000, passageBytes: room, lookBytes: null, fits: false }),
      budget: createBudget({ ...limits, fetches }, { dearest: { calls: 1, tokens: 0, usd: 0 } }),
      given: createGivenPassages(),
      onSearch: (at, { found }) => searches.push([at, found]),
      warn: () => {},
    });
    const passages = await find({ query: question, path }, signal);
    return { ids: passages.map(({ id }) => id), searches };
  }

  it('adds passages, and reports itself', async () => {
    expect(await found(1_000, 9)).toEqual({ ids: ['P1', 'P2', 'P3'], searches: [['0', ['P2', 'P3']]] });
  });

  it('needs room, and a remaining search of the run', async () => {
    expect(await found(100, 9)).toEqual({ ids: ['P1'], searches: [] });
    expect(await found(1_000, 1)).toEqual({ ids: ['P1'], searches: [] });
  });

  it('is not made in a tree of program code', async () => {
    const code = Array.from({ length: 20 }, () => 'const x = 1;').map(named((place) => `x${place}.ts`));
    const { searches } = await found(1_000, 9, '0', createContextStore([...documents, ...code]));
    expect(searches).toEqual([]);
  });
});
