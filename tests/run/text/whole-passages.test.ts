import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { passageBytes } from '../../../src/run/text/fit-passages.ts';
import { wholePassages } from '../../../src/run/text/whole-passages.ts';
import type { Passage } from '../../../src/state.ts';

const storeOf = (texts: Record<string, string>, chunkBytes: number, overlapBytes = 0) =>
  createContextStore(
    Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { chunkBytes, overlapBytes, kind: 'auto' },
  );

type Store = ReturnType<typeof storeOf>;

const chunksOf = (store: Store) => Array.from({ length: store.chunkCount }, (_, index) => store.chunk(index));

/** Returns the passages of the first chunks that hold these words, best first. */
const holding = (store: Store, ...words: string[]): Passage[] =>
  words.map((word, place) =>
    store.passage(chunksOf(store).find((chunk) => store.text(chunk).includes(word))!, words.length - place),
  );

const textOf = (passages: readonly Passage[]) => passages.map(({ text }) => text).join('');
const prose = (words: string, lines: number) => `${`${words} stand in this line.\n\n`.repeat(lines)}`;

describe('whole passages', () => {
  it('contain all of a small document, in text order, with its ids', () => {
    const small = `# Pumps\n\n${prose('Some words', 8)}The main pump moves 40 litres.\n\n${prose('More words', 8)}`;
    const store = storeOf({ 'a.md': small, 'b.md': prose('Nothing', 60) }, 90);
    const found = holding(store, 'main pump');
    const shown = wholePassages(found, 20_000, store);
    expect(textOf(shown)).toBe(small);
    expect(shown.map(({ id }) => Number(id.slice(1)))).toEqual(shown.map((_, place) => place + 1));
    expect(shown.filter(({ score }) => score > 0).map(({ id }) => id)).toEqual([found[0]!.id]);
  });

  it('contain all of the list, the table or the definition at their end, and no more of a large document', () => {
    const items = Array.from({ length: 9 }, (_, n) => `- valve ${n} is closed by hand\n`).join('');
    const rows = Array.from({ length: 9 }, (_, n) => `| ${n} | gate ${n} |\n`).join('');
    const body = Array.from({ length: 9 }, (_, n) => `  const step${n} = work(${n});\n\n`).join('');
    const code = `export function run() {\n${body}}\n\n`;
    const filler = (name: string) => (name.endsWith('.ts') ? 'const x = 1;\n\n'.repeat(900) : prose('Filling', 900));
    const wholeIs = (name: string, unit: string, word: string) => {
      const store = storeOf({ [name]: `${filler(name)}${unit}\n${filler(name)}` }, name.endsWith('.ts') ? 240 : 80);
      const shown = textOf(wholePassages(holding(store, word), 12_000, store));
      expect(shown).toContain(unit);
      expect(shown.length).toBeLessThan(unit.length + 400);
    };
    wholeIs('a.md', items, 'valve 4');
    wholeIs('a.md', rows, 'gate 4');
    wholeIs('a.ts', code, 'step4');
  });

  it('begin a file of code with its imports only if there is room', () => {
    const imports = Array.from({ length: 12 }, (_, n) => `import { a${n} } from './module-${n}.ts';\n`).join('');
    const code = `${imports}\n/** Adds. */\nexport function add() {\n  return a0 + a1;\n}\n`;
    const store = storeOf({ 'a.ts': code }, 300);
    const whole = wholePassages(holding(store, 'export function'), 20_000, store);
    expect(textOf(whole)).toBe(code);
    const sizeWithout = whole.slice(-1).reduce((sum, passage) => sum + passageBytes(passage), 0);
    expect(wholePassages(holding(store, 'module-0', 'export function'), sizeWithout + 20, store)[0]!.text).toContain(
      'export function add',
    );
  });

  it('are ordered by document, the best first, each with its own lines and headings', () => {
    const text = (topic: string) =>
      `# ${topic}\n\n${prose(topic, 300)}Here is ${topic} at last.\n\n${prose(topic, 30)}`;
    const store = storeOf({ 'a.md': text('Alpha'), 'b.md': text('Beta') }, 200);
    const found = holding(store, 'Here is Beta', 'Here is Alpha', '# Beta');
    const shown = wholePassages(found, 6_000, store);
    expect([...new Set(shown.map(({ source }) => source))]).toEqual(['b.md', 'a.md']);
    expect(shown[0]!.startLine).toBe(1);
    expect(shown.find(({ id }) => id === found[0]!.id)!.under).toEqual(['# Beta']);
    expect(shown.find(({ id }) => id === found[1]!.id)!.under).toEqual(['# Alpha']);
  });

  it('keep passages from elsewhere unchanged, once', () => {
    const store = storeOf({ 'a.md': 'one\n' }, 90);
    const foreign = { ...holding(store, 'one')[0]!, id: 'P1234567890', source: 'server', text: 'two\n' };
    expect(wholePassages([foreign, ...holding(store, 'one'), foreign], 9_000, store)).toEqual([
      foreign,
      ...holding(store, 'one'),
    ]);
  });

  it('fit the room, repeat no text, and have the stated lines, for any text', () => {
    const line = fc.constantFrom('# A', '- item', '| a | b |', 'function f() {', '  x();', '}', '', 'Words.', 'é, and');
    const name = fc.constantFrom('a.md', 'b.ts', 'c.txt', 'd.log');
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.array(line, { minLength: 1, maxLength: 40 }), { minKeys: 1 }),
        fc.array(fc.nat(), { maxLength: 9 }),
        fc.integer({ min: 0, max: 6_000 }),
        (files, picks, room) => {
          const texts = Object.fromEntries(Object.entries(files).map(([key, lines]) => [key, lines.join('\n')]));
          const store = storeOf(texts, 40, 40);
          if (store.chunkCount === 0) return;
          const found = picks.map((pick, place) => store.passage(store.chunk(pick % store.chunkCount), 9 - place));
          const shown = wholePassages(found, room, store);
          expect(shown.reduce((sum, passage) => sum + passageBytes(passage), 0)).toBeLessThanOrEqual(room);
          expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
          for (const { source, startLine, endLine, text } of shown) {
            const lines = texts[source]!.split('\n')
              .slice(startLine - 1, endLine)
              .join('\n');
            expect(lines).toContain(text.replace(/\n$/, ''));
          }
          if (room > 5_000) for (const { id } of found) expect(shown.map((one) => one.id)).toContain(id);
        },
      ),
    );
  });
});
