import { beforeAll, describe, expect, it } from 'vitest';
import type { ContextStore } from '../../src/context/document.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import type { Passage } from '../../src/state.ts';

const texts: Record<string, string> = {
  'fruit.md': 'Apples are red.\n\nBananas are yellow and grow in bunches.\n\nCherries are red and small.\n',
  'src/server.ts': 'export function startServer(port) {\n  return listen(port);\n}\n',
  'notes.txt': Array.from({ length: 40 }, (_, line) => `note ${line}: the harvest of apples in year ${line}`).join(
    '\n',
  ),
};

const documents = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
const signal = new AbortController().signal;

const chunksOf = (store: ContextStore) => Array.from({ length: store.chunkCount }, (_, index) => store.chunk(index));

/** Returns the passage of a retriever that searches the store itself. */
const inStore = (store: ContextStore, { id, score }: Passage): Passage =>
  store.passage(store.chunk(Number(id.slice(1)) - 1), score);

/**
 * Returns the passage of a server that holds the store's chunks. It is equal to the store's passage, except for the id,
 * which no chunk has, and the bytes, which are relative to the passage.
 */
export function onServer(store: ContextStore, found: Passage): Passage {
  expect(Number(found.id.slice(1))).toBeGreaterThan(1_000_000_000 - 1);
  const all = chunksOf(store).map((chunk) => store.passage(chunk, found.score));
  const own = all.find(({ source, startLine }) => source === found.source && startLine === found.startLine)!;
  return { ...own, id: found.id, startByte: 0, endByte: Buffer.byteLength(own.text) };
}

/**
 * Tests a retriever against the contract of `Retriever`. `create` makes one over a store of several small documents.
 * `original` returns the expected form of a found passage.
 */
export function retrieverContract(
  name: string,
  create: (store: ContextStore) => Retriever | Promise<Retriever>,
  original: (store: ContextStore, found: Passage) => Passage = inStore,
): void {
  describe(`${name} keeps the retriever contract`, () => {
    const store = createContextStore(documents, { chunkBytes: 60 });
    let retriever: Retriever;
    beforeAll(async () => {
      retriever = await create(store);
    });
    const search = (text: string, limit = 5, maxBytes = 10_000) =>
      retriever.retrieve({ text, limit, maxBytes }, signal);

    it('returns the best passage first, with positive scores that do not increase', async () => {
      const passages = await search('how do bananas grow');
      expect(passages[0]?.text).toContain('Bananas');
      expect(passages.every(({ score }) => score > 0)).toBe(true);
      expect(passages.map(({ score }) => score)).toEqual(passages.map(({ score }) => score).sort((a, b) => b - a));
    });

    it('returns no passage twice, and each as in the store', async () => {
      const passages = await search('apples', 100, 100_000);
      expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length);
      expect(passages).toEqual(passages.map((passage) => original(store, passage)));
    });

    it('returns the same passages for the same query', async () => {
      expect(await search('red apples')).toEqual(await search('red apples'));
      const another = await create(store);
      expect(await another.retrieve({ text: 'red apples', limit: 5, maxBytes: 10_000 }, signal)).toEqual(
        await search('red apples'),
      );
    });

    it('returns nothing when nothing matches', async () => {
      expect(await search('xylophone')).toEqual([]);
      expect(await search('')).toEqual([]);
    });

    it('respects the limit and the bytes', async () => {
      expect(await search('apples', 3)).toHaveLength(3);
      expect(await search('apples', 0)).toEqual([]);
      expect(await search('apples', 5, 0)).toEqual([]);
      const few = await search('apples', 100, 150);
      expect(few.length).toBeGreaterThan(0);
      expect(few.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(150);
    });

    it('leaves out the excluded chunks, and returns others instead', async () => {
      const all = await search('apples', 100, 100_000);
      const wanted = { text: 'apples', limit: 3, maxBytes: 10_000 };
      const exclude = new Set([all[0]!.id, all[2]!.id]);
      const passages = await retriever.retrieve({ ...wanted, exclude }, signal);
      expect(passages.map(({ id }) => id)).toEqual([1, 3, 4].map((place) => all[place]!.id));
      expect(await retriever.retrieve({ ...wanted, exclude: new Set(all.map(({ id }) => id)) }, signal)).toEqual([]);
    });

    it('treats the focus as a hint: matches of the text come first', async () => {
      const query = { text: 'how do bananas grow', focus: 'small red cherries', limit: 5, maxBytes: 10_000 };
      expect((await retriever.retrieve(query, signal))[0]?.text).toContain('Bananas');
    });

    it('finds nothing in an empty context', async () => {
      const empty = await create(createContextStore([]));
      expect(await empty.retrieve({ text: 'apples', limit: 5, maxBytes: 100 }, signal)).toEqual([]);
    });

    it('stops when it is aborted', async () => {
      const aborted = AbortSignal.abort(new Error('enough'));
      const unused = await create(store);
      await expect(unused.retrieve({ text: 'apples', limit: 5, maxBytes: 100 }, aborted)).rejects.toThrow('enough');
    });
  });
}
