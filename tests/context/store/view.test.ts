import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchDocuments } from '../../../src/context/search/search.ts';
import { createContextStore } from '../../../src/context/store/store.ts';
import { createOwnText, createView } from '../../../src/context/store/view.ts';

const signal = new AbortController().signal;
const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name} line ${n + 1}\n`).join('');
const store = createContextStore(
  ['a', 'b', 'c'].map((name) => ({ name: `${name}.md`, bytes: Buffer.from(lines(name, 30)) })),
  { chunkBytes: 40, overlapBytes: 20 },
);
const all = Array.from({ length: store.chunkCount }, (_, index) => index);
const chunksOf = (view: { chunkCount: number }) => Array.from({ length: view.chunkCount }, (_, index) => index);

describe('a view of some lines', () => {
  it('contains exactly these, under ids of their own if a chunk is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 29 }), (startLine, more) => {
        const endLine = Math.min(30, startLine + more);
        const touched = all.filter((index) => {
          const { source, ...chunk } = store.passageWithoutOverlap(store.chunk(index));
          return source === 'b.md' && chunk.endLine >= startLine && chunk.startLine <= endLine;
        });
        const view = createView(store, touched, { startLine, endLine });
        const passages = chunksOf(view).map((index) => view.passageWithoutOverlap(view.chunk(index)));
        const numbers = Array.from({ length: endLine - startLine + 1 }, (_, at) => `b line ${startLine + at}`);
        const text = numbers.join('\n');
        const held = passages.map((one) => one.text);
        expect(held.join('').trimEnd()).toBe(text);
        expect([passages[0]!.startLine, passages.at(-1)!.endLine]).toEqual([startLine, endLine]);
        const whole = Buffer.from(lines('b', 30));
        for (const { startByte, endByte, text: own, id } of passages) {
          expect(whole.toString('utf8', startByte, endByte)).toBe(own);
          const chunk = store.indexOf(id);
          if (chunk >= 0) expect(own).toBe(store.passageWithoutOverlap(store.chunk(chunk)).text);
        }
        expect(passages.map(({ id }) => view.indexOf(id))).toEqual(chunksOf(view));
        expect(
          Buffer.from(view.read(0, 0, view.documents[0]!.bytes))
            .toString()
            .trimEnd(),
        ).toBe(text);
      }),
    );
  });
});

describe('a view of some chunks', () => {
  it('returns their passages as in the whole text, and no other text', () => {
    fc.assert(
      fc.property(fc.subarray(all), (picked) => {
        const view = createView(store, picked);
        const passages = chunksOf(view).map((index) => view.passage(view.chunk(index), 1));
        expect(passages).toEqual(
          picked.map((index) => ({ ...store.passageWithoutOverlap(store.chunk(index)), score: 1 })),
        );
        expect(passages.map(({ id }) => view.indexOf(id))).toEqual(chunksOf(view));
        const others = all.filter((index) => !picked.includes(index));
        expect(others.every((index) => view.indexOf(`P${store.chunk(index).number}`) === -1)).toBe(true);
      }),
    );
  });

  it('has the same text in its documents as in its chunks', () => {
    fc.assert(
      fc.property(fc.subarray(all), (picked) => {
        const view = createView(store, picked);
        const documents = view.documents.map(({ bytes }, index) => view.read(index, 0, bytes + 99).toString());
        expect(documents.join('')).toBe(
          chunksOf(view)
            .map((index) => view.text(view.chunk(index)))
            .join(''),
        );
        expect(view.totalBytes).toBe(Buffer.byteLength(documents.join('')));
        for (const index of chunksOf(view)) {
          const chunk = view.chunk(index);
          const { startLine } = view.origin(chunk.document);
          const text = Buffer.from(view.read(chunk.document, chunk.startByte, chunk.endByte)).toString();
          expect(text).toBe(view.text(chunk));
          expect(view.passageWithoutOverlap(chunk).startLine).toBe(startLine + chunk.startLine - 1);
        }
      }),
    );
  });

  it('names a stretch by its lines, and a whole document by its name', () => {
    const middle = all.filter((index) => store.chunk(index).document === 1);
    expect(createView(store, [0, ...middle]).documents.map(({ name }) => name)).toEqual(['a.md lines 1-4', 'b.md']);
  });

  it('can be viewed in part, and searched', async () => {
    const view = createView(createView(store, all.slice(2, 12)), [1, 2]);
    expect(chunksOf(view).map((index) => view.passageWithoutOverlap(view.chunk(index)).id)).toEqual(['P4', 'P5']);
    const { matches } = await searchDocuments(view, 'line 1', {}, signal);
    const found = matches.map(({ line, text }) => [view.origin(0).startLine + line - 1, text.trim()]);
    expect(found.every(([line, text]) => text === `a line ${line}`)).toBe(true);
    expect(found.length).toBeGreaterThan(2);
  });
});

describe('a text that a run produced', () => {
  it('has ids that depend on its name and text, and differ from those of other texts', () => {
    const make = (name: string, text: string) => {
      const own = createOwnText(name, text, { chunkBytes: 40, overlapBytes: 20 });
      return chunksOf(own).map((index) => own.passage(own.chunk(index), 2));
    };
    const once = make('made', lines('x', 9));
    expect(make('made', lines('x', 9))).toEqual(once);
    expect(once.map(({ text }) => text).join('')).toContain('x line 9');
    const others = [...make('made', lines('y', 9)), ...make('other', lines('x', 9))].map(({ id }) => id);
    expect(once.some(({ id }) => others.includes(id))).toBe(false);
    expect(once.every(({ id }) => /^P\d{13,16}$/.test(id))).toBe(true);
  });

  it('finds its chunks by id', () => {
    const own = createOwnText('made', lines('x', 9), { chunkBytes: 40 });
    const ids = chunksOf(own).map((index) => own.passageWithoutOverlap(own.chunk(index)).id);
    expect(ids.map(own.indexOf)).toEqual(chunksOf(own));
    expect(own.indexOf('P1')).toBe(-1);
  });
});
