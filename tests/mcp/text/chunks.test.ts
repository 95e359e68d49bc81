import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { openContext } from '../../../src/index.ts';
import { type CutKind, chunkTextOf, cut } from '../../../src/mcp/text/chunks.ts';

/** Loaded only once, for hundreds of contexts. */
const configuration = loadConfiguration();

async function chunksOf(text: string, kind: CutKind, size: number) {
  const context = await openContext({ documents: [{ name: 'a', text }], configuration });
  try {
    const chunks = await cut(context, kind, size);
    return chunks.map((chunk) => ({ ...chunk, text: chunkTextOf(context, chunk) }));
  } finally {
    await context.close();
  }
}

const textsOf = async (text: string, kind: CutKind, size: number) =>
  (await chunksOf(text, kind, size)).map((chunk) => chunk.text);

/** Cuts like the reference server, except that a line feed at the end does not begin another line. */
function referenceLines(text: string, size: number): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, at) =>
    lines.slice(at * size, (at + 1) * size).join('\n'),
  );
}

const someText = fc.stringMatching(/^[ab\n é😀]{1,200}$/u).filter((text) => text.trim() !== '');

describe('chunks of a context', () => {
  it('have this many lines each', async () => {
    expect(await textsOf('a\nb\nc\nd\ne\n', 'lines', 2)).toEqual(['a\nb', 'c\nd', 'e']);
    await fc.assert(
      fc.asyncProperty(someText, fc.integer({ min: 1, max: 7 }), async (text, size) => {
        expect(await textsOf(text, 'lines', size)).toEqual(referenceLines(text, size));
      }),
      { numRuns: 200 },
    );
  });

  it('have this many characters each, and no character is cut', async () => {
    await fc.assert(
      fc.asyncProperty(someText, fc.integer({ min: 1, max: 7 }), async (text, size) => {
        const chunks = await chunksOf(text, 'chars', size);
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
        for (const chunk of chunks.slice(0, -1)) expect([...chunk.text]).toHaveLength(size);
        for (const chunk of chunks) expect(chunk.length).toBe([...chunk.text].length);
      }),
      { numRuns: 200 },
    );
  });

  it('end at the line whose line feed is their last character', async () => {
    const chunks = await chunksOf('abc\ndef\ng', 'chars', 4);
    expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it('have this many paragraphs each, however many blank lines are between them', async () => {
    const text = '\n\none\nstill one\n \n\ntwo\n\nthree\n';
    expect(await textsOf(text, 'paragraphs', 1)).toEqual(['one\nstill one', 'two', 'three']);
    expect(await textsOf(text, 'paragraphs', 2)).toEqual(['one\nstill one\n \n\ntwo', 'three']);
  });

  it('know their lines and their length, however they are cut', async () => {
    const text = 'one\ntwo\n\nthree é\n';
    for (const kind of ['lines', 'paragraphs', 'passages', 'documents'] as const) {
      for (const chunk of await chunksOf(text, kind, 2)) {
        const lines = text
          .split('\n')
          .slice(chunk.startLine - 1, chunk.endLine)
          .join('\n');
        expect(chunk.text.replace(/\n$/, ''), kind).toBe(lines);
        expect(chunk.length, kind).toBe([...chunk.text].length);
      }
    }
  });
});
