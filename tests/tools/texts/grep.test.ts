import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchDocuments } from '../../../src/context/search/search.ts';
import { createContextStore } from '../../../src/context/store/store.ts';
import { grep } from '../../../src/tools/texts/grep.ts';
import { ToolError } from '../../../src/tools/tool-error.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileWorld, refusal } from '../file-world.ts';
import { shownBy, tell, worldOf } from '../tool-world.ts';

/** Returns the numbers and texts of the matching lines. */
const matchedIn = (shown: string) =>
  [...shown.matchAll(/^(?:(?:\[P\d+\])+ )?(\d+): (.*)$/gm)].map(([, line, text]) => [Number(line), text]);

/** Returns the shown text without the ids of passages. */
const withoutIds = (shown: string) => shown.replace(/\[P\d+\]/g, '[P]');

describe('grep in files', () => {
  it('shows matching lines below the names of their files, with passages to cite', async () => {
    const world = fileWorld(
      tempFolder({ 'a.txt': 'one\ntwo\nthree', 'src/b.ts': 'const two = 2;\r\n', 'c.txt': 'none' }),
    );
    expect(withoutIds(await tell(grep, { pattern: 'tw\\w' }, world))).toBe(
      ['a.txt', '[P] 2: two', '', 'src/b.ts', '[P] 1: const two = 2;', '2 matching lines in 2 files'].join('\n'),
    );
    expect(await tell(grep, { pattern: 'TWO', path: '*.ts' }, world)).toContain('1 matching line in 1 file');
    expect(await tell(grep, { pattern: 'TWO', caseSensitive: true }, world)).toContain('No line matches');
    expect(await tell(grep, { pattern: 'x', path: 'a.txt' }, world)).toContain('Searched: 1 file');
    expect(await tell(grep, { pattern: 'four' }, world)).toMatch(/^\[P\d+\] No line matches\. Searched: 3 files$/);
  });

  it('names the lines that only import the match, separately from those that define and use it', async () => {
    const importing = (n: number) => `import { makePool } from './pool.ts';\nconst pool${n} = makePool(${n});\n`;
    const files = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`src/a${n}.ts`, importing(n)]));
    const world = fileWorld(tempFolder({ ...files, 'src/pool.ts': 'export function makePool(n: number) {}\n' }));
    const shown = await tell(grep, { pattern: 'makePool', limit: 3 }, world);
    expect(matchedIn(shown)).toEqual([0, 1, 2].map((n) => [2, `const pool${n} = makePool(${n});`]));
    expect(shown).toContain('Imported at src/a0.ts:1, src/a1.ts:1, src/a2.ts:1');
    expect(matchedIn(await tell(grep, { pattern: 'makePool', skip: 3 }, world))).toEqual([
      [2, 'const pool3 = makePool(3);'],
      [1, 'export function makePool(n: number) {}'],
    ]);
    expect(matchedIn(await tell(grep, { pattern: 'import .*makePool' }, world))).toHaveLength(4);
  });

  it('names the heading above matches once, and the definition around those in code', async () => {
    const minutes = '## 12 June\n\nMoney for Dreebeck.\nNo money.\n\n## 8 November\n\nMoney for Ostelwick.\n';
    const code = 'export function pay() {\n  return money;\n}\n';
    const world = fileWorld(tempFolder({ 'minutes.md': minutes, 'src/pay.ts': code, 'z.txt': 'money\n' }));
    expect(withoutIds(await tell(grep, { pattern: 'money' }, world)).split('\n')).toEqual([
      'minutes.md',
      'under "## 12 June":',
      '[P] 3: Money for Dreebeck.',
      '[P] 4: No money.',
      'under "## 8 November":',
      '[P] 8: Money for Ostelwick.',
      '',
      'src/pay.ts',
      'under "export function pay() {":',
      '[P] 2:   return money;',
      '',
      'z.txt',
      '[P] 1: money',
      '5 matching lines in 3 files',
    ]);
    expect(await tell(grep, { pattern: '^## ' }, world)).not.toContain('under');
    const rows = `id,site\n${'1,a place of some length\n'.repeat(1_000)}2,the last\n`;
    expect(await tell(grep, { pattern: 'last' }, fileWorld(tempFolder({ 'a.csv': rows })))).toContain(
      'under "id,site":',
    );
  });

  it('shows lines around a match, each once', async () => {
    const text = Array.from({ length: 20 }, (_, at) =>
      /^(3|5|6|15)$/.test(String(at + 1)) ? 'hit' : `l${at + 1}`,
    ).join('\n');
    const world = fileWorld(tempFolder({ 'a.txt': text }));
    const shown = (await tell(grep, { pattern: 'hit', lines: 2 }, world)).replace(/^\[P\d+\] /gm, '');
    expect(shown.split('\n').slice(1, -1)).toEqual([
      '1- l1',
      '2- l2',
      '3: hit',
      '4- l4',
      '5: hit',
      '6: hit',
      '7- l7',
      '8- l8',
      '--',
      '13- l13',
      '14- l14',
      '15: hit',
      '16- l16',
      '17- l17',
    ]);
  });

  it('makes the shown lines citable, and nothing else', async () => {
    const numbered = Array.from({ length: 20 }, (_, at) => (/^(3|15)$/.test(String(at + 1)) ? 'hit' : `l${at + 1}`));
    const world = fileWorld(tempFolder({ 'a.txt': numbered.join('\n') }));
    const { passages } = await shownBy(grep, { pattern: 'hit', lines: 1 }, world);
    expect(passages).toMatchObject([
      { source: 'a.txt', startLine: 2, endLine: 4, startByte: 3, endByte: 13, text: 'l2\nhit\nl4' },
      { source: 'a.txt', startLine: 14, endLine: 16, text: 'l14\nhit\nl16' },
    ]);
    expect((await shownBy(grep, { pattern: 'hit', limit: 1 }, world)).passages).toMatchObject([{ startLine: 3 }]);
  });

  it('counts omitted matches, names the files with most of them, and shows page after page', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${10 + at}.txt`, 'hit\n'.repeat(10)]));
    const bounds = { characters: 1_000, lines: 30 };
    const world = fileWorld(tempFolder(files), { bounds });
    const limited = await tell(grep, { pattern: 'hit', limit: 3 }, world);
    expect(matchedIn(limited)).toHaveLength(3);
    expect(limited).toMatch(/Left out: 297 more lines \(f11\.txt 10, .* and 25 more files\); to see them: "skip": 3\n/);
    const bounded = await tell(grep, { pattern: 'hit', limit: 1_000 }, world);
    const shown = matchedIn(bounded).length;
    expect(bounded).toContain(`Left out: ${300 - shown} more lines`);
    expect(bounded.length).toBeLessThanOrEqual(bounds.characters);
    expect(bounded.split('\n').length).toBeLessThanOrEqual(bounds.lines);
    const last = await tell(grep, { pattern: 'hit', skip: 298 }, world);
    expect(matchedIn(last)).toHaveLength(2);
    expect(last).not.toContain('Left out');
  });

  it('shows a long line around its match, as wide as fits, and finds lines after it', async () => {
    const long = `${'a '.repeat(100_000)}needle${' b'.repeat(100_000)}`;
    const world = fileWorld(tempFolder({ 'a.txt': `first\n${long}\nneedle\n` }));
    const [first, second] = matchedIn(await tell(grep, { pattern: 'needle' }, world));
    expect(first![0]).toBe(2);
    expect(first![1]).toMatch(/^….{100,}needle.{100,}…$/);
    expect(second).toEqual([3, 'needle']);
    const narrow = { ...world, bounds: { characters: 600, lines: 20 } };
    const [small] = matchedIn(await tell(grep, { pattern: 'needle' }, narrow));
    expect(String(small![1]).length).toBeLessThan(400);
    expect(small![1]).toContain('needle');
  });

  it('never says that nothing matches when a match does not fit', async () => {
    const world = fileWorld(tempFolder({ 'a.txt': `needle ${'x'.repeat(5_000)}` }), {
      bounds: { characters: 120, lines: 5 },
    });
    expect(await tell(grep, { pattern: 'needle' }, world)).toMatch(/1: needle/);
  });

  it('skips binary files, ignored files and files that may hold secrets', async () => {
    const folder = tempFolder({
      '.gitignore': 'dist',
      'dist/a.js': 'hit',
      'prod.env': 'hit',
      '.env': 'hit',
      'b.txt': 'hit',
    });
    writeFileSync(join(folder, 'c.bin'), Buffer.concat([Buffer.from([0, 1, 2, 0, 255]), Buffer.from('hit')]));
    writeFileSync(join(folder, 'd.txt'), Buffer.from('\uFEFFwide hit', 'utf16le'));
    const shown = await tell(grep, { pattern: 'hit' }, fileWorld(folder));
    expect([...shown.matchAll(/^\S+\.\S+$/gm)].flat()).toEqual(['b.txt', 'd.txt']);
    expect(shown).toContain(
      'Not searched: 1 file (1 without text)\nPassed by: 1 that ignore files name, 1 that commonly hold secrets, 2 whose names',
    );
  });

  it('describes the error of a call', async () => {
    const world = fileWorld(tempFolder({ 'a.txt': 'x' }));
    expect(await refusal(grep, { pattern: '(?=x)' }, world)).toContain('not supported are lookaround');
    expect(await refusal(grep, { pattern: 'x', path: 'b' }, world)).toContain('there is no b that may be read');
    expect(await refusal(grep, { pattern: 'x', path: '*.md' }, world)).toContain('no path matches *.md');
    expect(await refusal(grep, {}, world)).toContain('give "words" or a "pattern"');
  });

  it('shows the lines around each of many matches in little time', async () => {
    const text = `${'\n'.repeat(900)}hit\n`.repeat(1_000);
    const world = fileWorld(tempFolder({ 'a.txt': text }));
    const before = process.cpuUsage();
    expect(await tell(grep, { pattern: 'hit', lines: 2, limit: 1_000 }, world)).toContain('901: hit');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });

  it('searches for any of some words if nothing is ranked', async () => {
    const world = fileWorld(tempFolder({ 'a.txt': 'a pool\nnothing\nits limit' }));
    expect(matchedIn(await tell(grep, { words: 'pool limit' }, world)).map(([line]) => line)).toEqual([1, 3]);
  });
});

it('counts lines with words without a search for passages', async () => {
  const find = async () => {
    throw new ToolError('no search is left');
  };
  const world = worldOf({ 'a.txt': 'a pool\na lake\n' }, { find });
  expect(await tell(grep, { words: 'pool', count: true }, world)).toContain('1 matching line in 1 file');
});

describe('the lines that grep finds', () => {
  const patterns = ['foo', 'fo+ ba', '^foo', 'bar$', '\\d+', 'é', 'x{5} foo', '^$', '(foo|bar) 12'];

  /** Compares the results of grep with those of the context search. */
  async function compare(folder: string, text: string, pattern: string, ignoreCase: boolean) {
    writeFileSync(join(folder, 'a.txt'), text);
    const store = createContextStore([{ name: 'a.txt', bytes: Buffer.from(text) }], { chunkBytes: 4_000 });
    const options = { ignoreCase, limit: 50 };
    const expected = await searchDocuments(store, pattern, options, new AbortController().signal);
    const world = fileWorld(folder, { bounds: { characters: 1e6, lines: 1e5 } });
    const shown = await tell(grep, { pattern, caseSensitive: !ignoreCase, limit: 50 }, world);
    expect(matchedIn(shown).map(([line]) => line)).toEqual(expected.matches.map(({ line }) => line));
    const more = `Left out: ${expected.more.toLocaleString('en-US')} more`;
    expect(shown.includes(expected.more > 0 ? more : 'Left out')).toBe(expected.more > 0);
  }

  it('finds the lines that the search of a context finds', async () => {
    const word = fc.constantFrom('foo', 'bar', 'Foo', 'é', '12', 'x'.repeat(700), '');
    const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    const text = fc.array(line, { minLength: 1, maxLength: 40 }).map((lines) => `${lines.join('\n')}\n`);
    const folder = tempFolder();
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...patterns), fc.boolean(), (...given) => compare(folder, ...given)),
      { numRuns: 50 },
    );
  });

  it.each(patterns)('also finds them in a file that is not read at once: %s', async (pattern) => {
    const rare = 'nothing of it\n'.repeat(40_000);
    const long = `${'y'.repeat(200_000)} foo bar 12\n`;
    await compare(tempFolder(), `foo bar\n${rare}${long}\nfoo 12 é bar\n${rare}foo`, pattern, false);
  });
});
