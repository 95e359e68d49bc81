import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../../src/retrievers/lexical/retriever.ts';
import { createBudget } from '../../../src/run/door/budget.ts';
import { createGivenPassages } from '../../../src/run/text/given-passages.ts';
import { chunksIn, createWholeText } from '../../../src/run/text/whole-text.ts';

const limits = { calls: 9, tokens: null, usd: null, wallTimeMs: 60_000, fetches: 1 };

function wholeText(texts: Record<string, string>, chunkBytes = 40, overlapBytes = 0) {
  const documents = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const store = createContextStore(documents, { chunkBytes, overlapBytes });
  const budget = createBudget(limits, { dearest: { calls: 1, tokens: 0, usd: 0 } });
  const parts = { store, retriever: createLexicalRetriever(store), budget };
  const given = createGivenPassages();
  const chunks = { read: (indexes: readonly number[]) => given.read(store, indexes), find: given.find };
  return { store, chunks, text: createWholeText(parts, new AbortController().signal) };
}

const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n} of them\n`).join('');

describe('the whole text', () => {
  it('is divided into pieces, each chunk once and in order, and only a single chunk may be too large', () => {
    const files = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 900 }), (contents, room) => {
        const { text, store } = wholeText(Object.fromEntries(contents.map((content, n) => [`${n}.md`, content])));
        const pieces = text.pieces(room);
        const chunks = pieces.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at));
        expect(chunks).toEqual([...Array(store.chunkCount).keys()]);
        expect(pieces.map(({ name }) => name)).toEqual(pieces.map((_, index) => `${index + 1}`));
        expect(pieces.reduce((total, { bytes }) => total + bytes, 0)).toBe(store.totalBytes);
        for (const { start, end, bytes } of pieces) expect(end - start === 1 || bytes <= room).toBe(true);
      }),
    );
  });

  it('is read without overlap, so that nothing in it is counted twice', () => {
    const { chunks, text } = wholeText({ 'a.md': lines(20) }, 40, 40);
    const passages = text.pieces(10_000).flatMap((piece) => chunks.read(chunksIn(piece)));
    expect(passages.length).toBeGreaterThan(5);
    expect(passages.map((passage) => passage.text).join('')).toBe(lines(20));
  });

  it('puts small files together into one piece', () => {
    const { chunks, text } = wholeText({ 'a.md': 'one\n', 'b.md': 'two\n', 'c.md': 'three\n' });
    const [only, ...others] = text.pieces(1_000);
    expect(others).toEqual([]);
    expect(chunks.read(chunksIn(only!)).map(({ id, source }) => [id, source])).toEqual([
      ['P1', 'a.md'],
      ['P2', 'b.md'],
      ['P3', 'c.md'],
    ]);
  });

  it('halves a piece down to its chunks', () => {
    const { text } = wholeText({ 'a.md': lines(9) });
    const [piece] = text.pieces(10_000);
    const [first, second] = text.halve(piece!)!;
    expect([first.name, second.name]).toEqual(['1.1', '1.2']);
    expect([first.start, first.end, second.end]).toEqual([piece!.start, second.start, piece!.end]);
    expect(first.bytes + second.bytes).toBe(piece!.bytes);
    expect(text.halve({ ...first, end: first.start + 1 })).toBeNull();
  });

  it('returns by id the passages that were read, and no others', () => {
    const { chunks, text } = wholeText({ 'a.md': lines(9) });
    const [first] = text.pieces(150);
    expect(chunks.find('P1')).toBeUndefined();
    chunks.read(chunksIn(first!));
    expect(chunks.find('P1')).toMatchObject({ id: 'P1', startLine: 1 });
    expect(chunks.find(`P${first!.end + 1}`)).toBeUndefined();
  });

  it('ranks the pieces by their best passage, within the budget for searches', async () => {
    const { chunks, text } = wholeText({
      'a.md': `${lines(20)}a zeppelin\n${lines(20)}two zeppelin zeppelin here\n${lines(5)}`,
    });
    const pieces = text.pieces(300);
    const ranked = await text.rank('zeppelin', pieces, 9);
    expect(ranked).toHaveLength(2);
    for (const piece of ranked)
      expect(chunks.read(chunksIn(piece)).some(({ text: words }) => words.includes('zeppelin'))).toBe(true);
    await expect(text.rank('zeppelin', pieces, 9)).rejects.toMatchObject({ code: 'limit-fetches' });
  });
});
