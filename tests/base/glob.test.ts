import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compileGlob, splitGlob } from '../../src/base/glob.ts';
import { RlmError } from '../../src/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'rlm-glob-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const paths = [
  'a',
  'b',
  'ab',
  'a.b',
  'a-b',
  'b/a',
  'b/ab',
  'a/b/a',
  'a/b/ab',
  'b/b/a.b',
  'b/.a/b',
  '.b',
  'b/x/y/ab',
  'b/]',
];

describe('a glob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['src/**', 'src', false],
    ['src/**', 'src/a/b', true],
    ['**/*', '.git/x', false],
    ['.*/x', '.git/x', true],
    ['src/*', 'src/.env', false],
    ['a**b', 'a/b', false],
    ['{a,b/{c,d}}.md', 'b/d.md', true],
    ['{a,}b', 'b', true],
    ['{a}', '{a}', true],
    ['{a,b', '{a,b', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['[!a-c]', 'b', false],
    ['[[:digit:]_]', '7', true],
    ['[]x]', ']', true],
    ['x[y', 'x[y', true],
    ['app/(a)/*', 'app/(a)/b', true],
    ['?', '\u{1F600}', true],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected);
  });

  it('matches the same paths as git', () => {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const part = fc.constantFrom('a', 'b', '*', '?', '/', '**/', '/**', '.', '[ab]', '[!a]', '-');
    const globs = fc
      .sample(fc.array(part, { minLength: 1, maxLength: 6 }), { numRuns: 150, seed: 1 })
      .map((parts) => parts.join(''))
      .filter((glob) => !/\/\/|^\/|\/$|^\.|\*\*\*|[^/]\*\*\/|\/\*\*[^/]/.test(glob));
    expect(globs.length).toBeGreaterThan(50);
    // Each glob has its own folder, so that git is started only once.
    for (const [at, glob] of globs.entries()) {
      mkdirSync(join(folder, `g${at}`));
      writeFileSync(join(folder, `g${at}`, '.gitignore'), `/${glob}\n`);
    }
    const input = globs.flatMap((_, at) => paths.map((path) => `g${at}/${path}\n`)).join('');
    const options = { cwd: folder, input, encoding: 'utf8' } as const;
    const ignored = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], options)
      .stdout.split('\n')
      .slice(0, -1);
    for (const [at, glob] of globs.entries()) {
      const isMatch = compileGlob(glob, { dot: true, braces: false });
      // Git also ignores the content of ignored folders.
      const isIn = (path: string): boolean => isMatch(path) || (path.includes('/') && isIn(dirname(path)));
      const own = ignored.filter((path) => path.startsWith(`g${at}/`)).map((path) => path.slice(`g${at}/`.length));
      expect([glob, paths.filter(isIn)]).toEqual([glob, own]);
    }
  });

  it('that is slow in other matchers has its result at once', () => {
    expect(compileGlob(`${'*a'.repeat(400)}b`)('a'.repeat(4000))).toBe(false);
    expect(compileGlob(`${'**/a/'.repeat(150)}b`)('a/'.repeat(1000))).toBe(false);
    expect(compileGlob(`${'*a'.repeat(400)}b`)(`${'a'.repeat(4000)}b`)).toBe(true);
  });

  it.each(['{a,b}'.repeat(40), 'a'.repeat(2000)])('with too many alternatives is refused', (glob) => {
    expect(() => compileGlob(glob)).toThrow(RlmError);
  });

  it.each([
    ['src/lib/*.ts', { base: 'src/lib', rest: '*.ts' }],
    ['*.ts', { base: '', rest: '*.ts' }],
    ['/*.ts', { base: '/', rest: '*.ts' }],
    ['a\\*b/c?', { base: 'a*b', rest: 'c?' }],
    ['src/(app)/a.ts', null],
  ])('%s is split into the folder and the rest', (path, expected) => {
    expect(splitGlob(path)).toEqual(expected);
  });
});
