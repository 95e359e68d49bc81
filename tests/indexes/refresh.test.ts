import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeLock } from '../../src/base/files/lock.ts';
import { manifestName, readManifest } from '../../src/indexes/manifest.ts';
import { openIndex } from '../../src/indexes/open-index.ts';
import { readInputs } from '../../src/inputs/read-inputs.ts';
import { createZip } from '../support/packed-files.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { add, ask, askFiles, inputs, update } from './index-fixture.ts';

// Another test file of this worker may already have loaded modules that import it.
vi.hoisted(() => vi.resetModules());
vi.mock('../../src/inputs/read-inputs.ts', async (original) => {
  const real = await original<typeof import('../../src/inputs/read-inputs.ts')>();
  return { ...real, readInputs: vi.fn(real.readInputs) };
});

const readNames = () => vi.mocked(readInputs).mock.calls.flatMap(([{ inputs }]) => inputs.map(({ name }) => name));

const realNow = Date.now;

/** Makes the files older, so that their time stamps can be trusted. */
function letTimePass(): void {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 60_000);
}

let stamp = 1_600_000_000;

/** Writes a file with another time stamp than before, even if little time has passed. */
function write(cwd: string, name: string, text: string | Buffer): void {
  const path = join(cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  stamp += 10;
  utimesSync(path, stamp, stamp);
}

const filesIn = (indexes: string) => readdirSync(join(indexes, 'docs'));
const partsIn = (indexes: string) => filesIn(indexes).filter((name) => name.startsWith('part-'));
const manifestOf = (indexes: string) => readManifest(join(indexes, 'docs'), 'docs');

const fruit = {
  'apples.md': 'Apples\n\nApples are red, and grow on trees.\n',
  'pears.md': 'Pears\n\nPears are green.\n',
  'notes/plums.md': 'Plums are blue, and apples are not.\n',
};

/** Creates an indexed corpus whose files were all written some time ago. */
async function setUp(files: Readonly<Record<string, string>> = fruit) {
  const [cwd, indexes] = [tempFolder(), tempFolder()];
  for (const [name, text] of Object.entries(files)) write(cwd, name, text);
  const added = await add(indexes, cwd);
  vi.mocked(readInputs).mockClear();
  return { cwd, indexes, added };
}

beforeEach(letTimePass);

describe('an index', () => {
  it('gives the same passages as its files', async () => {
    const { cwd, indexes, added } = await setUp();
    expect(added).toMatchObject({ documents: 3, files: { added: 3, changed: 0, removed: 0, kept: 0 } });
    const passages = await ask(indexes, 'apples');
    expect(passages).toHaveLength(2);
    expect(passages).toEqual(await askFiles(cwd, 'apples'));
  });

  it('does so after any changes, however often it was updated', async () => {
    const word = fc.constantFrom('apple', 'pear', 'plum', 'maxRetryCount', 'v1.2.3', '東京タワー', 'naïve', 'running');
    const text = fc
      .array(fc.array(word, { maxLength: 30 }), { maxLength: 12 })
      .map((lines) => lines.map((words) => words.join(' ')).join('\n'));
    const change = fc.record({ file: fc.constantFrom('a.md', 'b/c.ts', 'b/d.txt', 'e.log', 'apple.md'), text });
    const steps = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 10 });
    const questions = ['apple', 'retry count of the pear', 'v1.2.3 東京', 'runs plum plum'];
    await fc.assert(
      fc.asyncProperty(steps, async (updates) => {
        const [cwd, indexes] = [tempFolder({ 'first.md': 'an apple\n' }), tempFolder()];
        await add(indexes, cwd);
        for (const [round, changes] of updates.entries()) {
          for (const { file, text: content } of changes) {
            if (content === '') rmSync(join(cwd, file), { force: true });
            else write(cwd, file, content);
          }
          await update(indexes, { force: true });
          const asked = round === updates.length - 1 ? questions : [questions[round % questions.length]!];
          for (const question of asked) expect(await ask(indexes, question)).toEqual(await askFiles(cwd, question));
        }
      }),
      { numRuns: 10 },
    );
  }, 60_000);

  it('accepts more paths, also from another folder, each file once', async () => {
    const { cwd, indexes } = await setUp();
    const other = tempFolder({ 'kiwis.md': 'Kiwis are brown.\n' });
    await add(indexes, other, ['kiwis.md', cwd]);
    await add(indexes, join(cwd, 'notes'), ['plums.md']);
    expect((await ask(indexes, 'kiwis')).map(({ source }) => source)).toEqual([
      expect.stringMatching(/^\.\.\/.*kiwis/),
    ]);
    expect(await ask(indexes, 'plums')).toHaveLength(1);
    expect(openIndex(indexes, 'docs').store.documents).toHaveLength(4);
  });

  it('contains hidden files that were named, also after an update', async () => {
    const [cwd, indexes] = [
      tempFolder({ '.notes/a.md': 'Dates are sweet.\n', '.b.md': 'Figs are soft.\n' }),
      tempFolder(),
    ];
    await add(indexes, cwd, ['.notes', '.b.md']);
    expect((await update(indexes)).files).toMatchObject({ removed: 0, kept: 2 });
    expect((await ask(indexes, 'dates')).map(({ source }) => source)).toEqual(['.notes/a.md']);
    expect((await ask(indexes, 'figs')).map(({ source }) => source)).toEqual(['.b.md']);
  });

  it('reports what it cannot add, and leaves nothing behind', async () => {
    const [cwd, indexes] = [tempFolder({ 'empty.txt': '' }), tempFolder()];
    await expect(add(indexes, cwd, ['nothing'])).rejects.toMatchObject({ code: 'input-missing' });
    await expect(add(indexes, cwd)).rejects.toMatchObject({ code: 'input-empty' });
    await expect(add(indexes, cwd, ['.'], { name: '../up' })).rejects.toMatchObject({ code: 'usage' });
    await expect(update(indexes)).rejects.toMatchObject({ code: 'index-missing' });
    expect(readdirSync(indexes)).toEqual([]);
  });

  it('reads invalid text in the same way as without an index', async () => {
    const [cwd, indexes] = [tempFolder(), tempFolder()];
    writeFileSync(
      Buffer.concat([Buffer.from(`${cwd}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
      'a first apple\n',
    );
    writeFileSync(
      Buffer.concat([Buffer.from(`${cwd}/caf`), Buffer.from([0xe8]), Buffer.from('.md')]),
      'a second apple\n',
    );
    write(cwd, 'latin.txt', Buffer.from('apple d\xe9j\xe0 vu, and plain words besides\n', 'latin1'));
    write(cwd, 'utf16.txt', Buffer.from('\ufeffapple\n', 'utf16le'));
    const { warnings } = await add(indexes, cwd);
    expect(warnings).toEqual([expect.stringContaining("'latin.txt' is not UTF-8")]);
    expect(await ask(indexes, 'apple')).toEqual(await askFiles(cwd, 'apple'));
    expect((await update(indexes)).files).toEqual({ added: 0, changed: 0, removed: 0, kept: 4 });
  });

  it('reads everything again when paths are added with another encoding or size of passages', async () => {
    const { cwd, indexes } = await setUp({ 'a.txt': 'one apple\n' });
    write(cwd, 'b.txt', Buffer.from('apple d\xe9j\xe0, and plain words besides\n', 'latin1'));
    const addition = { cwd, paths: ['.'], reading: { kind: 'auto', chunkBytes: 200, encoding: 'latin1' } } as const;
    await add(indexes, cwd, ['.'], { addition });
    expect(readNames()).toEqual(['a.txt', 'b.txt']);
    expect((await ask(indexes, 'déjà'))[0]?.text).toBe('apple déjà, and plain words besides\n');
    write(cwd, 'b.txt', Buffer.from('pear d\xe9j\xe0, and plain words besides\n', 'latin1'));
    await update(indexes);
    expect((await ask(indexes, 'déjà'))[0]?.text).toBe('pear déjà, and plain words besides\n');
  });

  it('shows as much text before a passage as requested', async () => {
    const { cwd, indexes } = await setUp({ 'a.txt': Array.from({ length: 40 }, (_, at) => `apple ${at}\n`).join('') });
    const passages = await ask(indexes, 'apple 30', 50);
    expect(passages).toEqual(await askFiles(cwd, 'apple 30', 50));
    expect(passages).not.toEqual(await ask(indexes, 'apple 30'));
  });

  it('contains every document of an archive, and reads all of them again when it has changed', async () => {
    const pear = { name: 'pear.txt', content: 'a pear\n' };
    const plum = { name: 'plum.txt', content: 'a plum\n' };
    const { cwd, indexes } = await setUp({ 'a.txt': 'an apple\n' });
    write(cwd, 'b.zip', createZip([pear, plum]));
    expect(await update(indexes)).toMatchObject({ documents: 3, files: { added: 1, kept: 1 } });
    expect((await ask(indexes, 'plum')).map(({ source }) => source)).toEqual([
      expect.stringMatching(/^b\.zip.*plum\.txt$/),
    ]);
    write(cwd, 'b.zip', createZip([plum]));
    expect(await update(indexes)).toMatchObject({ documents: 2, files: { changed: 1, kept: 1 } });
    expect(await ask(indexes, 'pear')).toEqual([]);
    write(cwd, 'b.zip', createZip([{ ...plum, name: 'prune.txt' }]));
    expect(await update(indexes)).toMatchObject({ documents: 2, files: { changed: 1, kept: 1 } });
    expect((await ask(indexes, 'plum')).map(({ source }) => source)).toEqual([
      expect.stringMatching(/^b\.zip.*prune\.txt$/),
    ]);
  });

  it('consists only of files, and of all of them with --strict', async () => {
    const { cwd, indexes } = await setUp();
    await expect(add(indexes, cwd, ['https://example.org/a'])).rejects.toMatchObject({ code: 'input-unreadable' });
    write(cwd, 'logo.png', Buffer.from([0, 1, 2, 3, 0, 0]));
    const strictly = { inputs: { ...inputs, strict: true } };
    await expect(update(indexes, strictly)).rejects.toMatchObject({ code: 'input-unreadable' });
  });

  it('respects the limit on all text', async () => {
    const { cwd, indexes } = await setUp();
    write(cwd, 'more.md', 'x'.repeat(200));
    await expect(update(indexes, { inputs: { ...inputs, maxBytes: 200 } })).rejects.toMatchObject({
      code: 'input-too-large',
    });
    expect(await ask(indexes, 'apples')).toHaveLength(2);
  });
});

describe('update', () => {
  it('reads only files that have changed', async () => {
    const { cwd, indexes } = await setUp();
    write(cwd, 'pears.md', 'Pears are yellow.\n');
    write(cwd, 'new.md', 'Figs are new.\n');
    rmSync(join(cwd, 'notes'), { recursive: true });
    const { files } = await update(indexes);
    expect(readNames()).toEqual(['new.md', 'pears.md']);
    expect(files).toEqual({ added: 1, changed: 1, removed: 1, kept: 1 });
    expect(await ask(indexes, 'green plums')).toEqual([]);
  });

  it('reads a file again that was written just before it was indexed', async () => {
    const { indexes } = await setUp();
    vi.restoreAllMocks();
    await update(indexes, { readsAll: true });
    vi.mocked(readInputs).mockClear();
    await update(indexes);
    expect(readNames()).toHaveLength(3);
  });

  it('does not write the text of a file again that was only touched', async () => {
    const { cwd, indexes } = await setUp();
    const before = partsIn(indexes);
    write(cwd, 'pears.md', fruit['pears.md']);
    expect((await update(indexes)).files).toEqual({ added: 0, changed: 0, removed: 0, kept: 3 });
    expect(readNames()).toEqual(['pears.md']);
    expect(partsIn(indexes)).toEqual(before);
  });

  it('reads no binary file twice', async () => {
    const { cwd, indexes } = await setUp();
    write(cwd, 'logo.png', Buffer.from([0, 1, 2, 3, 0, 0]));
    expect((await update(indexes)).skipped).toEqual([{ name: 'logo.png', reason: 'binary' }]);
    vi.mocked(readInputs).mockClear();
    await update(indexes);
    expect(readNames()).toEqual([]);
  });

  it('drops a missing path only with --force, and reports it', async () => {
    const { cwd, indexes } = await setUp();
    await add(indexes, cwd, ['notes/plums.md', 'apples.md']);
    rmSync(join(cwd, 'notes'), { recursive: true });
    await expect(update(indexes)).rejects.toMatchObject({
      code: 'index-shrunk',
      message: expect.stringMatching(/lose 1 of its 3 .*left of notes\/plums\.md/),
      hint: expect.stringContaining('rlm index update --name docs --force'),
    });
    const { warnings, documents } = await update(indexes, { force: true });
    expect(warnings).toEqual([expect.stringMatching(/nothing .*'notes\/plums\.md'/)]);
    expect(documents).toBe(2);
  });

  it('drops a named file that was removed from a folder with others', async () => {
    const { cwd, indexes } = await setUp();
    await add(indexes, cwd, ['pears.md']);
    rmSync(join(cwd, 'pears.md'));
    expect((await update(indexes)).files).toMatchObject({ removed: 1, kept: 2 });
  });

  it('loses more than half of its files, or all files of a glob, only with --force', async () => {
    const { cwd, indexes } = await setUp();
    write(cwd, 'more/kiwi.txt', 'Kiwis are brown.\n');
    await add(indexes, cwd, ['more/*.txt']);
    rmSync(join(cwd, 'more/kiwi.txt'));
    await expect(update(indexes)).rejects.toMatchObject({
      message: expect.stringContaining('nothing is left of more/*.txt'),
    });
    await update(indexes, { force: true });
    rmSync(join(cwd, 'apples.md'));
    expect((await update(indexes)).documents).toBe(2);
    rmSync(join(cwd, 'pears.md'));
    expect((await update(indexes)).documents).toBe(1);
    write(cwd, 'a.md', 'Apricots.\n');
    write(cwd, 'b.md', 'Bananas.\n');
    await update(indexes);
    for (const name of ['a.md', 'b.md']) rmSync(join(cwd, name));
    await expect(update(indexes)).rejects.toMatchObject({ message: expect.stringContaining('2 of its 3 files') });
    expect(manifestOf(indexes).files).toHaveLength(3);
  });

  it('does not lose a path because one of its files has a copy elsewhere', async () => {
    const { cwd, indexes } = await setUp();
    for (const name of ['LICENSE', 'disk/LICENSE']) write(cwd, name, 'You may use it.\n');
    write(cwd, 'disk/kiwi.txt', 'Kiwis are brown.\n');
    await add(indexes, cwd, ['LICENSE', 'disk']);
    rmSync(join(cwd, 'disk'), { recursive: true });
    await expect(update(indexes)).rejects.toMatchObject({
      message: expect.stringContaining('nothing is left of disk'),
    });
  });

  it('does not count moved files as lost', async () => {
    const { cwd, indexes } = await setUp();
    mkdirSync(join(cwd, 'fruit'));
    for (const name of ['apples.md', 'pears.md']) renameSync(join(cwd, name), join(cwd, 'fruit', name));
    expect((await update(indexes)).files).toMatchObject({ removed: 2, added: 2 });
  });

  it('keeps dead text below a third, and parts few', async () => {
    const { cwd, indexes } = await setUp({ 'large.md': 'apple\n'.repeat(2_000) });
    for (let round = 0; round < 12; round++) {
      write(cwd, `new-${round}.md`, `kiwi number ${round}\n`);
      await update(indexes);
      expect(partsIn(indexes).length).toBeLessThanOrEqual(8);
    }
    expect(await ask(indexes, 'kiwi')).toEqual(await askFiles(cwd, 'kiwi'));
    write(cwd, 'large.md', 'pear\n');
    await update(indexes);
    const { parts } = manifestOf(indexes);
    expect(parts.reduce((sum, { textBytes }) => sum + textBytes, 0)).toBeLessThan(1_000);
    expect(partsIn(indexes)).toEqual(parts.map(({ file }) => file).sort());
  });

  it('merges parts without the sources', async () => {
    const { cwd, indexes } = await setUp();
    for (let round = 0; round < 7; round++) {
      write(cwd, `new-${round}.md`, `kiwi number ${round}\n`);
      await update(indexes);
    }
    expect(partsIn(indexes)).toHaveLength(8);
    vi.mocked(readInputs).mockClear();
    write(cwd, 'last.md', 'the last kiwi\n');
    await update(indexes);
    expect(readNames()).toEqual(['last.md']);
    expect(partsIn(indexes)).toHaveLength(1);
  });

  it('leaves the index unchanged when it is ended', async () => {
    const { cwd, indexes } = await setUp();
    const before = readFileSync(join(indexes, 'docs', manifestName));
    const parts = partsIn(indexes);
    write(cwd, 'new.md', 'kiwi\n'.repeat(500));
    const ended = new AbortController();
    const onIndexing = () => ended.abort(new Error('enough'));
    await expect(update(indexes, { signal: ended.signal, onIndexing })).rejects.toThrow('enough');
    expect(readFileSync(join(indexes, 'docs', manifestName))).toEqual(before);
    expect(partsIn(indexes)).toEqual(parts);
    expect((await update(indexes)).documents).toBe(4);
  });

  it('removes the files of a killed writer', async () => {
    const { indexes } = await setUp();
    for (const name of ['part-0123456789abcdef', '.manifest.json.1.00000000.tmp']) {
      writeFileSync(join(indexes, 'docs', name), 'half');
    }
    await update(indexes);
    expect(
      filesIn(indexes)
        .filter((name) => !name.startsWith('lock.'))
        .sort(),
    ).toEqual([manifestName, ...manifestOf(indexes).parts.map(({ file }) => file)].sort());
  });

  it('does not wait: a second writer gets an error that names the first', async () => {
    const { cwd, indexes } = await setUp();
    const lock = takeLock(join(indexes, 'docs'));
    const busy = { code: 'index-busy', message: expect.stringContaining(`process ${process.pid} `) };
    await expect(update(indexes)).rejects.toMatchObject(busy);
    await expect(add(indexes, cwd)).rejects.toMatchObject(busy);
    if ('release' in lock) lock.release();
    expect((await update(indexes)).documents).toBe(3);
  });

  it('repairs a part that is damaged, missing or a folder from the files', async () => {
    const { cwd, indexes } = await setUp();
    const flip = (path: string) => {
      const bytes = readFileSync(path);
      bytes[20]! ^= 1;
      writeFileSync(path, bytes);
    };
    const cut = (path: string) => truncateSync(path, 10);
    const remove = (path: string) => rmSync(path);
    const replace = (path: string) => {
      rmSync(path);
      mkdirSync(path);
    };
    for (const harm of [flip, cut, remove, replace]) {
      harm(join(indexes, 'docs', partsIn(indexes)[0]!));
      const code = harm === replace ? 'input-unreadable' : 'index-damaged';
      await expect(ask(indexes, 'apples')).rejects.toMatchObject({ code });
      await update(indexes);
      expect(await ask(indexes, 'apples')).toEqual(await askFiles(cwd, 'apples'));
    }
  });
});
