import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../../src/retrievers/lexical/retriever.ts';
import { retrieverContract } from '../../contracts/retriever.ts';

retrieverContract('lexical', createLexicalRetriever);

const signal = new AbortController().signal;

function retrieverOver(texts: Record<string, string>, chunkBytes = 60) {
  const documents = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  return createLexicalRetriever(createContextStore(documents, { chunkBytes }));
}

async function sources(texts: Record<string, string>, text: string): Promise<string[]> {
  const passages = await retrieverOver(texts).retrieve({ text, limit: 10, maxBytes: 10_000 }, signal);
  return passages.map(({ source }) => source);
}

describe('the index', () => {
  it('is the same for an arriving document and a complete one', async () => {
    const text = `export class Pool {\n${'  take() {}\n'.repeat(2_000)}}\n`;
    const store = createContextStore([], { kind: 'lines', chunkBytes: 90 });
    const growing = createLexicalRetriever(store);
    for (const name of ['notes.txt', 'lib/pool.ts']) {
      const writer = store.begin(name);
      writer.write(Buffer.from(text));
      await growing.advance(signal);
      expect(store.chunkCount).toBeGreaterThan(10);
      writer.end();
    }
    const query = { text: 'class of the pool', limit: 100, maxBytes: 100_000 };
    const found = await growing.retrieve(query, signal);
    expect(found).toEqual(await createLexicalRetriever(store).retrieve(query, signal));
    expect(found.filter(({ source }) => source === 'lib/pool.ts').length).toBeGreaterThan(10);
  });
});

describe('ranking', () => {
  it('has the scores of BM25', async () => {
    const retriever = retrieverOver({ a: 'apple apple pear', b: 'pear plum plum plum plum' });
    const [best] = await retriever.retrieve({ text: 'apple', limit: 1, maxBytes: 1000 }, signal);
    const idf = Math.log(1 + 1.5 / 1.5);
    const expected = (idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 4));
    expect(best?.score).toBeCloseTo(expected, 10);
  });

  it('puts a rarer word above a more frequent one', async () => {
    const texts = { a: 'timeout in pool', b: 'request in pool', c: 'request again', d: 'request and more' };
    expect((await sources(texts, 'request timeout'))[0]).toBe('a');
  });

  it('uses the focus to decide only among equals', async () => {
    const texts = { a: 'the pool was red', b: 'the pool was green', c: 'green green green' };
    const query = { text: 'pool', focus: 'What about the green pool?', limit: 10, maxBytes: 1000 };
    const passages = await retrieverOver(texts).retrieve(query, signal);
    expect(passages.map(({ source }) => source)).toEqual(['b', 'a', 'c']);
    expect(passages[1]!.score).toBe((await retrieverOver(texts).retrieve({ ...query, focus: '' }, signal))[0]!.score);
  });

  it('keeps the order of the text among equals', async () => {
    expect(await sources({ z: 'same words', a: 'same words', m: 'same words' }, 'words')).toEqual(['z', 'a', 'm']);
  });

  it('finds parts of identifiers, and other forms of a word', async () => {
    const texts = { a: 'const maxRetryCount = 3', b: 'nothing of the kind', c: 'it retried twice' };
    expect(await sources(texts, 'retries')).toEqual(['c', 'a']);
    expect(await sources(texts, 'maxRetryCount')).toEqual(['a', 'c']);
    expect(await sources({ a: '_MAXHEADERS = 100', b: 'no such thing' }, 'What are the max headers?')).toEqual(['a']);
  });

  it('raises a document a little if its name contains a word of the query', async () => {
    const texts = { 'src/pool.ts': 'limit here', 'src/cache.ts': 'limit here', 'src/other.ts': 'pool pool' };
    expect(await sources(texts, 'limit of the cache')).toEqual(['src/cache.ts', 'src/pool.ts']);
    expect((await sources(texts, 'pool'))[0]).toBe('src/other.ts');
  });

  it('matches nothing with stop words alone', async () => {
    expect(await sources({ a: 'what is it about' }, 'what is it about')).toEqual([]);
  });

  it('gives a repeated word more weight, but does not drown the others', async () => {
    const texts = { a: 'red stone', b: 'blue stone', c: 'blue and white and black', d: 'red and white and black' };
    expect((await sources(texts, 'red blue blue'))[0]).toBe('b');
    expect((await sources(texts, 'blue blue blue red white black'))[0]).toBe('c');
  });

  it('puts an exact identifier above its parts', async () => {
    const code = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`f${index}`, `max retry count of the worker pool, part ${index}`]),
    );
    const exact = { e1: 'const maxRetryCount = 3', e2: 'if (tries > maxRetryCount) stop()' };
    const found = await sources({ ...code, ...exact }, 'maxRetryCount');
    expect(found.slice(0, 2).sort()).toEqual(['e1', 'e2']);
  });

  it('counts the preceding text that a passage shows', async () => {
    const documents = [{ name: 'a', bytes: Buffer.from('one line\napple pie\n') }];
    const store = createContextStore(documents, { chunkBytes: 10, overlapBytes: 20 });
    const find = (maxBytes: number) =>
      createLexicalRetriever(store).retrieve({ text: 'apple', limit: 5, maxBytes }, signal);
    expect((await find(19)).map(({ text }) => text)).toEqual(['one line\napple pie\n']);
    expect(await find(18)).toEqual([]);
  });

  it('leaves out a passage that exceeds the bytes, and includes a later one that fits', async () => {
    const retriever = retrieverOver({ a: `apple apple apple ${'x'.repeat(30)}`, b: 'apple' });
    const passages = await retriever.retrieve({ text: 'apple', limit: 5, maxBytes: 10 }, signal);
    expect(passages.map(({ source }) => source)).toEqual(['b']);
  });
});

