import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store/store.ts';
import { weigh } from '../../src/context/text-size.ts';
import { compressPassages } from '../../src/providers/compress-passages.ts';

const manual = `# Pumps

The pump house stands by the river. It was built of brick.
The main pump moves 40 litres a second. It is checked each Monday.
Its oil is changed twice a year.

Nothing of this is about lamps.
`;
const lamps = `# Lamps

Lamps burn all night. The lamp at the gate has a bulb of 60 watts.
`;

function passagesOf(...texts: string[]) {
  const store = createContextStore(texts.map((text, place) => ({ name: `d${place}.md`, bytes: Buffer.from(text) })));
  return texts.map((_, place) => ({ ...store.passage(store.chunk(place), 5 - place), startLine: 11, endLine: 30 }));
}

describe('compressed passages', () => {
  it('are whole if all of them fit', () => {
    const passages = passagesOf(manual, lamps);
    expect(compressPassages('What does the main pump move?', passages, 1_000)).toEqual(
      passages.map((passage) => ({ ...passage, spans: [{ startLine: 11, endLine: 30 }] })),
    );
  });

  it('show the best sentences below their heading, with their lines and neighbours', () => {
    const [first] = compressPassages('How much does the main pump move?', passagesOf(manual, lamps), 30);
    expect(first).toMatchObject({ id: 'P1', source: 'd0.md', startLine: 11, endLine: 30 });
    expect(first!.text).toBe('# Pumps\n…\nThe main pump moves 40 litres a second. It is checked each Monday.');
    expect(first!.spans).toEqual([
      { startLine: 11, endLine: 11 },
      { startLine: 14, endLine: 14 },
    ]);
  });

  it('are shown below their headings from elsewhere in the document, which take room', () => {
    const [passage] = passagesOf(manual.replace('# Pumps\n\n', ''));
    const under = ['# House', '## Pumps and their care'];
    const shown = (room: number) =>
      compressPassages('How much does the main pump move?', [{ ...passage!, under }], room);
    expect(shown(30)[0]).toMatchObject({ text: 'The main pump moves 40 litres a second.', under: [under[1]] });
    expect(shown(1_000)[0]).toMatchObject({ under, text: passage!.text });
    const bytes = Math.ceil(weigh(passage!.text) / 3);
    expect(shown(bytes + 1)[0]!.under).toEqual([under[1]]);
  });

  it('show a commented declaration once, below the comment, and the head of a table only above its own rows', () => {
    const code = `const other = 1;\n\n/**\n * Moves the water of the pump.\n */\nexport function move(litres) {\n${'  work(litres);\n'.repeat(30)}}\n`;
    const store = createContextStore([{ name: 'a.ts', bytes: Buffer.from(code) }], { chunkBytes: 2_000 });
    const [shown] = compressPassages(
      'What moves the water of the pump?',
      [store.passageWithoutOverlap(store.chunk(0))],
      40,
    );
    expect(shown!.text).toMatch(/^\/\*\*\n \* Moves the water of the pump\.\n \*\/\nexport function move\(litres\) \{/);
    expect(shown!.text.match(/function move/g)).toHaveLength(1);
    expect(shown!.spans[0]!.startLine).toBe(3);
    const table = `| pump | litres |\n|---|---|\n${'| spare | 3 |\n'.repeat(30)}| main | 40 |\n\nThe gate is green.\n`;
    const textOf = (question: string) => compressPassages(question, passagesOf(table), 20)[0]!.text;
    expect(textOf('How many litres has main?')).toMatch(/^\| pump \| litres \|\n…\n[\s\S]*\| main \| 40 \|/);
    expect(textOf('What is green at the gate?')).not.toContain('litres');
  });

  it('begin with the code of a file, after its imports', () => {
    const code = `import { pump } from './pump.ts';\nimport { valve } from './valve.ts';\n\nexport const open = 1;\n${'work();\n'.repeat(30)}`;
    const store = createContextStore([{ name: 'a.ts', bytes: Buffer.from(code) }], { chunkBytes: 2_000 });
    const textOf = (room: number) =>
      compressPassages('Is the pump open?', [store.passageWithoutOverlap(store.chunk(0))], room)[0]!.text;
    expect(textOf(20)).toMatch(/^export const open/);
    expect(textOf(1_000)).toBe(code);
  });

  it('do not have the heading of a definition that ended before them', () => {
    const text = `  first(1);\n}\n\nfunction next() {\n  pump();\n}\n${'other();\n'.repeat(40)}`;
    const [passage] = passagesOf(text);
    const code = { ...passage!, source: 'a.ts', under: ['function before() {'] };
    expect(compressPassages('Which pump?', [code], 14)[0]).not.toHaveProperty('under');
    const sections = { ...passagesOf('Oil.\n\n## Pumps\n\nThe gate.\n')[0]!, under: ['## Care'] };
    expect(compressPassages('Which pumps?', [sections], 9)[0]).toMatchObject({ text: '## Pumps\n\nThe gate.' });
    expect(compressPassages('Which pumps?', [sections], 9)[0]).not.toHaveProperty('under');
    expect(compressPassages('Which first?', [code], 14)[0]!.under).toEqual(['function before() {']);
  });

  it('come from each clause of the question, the passage with the best sentence first', () => {
    const question = 'What does the main pump move, and what bulb has the lamp at the gate?';
    const texts = compressPassages(question, passagesOf(lamps, manual), 70).map(({ text }) => text);
    expect(texts.join('\n')).toContain('60 watts');
    expect(texts.join('\n')).toContain('40 litres');
  });

  it('are the beginnings of the passages if no word of the question occurs in them', () => {
    const texts = compressPassages('Zusammenfassung?', passagesOf(manual, lamps), 40).map(({ text }) => text);
    expect(texts[0]).toContain('Pumps');
    expect(texts[1]).toContain('Lamps');
  });

  it('fit the room, and contain only words of the text', () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom('pump', '# oil', '| a | b |', '\n', '. ', '- x', '```'), fc.string()),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 100 }), (one, other, room) => {
        const passages = passagesOf(`x${one.join(' ')}`, `y${other.join(' ')}`);
        const excerpts = compressPassages('Where is the oil of the pump?', passages, room);
        expect(excerpts.reduce((sum, excerpt) => sum + weigh(excerpt.text), 0)).toBeLessThanOrEqual(room * 3);
        for (const { id, text, spans } of excerpts) {
          const lines = passages.find((passage) => passage.id === id)!.text.split('\n');
          const parts = text === lines.join('\n') ? [] : text.split('\n…\n');
          for (const [place, part] of parts.entries()) {
            const { startLine, endLine } = spans[place]!;
            expect(lines.slice(startLine - 11, endLine - 10).join('\n')).toContain(part);
            expect(part.split('\n').length).toBe(endLine - startLine + 1);
            if (place > 0) expect(startLine).toBeGreaterThanOrEqual(spans[place - 1]!.endLine);
          }
        }
      }),
      // The text between two sentences takes room as well.
      { numRuns: 200, examples: [[[], ['\n', '```', ' !!', '\n', 'pump', '0!!0!0!0', '# oil'], 16]] },
    );
  });
});
