import { describe, expect, it } from 'vitest';
import type { Passage } from '../../../src/state.ts';
import { grep } from '../../../src/tools/texts/grep.ts';
import { listFiles } from '../../../src/tools/texts/list-files.ts';
import { readFile } from '../../../src/tools/texts/read-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileWorld, refusal } from '../file-world.ts';
import { shownBy, tell, texts, worldOf } from '../tool-world.ts';

const namesIn = (shown: string) => [...shown.matchAll(/^(\S+): \d/gm)].map(([, name]) => name);

describe('grep in documents', () => {
  it('shows the id of each passage once, before its first line', async () => {
    const world = worldOf(texts);
    const { text, passages } = await shownBy(grep, { pattern: 'line (1|2|40)$', path: 'notes.md' }, world);
    const [head, first, second, third] = text.split('\n');
    expect(head).toBe('notes.md');
    expect(first).toBe('[P1] 1: notes line 1');
    expect(second).toBe('2: notes line 2');
    expect(third).toMatch(/^\[P\d\] 40: notes line 40$/);
    for (const { id, text: held } of passages) expect([id, held.includes('line')]).toEqual([id, true]);
  });

  it.each([
    ['^The pool', 1],
    ['20\\.$', 1],
    ['^$', 1],
    ['^rest', 40],
  ])('works line by line with %s', async (pattern, count) => {
    const world = worldOf({ ...texts, 'empty-line.md': 'a\n\nb\n' }, { bounds: { characters: 9_000, lines: 200 } });
    expect(await tell(grep, { pattern }, world)).toContain(`${count} matching line`);
  });

  it.each([
    ['src/**/*.ts', ['src/pool.ts', 'src/time.ts']],
    ['src/**/*oo*', ['src/pool.ts']],
    ['src/{pool,time}.ts', ['src/pool.ts', 'src/time.ts']],
    ['*.md', ['notes.md']],
    ['src', ['src/pool.ts', 'src/time.ts']],
    ['src/', ['src/pool.ts', 'src/time.ts']],
    ['time.ts', ['src/time.ts']],
    ['./src/time.ts', ['src/time.ts']],
    ['.', ['notes.md', 'src/pool.ts', 'src/time.ts']],
  ])('finds documents by the path %s', async (path, names) => {
    const world = worldOf(texts);
    expect(namesIn(await tell(listFiles, { path }, world))).toEqual(names);
    expect(await tell(grep, { pattern: '.', path, count: true }, world)).toContain(`in ${names.length} file`);
  });

  it('finds documents by a glob relative to the folder that they share', async () => {
    const world = worldOf({ '/data/repo/src/a.ts': 'x', '/data/repo/docs/b.md': 'x' });
    expect(namesIn(await tell(listFiles, { path: 'src/**/*.ts' }, world))).toEqual(['/data/repo/src/a.ts']);
  });

  it('suggests a name that is similar to a missing one', async () => {
    const world = worldOf(texts);
    expect(await refusal(grep, { pattern: 'x', path: 'src/tim.ts' }, world)).toMatch(
      /no document "src\/tim\.ts" here; did you mean "src\/time\.ts"\?/,
    );
    expect(await refusal(grep, { pattern: 'x', path: 'lib/**' }, world)).toContain('no path matches lib/**');
  });

  it('counts lines by file, most first, and the counts can be cited', async () => {
    const { text, passages } = await shownBy(grep, { pattern: 'line', count: true }, worldOf(texts));
    expect(text).toMatch(/^\[(P\d+)\] 100 matching lines in 2 files:\n80 notes\.md\n20 src\/pool\.ts\n/);
    expect(passages).toMatchObject([{ id: /P\d+/.exec(text)![0], source: 'computed:grep' }]);
    expect(passages[0]!.text).toContain('80 notes.md');
  });

  it('is not slowed down by a pattern', async () => {
    expect(await tell(grep, { pattern: '^(n+o*)+$' }, worldOf(texts))).toContain('No line matches');
  });

  it('also searches files besides the documents, each text once', async () => {
    const folder = tempFolder({ 'notes.md': 'pool of the file', 'other.md': 'pool beside it' });
    const { files } = fileWorld(folder);
    const shown = await tell(grep, { pattern: 'pool' }, worldOf(texts, { files }));
    expect(shown).toContain('The pool limit is 20.');
    expect(shown).toContain('pool beside it');
    expect(shown).not.toContain('pool of the file');
  });
});

