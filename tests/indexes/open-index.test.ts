import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ContextStore } from '../../src/context/document.ts';
import { hashText } from '../../src/context/passage-id.ts';
import { indexVersion, manifestName } from '../../src/indexes/manifest.ts';
import { createIndexStore, openIndex } from '../../src/indexes/open-index.ts';
import { openPart, writePart } from '../../src/indexes/part.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import { retrieverContract } from '../contracts/retriever.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { add, ask, askFiles, signal, update } from './index-fixture.ts';

/** Writes a store as a part, opens it again, and returns a retriever over it. */
async function reopened(store: ContextStore): Promise<Retriever> {
  const folder = tempFolder();
  const documents = new Map(store.documents.map((_, document) => [document, '']));
  const part = await writePart({ folder, store, documents, onProgress: () => {}, signal });
  const files = [{ key: '', name: '', stamp: null, documents: [...part.documents.values()] }];
  const parts = new Map([[part.facts.file, openPart(folder, part.facts)]]);
  return createIndexStore('docs', { files, parts: [part.facts] }, parts).retriever;
}

/** Creates a retriever that is written at its first search, because writing is asynchronous. */
function lazily(store: ContextStore): Retriever {
  let opened: Promise<Retriever> | null = null;
  return {
    name: 'lexical',
    retrieve: async (query, ended) => {
      opened ??= reopened(store);
      return (await opened).retrieve(query, ended);
    },
  };
}

retrieverContract('a reopened index', lazily);

const text = Array.from({ length: 3_000 }, (_, line) => `line ${line} of the apples, word${line}`).join('\n');

async function setUp() {
  const [cwd, indexes] = [tempFolder({ 'a.md': text, 'b.md': 'Pears are green.\n' }), tempFolder()];
  await add(indexes, cwd);
  const folder = join(indexes, 'docs');
  const part = join(folder, readdirSync(folder).find((name) => name.startsWith('part-'))!);
  return { cwd, indexes, manifest: join(folder, manifestName), part };
}

describe('an open index', () => {
  it('knows the documents, their text and its hashes', async () => {
    const { indexes } = await setUp();
    const { store, close } = openIndex(indexes, 'docs');
    expect(store.documents).toEqual([
      { name: 'a.md', bytes: text.length, lines: 3_000 },
      { name: 'b.md', bytes: 17, lines: 1 },
    ]);
    expect(store.totalBytes).toBe(text.length + 17);
    expect(Buffer.from(store.read(0, 0, text.length)).toString()).toBe(text);
    for (const document of [0, 1]) expect(store.hash?.(document)).toBe(await hashText(store, document));
    close();
  });

  it('stays unchanged while others write, compact and remove it', async () => {
    const { cwd, indexes } = await setUp();
    const before = await ask(indexes, 'pears');
    const [first, second] = [openIndex(indexes, 'docs'), openIndex(indexes, 'docs')];
    writeFileSync(join(cwd, 'b.md'), 'Figs.\n');
    writeFileSync(join(cwd, 'a.md'), 'Dates.\n');
    await update(indexes);
    rmSync(join(indexes, 'docs'), { recursive: true });
    const query = { text: 'pears', limit: 20, maxBytes: 100_000 };
    for (const { retriever, close } of [first, second]) {
      expect(await retriever.retrieve(query, signal)).toEqual(before);
      close();
    }
  });

  it('is opened by many while another process writes', async () => {
    const { cwd, indexes } = await setUp();
    let isDone = false;
    const read = async () => {
      let reads = 0;
      for (; !isDone; reads++) {
        const [best] = await ask(indexes, 'pears');
        expect(best?.text).toMatch(/^Pears are \w+ \d*\.?\n?$|^Pears are green\.\n$/);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return reads;
    };
    const readers = [read(), read()];
    for (let round = 0; round < 15; round++) {
      writeFileSync(join(cwd, 'b.md'), `Pears are number ${round}\n`);
      await update(indexes);
    }
    isDone = true;
    expect(Math.min(...(await Promise.all(readers)))).toBeGreaterThan(0);
    expect(await ask(indexes, 'pears')).toEqual(await askFiles(cwd, 'pears'));
  });
});

describe('an index that cannot be opened', () => {
  it('is named when it is missing', () => {
    expect(() => openIndex(tempFolder(), 'docs')).toThrow(
      expect.objectContaining({ code: 'index-missing', message: 'there is no index "docs"' }),
    );
  });

  it('is refused if another version made it', async () => {
    const { cwd, indexes, manifest } = await setUp();
    const other = JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version: indexVersion + 1 });
    writeFileSync(manifest, other);
    const outdated = { code: 'index-outdated', hint: expect.stringContaining('rlm index rm docs') };
    await expect(ask(indexes, 'pears')).rejects.toMatchObject(outdated);
    await expect(update(indexes)).rejects.toMatchObject(outdated);
    await expect(add(indexes, cwd)).rejects.toMatchObject(outdated);
    expect(readFileSync(manifest, 'utf8')).toBe(other);
  });

  it('is not called damaged if the system refuses a file', async () => {
    const { indexes, manifest } = await setUp();
    const folder = dirname(manifest);
    const part = readdirSync(folder).find((name) => name.startsWith('part-'))!;
    rmSync(join(folder, part));
    symlinkSync(part, join(folder, part));
    const refused = { code: 'input-unreadable', message: expect.stringContaining('ELOOP') };
    await expect(ask(indexes, 'pears')).rejects.toMatchObject(refused);
  });

  it.each([
    ['cut', (manifest: string) => manifest.slice(0, 100)],
    ['empty', () => ''],
    ['changed', (manifest: string) => manifest.replace('a.md', 'b.md')],
  ])('is refused when its manifest is %s', async (_, harm) => {
    const { indexes, manifest } = await setUp();
    writeFileSync(manifest, harm(readFileSync(manifest, 'utf8')));
    const damaged = { code: 'index-damaged', hint: expect.stringContaining('rlm index rm docs') };
    await expect(ask(indexes, 'pears')).rejects.toMatchObject(damaged);
  });
});
