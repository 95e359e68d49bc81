import { describe, expect, it } from 'vitest';
import type { ContextStore } from '../../src/context/document.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import { createSpreadRetriever } from '../../src/retrievers/spread.ts';
import { retrieverContract } from '../contracts/retriever.ts';

const spreadOver = (store: ContextStore) => createSpreadRetriever(store, createLexicalRetriever(store));

retrieverContract('spread', spreadOver);

async function sourcesIn(texts: Record<string, string>, query: string, limit: number): Promise<string[]> {
  const documents = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const retriever = spreadOver(createContextStore(documents, { chunkBytes: 240 }));
  const found = await retriever.retrieve({ text: query, limit, maxBytes: 100_000 }, new AbortController().signal);
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  return found.map(({ source }) => source);
}

/** Each line is a separate passage. */
const releases = Array.from({ length: 8 }, (_, n) => `Fixes the retry of requests, number ${n}.${' '.repeat(200)}`);

const changelog = releases.join('\n');
const others = (extension: string) =>
  Object.fromEntries(
    Array.from({ length: 24 }, (_, n) => [`lib/part${n}.${extension}`, `const value${n} = ${n};\n`] as const),
  );

describe('passages are spread', () => {
  it('over the files of a tree of code: a file with many does not displace files with one', async () => {
    const tree = { ...others('js'), 'lib/client.js': 'function retry(request) {}\n', 'CHANGES.md': changelog };
    const sources = await sourcesIn(tree, 'retry of requests', 3);
    expect(sources).toContain('lib/client.js');
    expect(sources.filter((source) => source === 'CHANGES.md')).toHaveLength(2);
  });

  it('over no other kind of text', async () => {
    const notes = { ...others('txt'), 'lib/client.txt': 'function retry(request) {}\n', 'CHANGES.md': changelog };
    expect(await sourcesIn(notes, 'fixes the retry of requests', 3)).toEqual([
      'CHANGES.md',
      'CHANGES.md',
      'CHANGES.md',
    ]);
  });

  it('over their content: a second copy comes after new passages', async () => {
    const words =
      'Copies of this licence, granted free of charge: publish, sell, merge, print, distribute, modify files, notice kept.';
    const copies = { ...others('txt'), 'a.txt': words, 'b.txt': words, 'c.txt': 'To sell a file costs nothing.' };
    expect(await sourcesIn(copies, 'who may publish, sell, print and modify files', 3)).toEqual([
      'a.txt',
      'c.txt',
      'b.txt',
    ]);
  });

  it('but not if one short line differs from another by a word', async () => {
    const lines = { 'a.txt': 'Pool seven was lowered.', 'b.txt': 'Pool seven was raised.', 'c.txt': 'Seven is odd.' };
    expect(await sourcesIn(lines, 'pool seven', 2)).toEqual(['a.txt', 'b.txt']);
  });
});
