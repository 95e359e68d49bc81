import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineFinder } from '../../src/context/lines.ts';
import { peek } from '../../src/context/peek.ts';
import { createContextStore } from '../../src/context/store/store.ts';

const storeOf = (...texts: string[]) =>
  createContextStore(
    texts.map((text, index) => ({ name: `${index}.txt`, bytes: Buffer.from(text) })),
    { chunkBytes: 20 },
  );

const numbered = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join('');
const document = '0.txt';

describe('peek', () => {
  it('shows lines of a document', () => {
    expect(peek(storeOf(numbered), { document, startLine: 41, endLine: 42 })).toEqual({
      source: '0.txt',
      startLine: 41,
      endLine: 42,
      startByte: numbered.indexOf('line 41'),
      endByte: numbered.indexOf('line 43'),
      text: 'line 41\nline 42\n',
      leftOutBytes: 0,
      documentLines: 100,
    });
  });

  it('says what the limits left out', () => {
    const store = storeOf(numbered);
    const few = peek(store, { document, startLine: 1, endLine: 100 }, { maxLines: 2 });
    expect(few).toMatchObject({ text: 'line 1\nline 2\n', endLine: 2, leftOutBytes: numbered.length - 14 });
    const short = peek(store, { document, startLine: 1, endLine: 100 }, { maxCharacters: 10 });
    expect(short).toMatchObject({ text: 'line 1\n', endLine: 1, leftOutBytes: numbered.length - 7 });
  });

  it('shows the beginning of a line that is too long, without half of a character', () => {
    const store = storeOf(`a${'😀'.repeat(1_000)}\n`);
    const { text, endByte } = peek(store, { document, startLine: 1, endLine: 1 }, { maxCharacters: 10 });
    expect([text, endByte]).toEqual([`a${'😀'.repeat(4)}`, 17]);
  });

  it('shows bytes as whole characters', () => {
    const store = storeOf('aéb中c');
    expect(peek(store, { document, startByte: 2, endByte: 6 })).toMatchObject({ text: 'b', startByte: 3, endByte: 4 });
    expect(peek(store, { document, startByte: 0, endByte: 99 })).toMatchObject({ text: 'aéb中c', endLine: 1 });
  });

  it.each([
    { startLine: 101, endLine: 102 },
    { startLine: 0, endLine: 2 },
    { startLine: 3, endLine: 2 },
    { startLine: 1.5, endLine: 2 },
    { startByte: 1e9, endByte: 2e9 },
    { startByte: -1, endByte: 2 },
  ])('refuses the range %j and states the size of the document', (range) => {
    expect(() => peek(storeOf(numbered), { document, ...range })).toThrow(/which has (100 lines|792 bytes)/);
  });

  it('refuses a missing document, and names the existing ones', () => {
    const look = () => peek(storeOf('a', 'b'), { document: 'c', startLine: 1, endLine: 1 });
    expect(look).toThrow(expect.objectContaining({ code: 'input-missing', hint: 'The documents are 0.txt, 1.txt' }));
  });

  it('does not read the text before the range', () => {
    const store = storeOf(numbered.repeat(100));
    let read = 0;
    const counting = {
      ...store,
      read(index: number, start: number, end: number) {
        read += end - start;
        return store.read(index, start, end);
      },
    };
    expect(peek(counting, { document, startLine: 9_999, endLine: 9_999 }).text).toBe('line 99\n');
    expect(read).toBeLessThan(500);
  });
});

describe('lines', () => {
  it('are found in any text', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '\r'), maxLength: 60 });
    const texts = fc.array(
      fc
        .array(line, { maxLength: 12 })
        .map((lines) => lines.join('\n'))
        .filter((text) => text !== ''),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(texts, (all) => {
        const finder = createLineFinder(storeOf(...all));
        for (const [index, text] of all.entries()) {
          const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
          let startByte = 0;
          for (const [number, content] of lines.entries()) {
            const place = { line: number + 1, startByte, endByte: startByte + Buffer.byteLength(content) };
            expect(finder.at(index, number + 1)).toEqual(place);
            expect(finder.around(index, place.endByte - 1)).toEqual(place);
            startByte = place.endByte;
          }
          expect([finder.at(index, lines.length + 1), finder.around(index, startByte)]).toEqual([null, null]);
        }
      }),
    );
  });
});
