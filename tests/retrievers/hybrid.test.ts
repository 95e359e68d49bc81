import { describe, expect, it } from 'vitest';
import type { ContextStore } from '../../src/context/document.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import { RlmError } from '../../src/errors.ts';
import { createHybridRetriever } from '../../src/retrievers/fused.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import { createVectorRetriever } from '../../src/retrievers/vector/retriever.ts';
import { retrieverContract } from '../contracts/retriever.ts';
import { bagOfMeanings, bagOfWords } from '../support/embeddings.ts';

const { signal } = new AbortController();

function hybridOver(store: ContextStore, vectorOf = bagOfMeanings, warn: (message: string) => void = () => {}) {
  const embed = async (texts: readonly string[]) => texts.map((text) => Float32Array.from(vectorOf(text)));
  const vector = createVectorRetriever(store, { embed, embedQuery: embed, batch: 8, onProgress: () => {} });
  return createHybridRetriever({ lexical: createLexicalRetriever(store), vector, warn });
}

retrieverContract('hybrid', (store) => hybridOver(store, (text) => bagOfWords(text, 4096)));

function storeOf(texts: readonly string[]): ContextStore {
  return createContextStore(texts.map((text, index) => ({ name: `${index}`, bytes: Buffer.from(text) })));
}

const query = (text: string) => ({ text, limit: 10, maxBytes: 10_000 });

/** Creates a retriever that returns these chunks, numbered from 0, in this order. */
const listing = (store: ContextStore, ...chunks: number[]): Retriever => ({
  name: 'listing',
  retrieve: async ({ limit }) => chunks.slice(0, limit).map((chunk, at) => store.passage(store.chunk(chunk), 100 - at)),
});

const failing = (error: () => Error) => {
  let asked = 0;
  const retriever: Retriever = {
    name: 'failing',
    retrieve: async () => {
      asked += 1;
      throw error();
    },
  };
  return { retriever, asked: () => asked };
};

describe('the fusion', () => {
  it('adds scores as shares of the best of each list, with more weight for meaning', async () => {
    const store = storeOf(['a', 'b', 'c', 'd']);
    const lists = { lexical: listing(store, 0, 1, 2), vector: listing(store, 2, 1, 3) };
    const passages = await createHybridRetriever({ ...lists, warn: () => {} }).retrieve(query('x'), signal);
    expect(passages.map(({ source, score }) => [source, Number(score.toFixed(6))])).toEqual([
      ['2', 0.4 * 0.98 + 0.6],
      ['1', 0.4 * 0.99 + 0.6 * 0.99],
      ['3', 0.6 * 0.98],
      ['0', 0.4],
    ]);
  });

  it('looks at more places of both lists than the query does', async () => {
    const store = storeOf(Array.from({ length: 60 }, (_, index) => `${index}`));
    const up = Array.from({ length: 60 }, (_, index) => index);
    const lists = { lexical: listing(store, ...up), vector: listing(store, ...up.slice(1), 0) };
    const retriever = createHybridRetriever({ ...lists, warn: () => {} });
    const [best] = await retriever.retrieve({ text: 'x', limit: 1, maxBytes: 1000 }, signal);
    expect(best!.source).toBe('1');
  });

  it('finds both by words and by meaning', async () => {
    const store = storeOf(['The ZX-81 is old.', 'The automobile stands there.', 'Nothing of the kind.']);
    const passages = await hybridOver(store).retrieve(query('car ZX-81'), signal);
    expect(passages.map(({ source }) => source)).toEqual(['0', '1']);
  });
});

describe('a failing embedding', () => {
  const store = storeOf(['apples', 'pears']);
  const unreachable = () => new RlmError('provider-unreachable', 'nobody is there', { hint: 'Start it.' });

  it('leaves the decision to the words, with one warning, from then on', async () => {
    const warnings: string[] = [];
    const { retriever, asked } = failing(unreachable);
    const parts = {
      lexical: createLexicalRetriever(store),
      vector: retriever,
      warn: (text: string) => warnings.push(text),
    };
    const hybrid = createHybridRetriever(parts);
    for (let time = 0; time < 2; time++) {
      expect((await hybrid.retrieve(query('apples'), signal)).map(({ source }) => source)).toEqual(['0']);
    }
    expect(warnings).toEqual(['passages are found by words alone: nobody is there. Start it.']);
    expect(asked()).toBe(1);
  });

  it('does not hide a bug, nor an abort', async () => {
    const controller = new AbortController();
    const lexical = createLexicalRetriever(store);
    const warn = () => expect.unreachable('it warned');
    const bug = failing(() => new TypeError('a bug')).retriever;
    await expect(createHybridRetriever({ lexical, vector: bug, warn }).retrieve(query('x'), signal)).rejects.toThrow(
      'a bug',
    );
    const aborting = failing(() => {
      controller.abort(new Error('enough'));
      return unreachable();
    }).retriever;
    const retriever = createHybridRetriever({ lexical, vector: aborting, warn });
    await expect(retriever.retrieve(query('x'), controller.signal)).rejects.toThrow('enough');
  });
});
