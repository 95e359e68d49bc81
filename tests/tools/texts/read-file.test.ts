import { execFileSync } from 'node:child_process';
import { linkSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createView } from '../../../src/context/store/view.ts';
import { readFile } from '../../../src/tools/texts/read-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileWorld, refusal } from '../file-world.ts';
import { shownBy, tell, worldOf } from '../tool-world.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

describe('read_file', () => {
  const withoutId = (shown: string) => shown.replace(/\[P\d+\]/, '[P]');

  it('shows lines with their numbers', async () => {
    const world = fileWorld(tempFolder({ 'a.txt': numbered(5) }));
    expect(withoutId(await tell(readFile, { path: 'a.txt', startLine: 2, endLine: 3 }, world))).toBe(
      '2| line 2\n3| line 3\na.txt, lines 2-3 of 5; cite as [P]',
    );
    expect(withoutId(await tell(readFile, { path: 'a.txt', startLine: 5, endLine: 99 }, world))).toBe(
      '5| line 5\na.txt, lines 5-5 of 5; cite as [P]',
    );
  });

  it('reads an empty section as none', async () => {
    const world = fileWorld(tempFolder({ 'a.md': '# One\ntext\n# Two\nmore\n' }));
    const given = { path: 'a.md', startLine: 4, section: ' ' };
    expect(await tell(readFile, given, world)).toContain('4| more\na.md, lines 4-4 of 4');
  });

  it('reports omitted lines, with the argument that shows them', async () => {
    const bounds = { characters: 400, lines: 12 };
    const world = fileWorld(tempFolder({ 'a.txt': numbered(100) }), { bounds });
    let text = '';
    for (let startLine = 1; startLine > 0; ) {
      const shown = await tell(readFile, { path: 'a.txt', startLine }, world);
      expect(shown.length).toBeLessThanOrEqual(bounds.characters);
      expect(shown.split('\n').length).toBeLessThanOrEqual(bounds.lines);
      text += [...shown.matchAll(/^\d+\| (.*)$/gm)].map(([, line]) => `${line}\n`).join('');
      startLine = Number(/to see it: "startLine": (\d+)$/m.exec(shown)?.[1] ?? 0);
    }
    expect(text).toBe(numbered(100));
  });

  it('shows a long line piece by piece', async () => {
    const long = Array.from({ length: 900 }, (_, at) => `w${at}${'😀'.repeat(at % 5)}`).join(' ');
    const world = fileWorld(tempFolder({ 'a.txt': `short\n${long}\nend` }), {
      bounds: { characters: 2_000, lines: 50 },
    });
    let text = '';
    for (let startCharacter = 1; startCharacter > 0; ) {
      const shown = await tell(readFile, { path: 'a.txt', startLine: 2, endLine: 2, startCharacter }, world);
      expect(shown.isWellFormed()).toBe(true);
      text += /^2\| (.*?)…?$/m.exec(shown)![1];
      startCharacter = Number(/"startCharacter": (\d+)/.exec(shown)?.[1] ?? 0);
    }
    expect(text).toBe(long);
  });

  it('reads a range of a huge file', async () => {
    const folder = tempFolder({ 'huge.log': numbered(200_000) });
    const world = fileWorld(folder);
    expect(await tell(readFile, { path: 'huge.log', startLine: 150_000, endLine: 150_000 }, world)).toMatch(
      /^150000\| line 150000\nhuge\.log, lines 150000-150000 of 200000; cite/,
    );
    truncateSync(join(folder, 'huge.log'), 3 * 2 ** 30);
    const shown = await tell(readFile, { path: 'huge.log', startLine: 3, endLine: 3 }, world);
    expect(shown).toMatch(/^3\| line 3\nhuge\.log, lines 3-3; cite as/);
  });

  it('makes the shown text citable, with its bytes', async () => {
    const text = `\uFEFFérst\r\n${'w'.repeat(5_000)}\nlast\n`;
    const world = fileWorld(tempFolder({ 'a.txt': text }), { bounds: { characters: 3_000, lines: 50 } });
    const first = await shownBy(readFile, { path: 'a.txt', startLine: 1, endLine: 1 }, world);
    const end = await shownBy(readFile, { path: 'a.txt', startLine: 2, endLine: 2, startCharacter: 4_501 }, world);
    const last = await shownBy(readFile, { path: 'a.txt', startLine: 3 }, world);
    const cited = [first, end, last].flatMap(({ passages }) => passages);
    expect(cited.map((lines) => [lines.startLine, lines.endLine, lines.text])).toEqual([
      [1, 1, 'érst'],
      [2, 2, 'w'.repeat(500)],
      [3, 3, 'last'],
    ]);
    expect(last.text).toContain(`[${cited[2]!.id}]`);
    const whole = Buffer.from(text.slice(1));
    for (const { startByte, endByte, text: shown } of cited)
      expect(whole.toString('utf8', startByte, endByte).trim()).toBe(shown);
  });

  it('shows text in UTF-16 and with a byte order mark, and describes binary files', async () => {
    const folder = tempFolder({ 'mark.txt': '\uFEFFfirst\r\nsecond', 'empty.txt': '' });
    writeFileSync(join(folder, 'wide.txt'), Buffer.from('\uFEFFwide\nü', 'utf16le'));
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0, 0]));
    const world = fileWorld(folder);
    expect(await tell(readFile, { path: 'mark.txt' }, world)).toContain('1| first\n2| second\n');
    expect(await tell(readFile, { path: 'wide.txt' }, world)).toContain('1| wide\n2| ü\n');
    expect(await tell(readFile, { path: 'empty.txt' }, world)).toBe('empty.txt is empty');
    expect(await refusal(readFile, { path: 'picture.png' }, world)).toBe(
      'picture.png holds no plain text: kind png, 10 bytes. It is not shown.',
    );
  });

  it('describes the error of a call', async () => {
    const folder = tempFolder({ 'a.txt': 'one\ntwo', 'sub/b.txt': 'x' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const world = fileWorld(folder);
    expect(await refusal(readFile, { path: 'a.txt', startLine: 9 }, world)).toBe('a.txt has no line 9: it has 2 lines');
    expect(await refusal(readFile, { path: 'a.txt', startLine: 9, endLine: 3 }, world)).toContain('before startLine 9');
    expect(await refusal(readFile, { path: 'sub' }, world)).toBe('sub is a folder: list_files shows what is in it');
    expect(await refusal(readFile, { path: 'pipe' }, world)).toContain('pipe cannot be read: it is a pipe, no regular');
    expect(await refusal(readFile, { path: 'b.txt' }, world)).toContain('files are read only under .');
    expect(await refusal(readFile, { path: 'a.txt' }, { ...world, files: null })).toContain('gave no such path');
  });

  it('refuses lines above a part of a text, and names the lines of the part', async () => {
    const whole = worldOf({ 'a.txt': Array.from({ length: 40 }, (_, at) => `This is line ${at + 1}.\n`).join('') });
    const world = { ...whole, store: createView(whole.store, [1]) };
    const { startLine, endLine } = whole.store.chunk(1);
    const said = await refusal(readFile, { path: 'a.txt', startLine: 1, endLine: startLine - 1 }, world);
    expect(said).toBe(`a.txt has no line 1: it has lines ${startLine} to ${endLine} here`);
  });

  it('follows links that stay under a root, and treats one that leaves it as a missing file', async () => {
    const folder = tempFolder({ 'in/a.txt': 'inside', 'out.txt': 'outside' });
    symlinkSync('a.txt', join(folder, 'in/link'));
    symlinkSync('../out.txt', join(folder, 'in/leak'));
    const world = fileWorld(folder, { roots: ['in'] });
    expect(await tell(readFile, { path: 'in/link' }, world)).toContain('1| inside\nin/a.txt, lines 1-1');
    const [left, missing] = [
      await refusal(readFile, { path: 'in/leak' }, world),
      await refusal(readFile, { path: 'in/gone' }, world),
    ];
    expect(left.replace('leak', 'gone')).toBe(missing);
  });

  it('reads a hard link as the file of its root, wherever its other names are', async () => {
    const folder = tempFolder({ 'in/a.txt': 'inside', 'out.txt': 'another name of it' });
    linkSync(join(folder, 'out.txt'), join(folder, 'in/hard.txt'));
    linkSync(join(folder, 'out.txt'), join(folder, 'in/id_rsa'));
    const world = fileWorld(folder, { roots: ['in'] });
    expect(await tell(readFile, { path: 'in/hard.txt' }, world)).toContain('1| another name of it\nin/hard.txt');
    expect(await refusal(readFile, { path: 'in/id_rsa' }, world)).toContain('commonly hold secrets');
    expect(await refusal(readFile, { path: 'out.txt' }, world)).toContain('there is no out.txt');
  });

  it('accepts paths as the user types them, relative to the roots, and absolute ones', async () => {
    const folder = tempFolder({
      'repo/src/a.txt': 'inside',
      'here/b.txt': 'here',
      'one.txt': 'alone',
      'two.txt': 'other',
    });
    const world = fileWorld(join(folder, 'here'), { roots: ['../repo', '.', '../one.txt'] });
    for (const path of ['../repo/src/a.txt', 'src/a.txt', join(folder, 'repo/src/a.txt')])
      expect(await tell(readFile, { path }, world)).toContain('../repo/src/a.txt, lines 1-1');
    expect(await tell(readFile, { path: 'b.txt' }, world)).toContain('b.txt, lines');
    expect(await tell(readFile, { path: '../one.txt' }, world)).toContain('1| alone');
    expect(await refusal(readFile, { path: '../two.txt' }, world)).toContain('there is no ../two.txt');
  });

  it('reads the files that a glob among the roots names, and no others', async () => {
    const world = fileWorld(tempFolder({ 'src/a.ts': 'code', 'src/b.md': 'words' }), { roots: ['src/*.ts'] });
    expect(await tell(readFile, { path: 'src/a.ts' }, world)).toContain('1| code');
    expect(await refusal(readFile, { path: 'src/b.md' }, world)).toContain('there is no src/b.md');
  });

  it('does not show ignored files and files that commonly hold secrets, unless the user named them', async () => {
    const folder = tempFolder({
      '.gitignore': 'dist/\n*.log',
      'dist/out.js': 'built',
      'sub/.gitignore': 'private.txt',
      'sub/private.txt': 'private',
      'sub/run.log': 'logged',
      '.env': 'KEY=1',
      'deep/id_rsa': 'key',
      '.aws/config': 'key',
      '.ENV.Local': 'KEY=2',
      '.env.example': 'KEY=',
      'secrets/forms.ts': 'code',
      'keys/key.pub': 'public',
    });
    symlinkSync('../.env', join(folder, 'sub/settings'));
    linkSync(join(folder, 'sub/run.log'), join(folder, 'sub/run.txt'));
    const world = fileWorld(folder);
    for (const path of ['dist/out.js', 'sub/private.txt', 'sub/run.log'])
      expect(await refusal(readFile, { path }, world)).toBe(
        `${path} is not read: an ignore file (.gitignore, .rlmignore) names it. Only the user can allow it, by naming it.`,
      );
    for (const path of ['.env', 'deep/id_rsa', '.aws/config', '.ENV.Local', 'sub/settings'])
      expect(await refusal(readFile, { path }, world)).toContain('commonly hold secrets');
    for (const path of ['.env.example', 'secrets/forms.ts', 'keys/key.pub', 'sub/run.txt'])
      expect(await tell(readFile, { path }, world)).toContain('1| ');
    const named = fileWorld(folder, { roots: ['.', '.env', 'dist'] });
    expect(await tell(readFile, { path: '.env' }, named)).toContain('1| KEY=1');
    expect(await tell(readFile, { path: 'dist/out.js' }, named)).toContain('1| built');
    expect(await tell(readFile, { path: 'deep/id_rsa' }, fileWorld(folder, { unguarded: true }))).toContain('1| key');
  });

  it('stops with the run', async () => {
    const stop = new AbortController();
    const world = fileWorld(tempFolder({ 'a.txt': 'text' }), { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(tell(readFile, { path: 'a.txt', startLine: 1 }, world)).rejects.toThrow('stopped');
  });
});
