import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../src/base/abort.ts';
import type { ContextStore } from '../../../src/context/document.ts';
import { createContextStore } from '../../../src/context/store/store.ts';
import type { Embed } from '../../../src/retrievers/retriever.ts';
import { createVectorRetriever, type VectorPatience } from '../../../src/retrievers/vector/retriever.ts';
import { retrieverContract } from '../../contracts/retriever.ts';
import { bagOfMeanings, bagOfWords } from '../../support/embeddings.ts';
import { createGate } from '../../support/gate.ts';

const { signal } = new AbortController();

const embedBy =
  (vectorOf: (text: string) => readonly number[]): Embed =>
  async (texts, either) => {
    either.throwIfAborted();
    return texts.map((text) => Float32Array.from(vectorOf(text)));
  };

interface Changes {
  readonly embed?: Embed;
  readonly embedQuery?: Embed;
  readonly batch?: number;
  readonly onProgress?: (done: number) => void;
  readonly patience?: VectorPatience;
}

function overStore(store: ContextStore, { embed = embedBy(bagOfMeanings), ...changes }: Changes = {}) {
  return createVectorRetriever(store, { embed, embedQuery: embed, batch: 4, onProgress: () => {}, ...changes });
}

retrieverContract('vector', (store) => overStore(store, { embed: embedBy((text) => bagOfWords(text, 4096)) }));

function over(texts: readonly string[], changes: Changes = {}) {
  const documents = texts.map((text, index) => ({ name: `${index}`, bytes: Buffer.from(text) }));
  return overStore(createContextStore(documents, { chunkBytes: 200 }), changes);
}

const query = (text: string, limit = 10) => ({ text, limit, maxBytes: 10_000 });

describe('ranking by meaning', () => {
  it('finds a passage without a word of the query', async () => {
    const retriever = over(['the vehicle was green', 'a pear and a plum', 'the car broke']);
    const passages = await retriever.retrieve(query('automobile crashed'), signal);
    expect(passages.map(({ source }) => source)).toEqual(['2', '0']);
  });

  it('scores with the cosine, for vectors of any length', async () => {
    const vectors: Record<string, number[]> = { q: [3, 0], same: [7, 0], half: [1, 1], right: [0, 9], away: [-5, 0.1] };
    const retriever = over(['right', 'half', 'away', 'same'], { embed: embedBy((text) => vectors[text]!) });
    const passages = await retriever.retrieve(query('q'), signal);
    expect(passages.map(({ source, score }) => [source, score.toFixed(3)])).toEqual([
      ['3', '1.000'],
      ['1', '0.707'],
    ]);
  });

  it('requests no vector of a blank chunk, and never returns one', async () => {
    const asked: string[] = [];
    const embed = embedBy((text) => {
      asked.push(text);
      return [1];
    });
    const passages = await over(['  \n', 'x'], { embed }).retrieve(query('q'), signal);
    expect(passages.map(({ source }) => source)).toEqual(['1']);
    expect(asked).toEqual(['x', 'q']);
    expect(await over([' ', '\n'], { embed }).retrieve(query('q'), signal)).toEqual([]);
  });
});