describe('grep by words', () => {
  const passage = (n: number, text: string): Passage => ({
    ...{ id: `P${n}`, source: 'notes.md', startLine: n, endLine: n, startByte: 0, endByte: 9, text },
    ...{ score: 1, hash: '' },
  });
  const ranked = [passage(1, 'The pool.'), passage(2, 'Its limit.'), passage(3, `long ${'x'.repeat(1_900)}\nthe pool`)];
  const find = async (_query: string, _part: unknown, exclude: ReadonlySet<string>) =>
    ranked.filter(({ id }) => !exclude.has(id));

  it('shows the best passages whole, others by the line with most of the words', async () => {
    const { text, passages } = await shownBy(grep, { words: 'pool limit' }, worldOf(texts, { find }));
    expect(text).toContain('<passage id="P1" source="notes.md" lines="1-1">\nThe pool.\n</passage>');
    expect(text).toContain('[P3] notes.md:4: the pool');
    expect(passages.map(({ id }) => id)).toEqual(['P1', 'P2', 'P3']);
    expect(text).toContain('"skip": 3');
  });

  it('shows page after page, and ends', async () => {
    const world = worldOf(texts, { find });
    expect(await tell(grep, { words: 'pool', skip: 2 }, world)).toContain('P3');
    expect(await tell(grep, { words: 'pool', skip: 2 }, world)).not.toContain('P1');
    expect(await tell(grep, { words: 'pool', skip: 3 }, world)).toContain('No more passages');
    const one = await shownBy(grep, { words: 'pool', limit: 1 }, world);
    expect(one.passages.map(({ id }) => id)).toEqual(['P1']);
  });

  it('ranks a part of the text alone', async () => {
    let asked = 0;
    const part: typeof find = async (_query, within, exclude) => {
      asked = (within as { chunkCount: number }).chunkCount;
      return find('', null, exclude);
    };
    const world = worldOf(texts, { find: part });
    await tell(grep, { words: 'pool', path: 'src/*.ts' }, world);
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(world.store.chunkCount);
  });
});

describe('read_file of documents', () => {
  it('shows a small document whole, with the ids of its passages above their lines', async () => {
    const { text, passages } = await shownBy(readFile, { path: 'src/pool.ts' }, worldOf(texts));
    expect(text).toMatch(/^\[P\d+\]\n1\| export const poolLimit[\s\S]*src\/pool\.ts, lines 1-21 of 21$/);
    const shown = [...text.matchAll(/^\[(P\d+)\]$/gm)].map(([, id]) => id);
    expect(shown).toEqual(passages.map(({ id }) => id));
    expect(shown.length).toBeGreaterThan(1);
  });

  it('continues where it was cut, with the argument that it names', async () => {
    const world = worldOf(texts, { bounds: { characters: 700, lines: 60 } });
    let seen = '';
    for (let startLine = 1; startLine > 0; ) {
      const shown = await tell(readFile, { path: 'notes.md', startLine }, world);
      expect(shown.length).toBeLessThanOrEqual(700);
      seen += shown;
      startLine = Number(/"startLine": (\d+)/.exec(shown)?.[1] ?? 0);
    }
    for (let line = 1; line <= 40; line++) expect(seen.match(new RegExp(`notes line ${line}\n`, 'g'))).toHaveLength(1);
    expect(seen).toContain('A limit of time is 5 s.');
  });

  it('needs no path for a single document, and asks for one among several', async () => {
    expect(await tell(readFile, {}, worldOf({ stdin: 'one\ntwo' }))).toContain('2| two');
    expect(await refusal(readFile, {}, worldOf(texts))).toContain('there are 3 documents here');
    const twice = worldOf({ 'a/x.md': '1', 'b/x.md': '2' });
    expect(await refusal(readFile, { path: 'x.md' }, twice)).toBe('"x.md" may be a/x.md or b/x.md.');
  });

  it.each([
    ['Setup', '# Setup', 'then stop'],
    ['## Deep part', '## Deep part', 'deep words'],
    ['deep', '## Deep part', 'deep words'],
  ])('shows the section %s with everything below it', async (section, first, last) => {
    const text = '# Start\nwords\n\n# Setup\nbegin\n\n## Deep part\ndeep words\n\n# Other\nelse\n';
    const said = text.replace('deep words\n', 'deep words\nthen stop\n');
    const shown = await tell(readFile, { section }, worldOf({ 'a.md': said }));
    expect(shown).toContain(`| ${first}\n`);
    expect(shown).toContain(last);
    expect(shown).not.toContain('# Other');
    expect(shown).not.toContain('# Start');
  });

  it('shows a definition by its name, with the comment above it', async () => {
    const code = 'const a = 1;\n\n/** Adds. */\nexport function add(x, y) {\n  return x + y;\n}\n\nconst b = 2;\n';
    const shown = await tell(readFile, { path: 'a.js', section: 'add' }, worldOf({ 'a.js': code }));
    expect(shown).toContain('3| /** Adds. */');
    expect(shown).toContain('a.js, lines 3-6 of 8');
    expect(await refusal(readFile, { path: 'a.js', section: 'sub' }, worldOf({ 'a.js': code }))).toMatch(
      /no section "sub"; it has "a", "add", "b"/,
    );
  });
});