describe('titles', () => {
  const notes = 'Anything else that is said here\n';

  it('counts the first line of a document more than a line below it', async () => {
    expect(await sources({ a: `${notes}About harvest\n`, b: `About harvest\n${notes}` }, 'harvest')).toEqual([
      'b',
      'a',
    ]);
  });

  it('count neither a line that is the whole document nor a long one', async () => {
    const long = 'x'.repeat(200);
    const scores = await Promise.all(
      ['harvest', `harvest ${long}\nmore`].map((first) =>
        retrieverOver({ a: first }, 1000).retrieve({ text: 'harvest', limit: 1, maxBytes: 1000 }, signal),
      ),
    );
    const idf = Math.log(1 + 0.5 / 1.5);
    for (const [passage] of scores) expect(passage?.score).toBeCloseTo(idf, 10);
  });
});

describe('odd input', () => {
  it('a term named like a property of every object is treated like others', async () => {
    expect(await sources({ a: 'call the constructor', b: 'nothing' }, '__proto__ constructor')).toEqual(['a']);
  });

  it('a line of 10 MB is searched in time', async () => {
    const retriever = retrieverOver({ a: `${'x'.repeat(10_000_000)} needle` }, 1500);
    const [passage] = await retriever.retrieve({ text: 'needle', limit: 1, maxBytes: 10_000 }, signal);
    expect(passage?.text).toContain('needle');
  }, 20_000);

  it('100,000 lines of one character are searched in time', async () => {
    const retriever = retrieverOver({ a: 'x\n'.repeat(100_000) }, 1500);
    expect(await retriever.retrieve({ text: 'x', limit: 3, maxBytes: 10_000 }, signal)).toHaveLength(3);
  }, 5_000);
});

describe('building the index', () => {
  const text = 'some words in a line of a longer text\n'.repeat(80_000);

  it('lets timers run, stops at an abort, and continues for the next query', async () => {
    const retriever = retrieverOver({ a: text }, 300);
    const controller = new AbortController();
    const query = { text: 'longer', limit: 1, maxBytes: 1000 };
    const stopped = retriever.retrieve(query, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(stopped).rejects.toThrow('enough');
    expect(await retriever.retrieve(query, signal)).toHaveLength(1);
  });

  it('serves concurrent queries with one index', async () => {
    const retriever = retrieverOver({ a: text }, 300);
    const query = { text: 'longer', limit: 3, maxBytes: 10_000 };
    const [first, second] = await Promise.all([retriever.retrieve(query, signal), retriever.retrieve(query, signal)]);
    expect(first).toEqual(second);
    expect(first).toEqual(await retrieverOver({ a: text }, 300).retrieve(query, signal));
  });
});