describe('the index', () => {
  const many = Array.from({ length: 10 }, (_, index) => `text number ${index}`);

  it('is waited for only up to a limit: the query finds nothing, and a later one finds passages', async () => {
    const gate = createGate(2);
    const late: number[] = [];
    const embed: Embed = async (texts) => {
      if (texts.includes('text number 9')) await gate();
      return texts.map((text) => Float32Array.from(bagOfWords(text)));
    };
    const embedQuery = embedBy(bagOfWords);
    const patience = { ms: 1, onLate: (done: number) => void late.push(done), ended: signal };
    const retriever = over(many, { embed, embedQuery, patience });
    expect(await retriever.retrieve(query('number 3'), signal)).toEqual([]);
    expect(late).toEqual([8]);
    await gate();
    await expect.poll(() => retriever.retrieve(query('number 3', 1), signal)).toHaveLength(1);
  });

  it('is made no longer than the run, and a failure in the background is no crash', async () => {
    const ended = new AbortController();
    const stopped = createGate(2);
    const embed: Embed = (_texts, either) =>
      new Promise((_resolve, reject) => {
        either.addEventListener('abort', () => {
          void stopped();
          reject(either.reason);
        });
      });
    const onLate = () => {
      throw new Error('late');
    };
    const retriever = over(many, { embed, patience: { ms: 1, onLate, ended: ended.signal } });
    await expect(retriever.retrieve(query('number 3'), signal)).rejects.toThrow('late');
    ended.abort();
    await stopped();
  });

  it('is made once, in batches, also for concurrent queries', async () => {
    const batches: number[] = [];
    const embed: Embed = async (texts) => {
      batches.push(texts.length);
      return texts.map((text) => Float32Array.from(bagOfWords(text)));
    };
    const progress: number[] = [];
    const retriever = over(many, { embed, onProgress: (done) => progress.push(done), embedQuery: embedBy(bagOfWords) });
    const [one, other] = await Promise.all([
      retriever.retrieve(query('number 3', 1), signal),
      retriever.retrieve(query('number 3', 1), signal),
    ]);
    await retriever.retrieve(query('number 4', 1), signal);
    expect(one).toEqual(other);
    expect(one[0]!.source).toBe('3');
    expect(batches).toEqual([4, 4, 2]);
    expect(progress).toEqual([4, 8, 10]);
  });

  it('limits the bytes of a batch', async () => {
    const batches: number[] = [];
    const embed: Embed = async (texts) => {
      batches.push(texts.reduce((sum, { length }) => sum + length, 0));
      return texts.map(() => Float32Array.of(1));
    };
    const store = createContextStore([{ name: 'a', bytes: Buffer.from(`${'x'.repeat(19_999)}\n`.repeat(30)) }], {
      chunkBytes: 20_000,
    });
    await overStore(store, { embed, batch: 64, embedQuery: embedBy(() => [1]) }).retrieve(query('q'), signal);
    expect(batches).toEqual([200_000, 200_000, 200_000]);
  });

  it('requests only the missing vectors again when a request has failed', async () => {
    const asked: string[] = [];
    let failures = 1;
    const embed: Embed = async (texts) => {
      if (texts.includes('text number 4') && failures-- > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error('no');
      }
      asked.push(...texts);
      return texts.map((text) => Float32Array.from(bagOfWords(text)));
    };
    const retriever = over(many, { embed });
    await expect(retriever.retrieve(query('number 9', 1), signal)).rejects.toThrow('no');
    expect((await retriever.retrieve(query('number 9', 1), signal))[0]!.source).toBe('9');
    expect(asked.filter((text) => text.startsWith('text')).sort()).toEqual(many);
  });

  it('stops at an abort', async () => {
    const controller = new AbortController();
    const embed: Embed = (_, either) =>
      new Promise((_resolve, reject) => {
        either.addEventListener('abort', () => reject(either.reason));
        setImmediate(() => controller.abort(new Error('enough')));
      });
    await expect(over(many, { embed }).retrieve(query('number'), controller.signal)).rejects.toThrow('enough');
  });

  it('continues for one query when another is cancelled', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const embed: Embed = async (texts, either) => {
      await untilAborted(new Promise((resolve) => setImmediate(resolve)), either);
      return texts.map((text) => Float32Array.from(bagOfWords(text)));
    };
    const retriever = over(many, { embed });
    const cancelled = retriever.retrieve(query('number 3', 1), first.signal);
    const other = retriever.retrieve(query('number 3', 1), second.signal);
    first.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    await expect(other).resolves.toMatchObject([{ source: '3' }]);
  });

  it('requests the vector of a query once', async () => {
    let asked = 0;
    const embedQuery = embedBy((text) => {
      asked += 1;
      return bagOfWords(text);
    });
    const retriever = over(many, { embed: embedBy(bagOfWords), embedQuery });
    await retriever.retrieve(query('number'), signal);
    await retriever.retrieve(query('number'), signal);
    expect(asked).toBe(1);
  });
});
