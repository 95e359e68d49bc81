import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { findInputs } from '../../src/inputs/find/find-inputs.ts';
import { readInputs } from '../../src/inputs/read-inputs.ts';
import type { ReadingProgress } from '../../src/inputs/reading.ts';
import { createReading } from '../support/readings.ts';

let cwd: string;

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'inputs-')));
  chmodSync(cwd, 0o755);
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function write(files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
}

interface More {
  readonly maxBytes?: number;
  readonly readTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly from?: string;
  readonly onProgress?: (progress: ReadingProgress) => undefined;
}

async function readPaths(paths: readonly string[], more: More = {}) {
  const {
    maxBytes = 1_000_000,
    signal = new AbortController().signal,
    from = cwd,
    onProgress = () => undefined,
    ...rest
  } = more;
  const { reading, documents } = createReading({ maxBytes, onProgress, signal, ...rest });
  const read = await readInputs(await findInputs({ paths, cwd: from, signal }), reading);
  return { ...read, documents: documents() };
}

async function names(...paths: string[]): Promise<string[]> {
  return (await readPaths(paths)).documents.map(({ name }) => name);
}

async function failure(...paths: string[]): Promise<RlmError> {
  const error: unknown = await readPaths(paths).catch((thrown: unknown) => thrown);
  if (!(error instanceof RlmError)) throw new Error(`expected an RlmError, got ${String(error)}`);
  return error;
}

describe('files', () => {
  it('are read under the names a user would type, in the given order', async () => {
    write({ 'b.md': 'b', 'docs/a.md': 'a' });
    expect(await names('docs//a.md', './b.md', join(cwd, 'docs'))).toEqual(['docs/a.md', 'b.md']);
  });

  it('outside the current folder keep their given form', async () => {
    write({ 'x/a.md': 'a', 'y/b.md': 'b', 'y/c.md': 'c' });
    const { documents } = await readPaths(['../y/b.md', join(cwd, 'y/c.md'), '../x/a.md'], { from: join(cwd, 'x') });
    expect(documents.map(({ name }) => name)).toEqual(['../y/b.md', join(cwd, 'y/c.md'), 'a.md']);
  });

  it('are read once, however often and in whatever way they are named', async () => {
    write({ 'src/a.md': 'a' });
    symlinkSync('src', join(cwd, 'link'));
    expect(await names('src/a.md', './src/a.md', 'link/a.md', 'src', 'src/*.md')).toEqual(['src/a.md']);
  });

  it('that the run writes or replays are left out, and named if no other is left', async () => {
    write({ 'a.md': 'a', 'lg/run.log': '{}', 'rr/a.gz': 'x' });
    const find = (...paths: string[]) =>
      findInputs({ paths, cwd, excludedFiles: ['lg/run.log', 'rr/a.gz'], signal: new AbortController().signal });
    const { inputs, warnings } = await find('.');
    expect(inputs.map(({ name }) => name)).toEqual(['a.md']);
    expect(warnings).toEqual(['lg/run.log', 'rr/a.gz'].map((name) => expect.stringContaining(`'${name}'`)));
    for (const [path, name] of [
      ['lg', 'lg/run.log'],
      ['lg/*.log', 'lg/run.log'],
      ['rr/a.gz', 'rr/a.gz'],
    ] as const)
      await expect(find(path)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(new RegExp(`'${name}'$`)),
        hint: expect.stringContaining('--replay'),
      });
  });

  it('that are binary or empty are skipped, even if they are named', async () => {
    write({ 'a.bin': Buffer.from([1, 0, 2, 3]), 'b.txt': '', 'c.txt': '\uFEFF', 'd.txt': 'text' });
    const { documents, skipped } = await readPaths(['a.bin', 'b.txt', 'c.txt', 'd.txt']);
    expect(documents.map(({ name }) => name)).toEqual(['d.txt']);
    expect(skipped).toEqual([
      { name: 'a.bin', reason: 'binary' },
      { name: 'b.txt', reason: 'empty' },
      { name: 'c.txt', reason: 'empty' },
    ]);
  });

  it.skipIf(process.platform !== 'linux')('are read even if names are not UTF-8, and distinguished', async () => {
    const bytes = (name: string) => Buffer.from(join(cwd, name), 'latin1');
    mkdirSync(bytes('d\u00e9'));
    writeFileSync(bytes('caf\u00e9.txt'), 'one');
    writeFileSync(bytes('caf\u00e8.txt'), 'two');
    writeFileSync(bytes('d\u00e9/inner.txt'), 'three');
    writeFileSync(bytes('d\u00e9/ignored.md'), 'four');
    writeFileSync(bytes('d\u00e9/.gitignore'), '*.md');
    const { documents, skipped } = await readPaths(['.', '*.txt']);
    expect(documents.map(({ name, bytes: text }) => [name, Buffer.from(text).toString()]).sort()).toEqual([
      ['caf\ufffd.txt', 'one'],
      ['caf\ufffd.txt', 'two'],
      ['d\ufffd/inner.txt', 'three'],
    ]);
    expect(skipped).toEqual([]);
  });

  it('are decoded, with a warning if that is not possible', async () => {
    write({ 'a.txt': Buffer.from('\uFEFFhé', 'utf16le'), 'b.txt': Buffer.from('une journée', 'latin1') });
    const { documents, warnings } = await readPaths(['.']);
    expect(documents.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).toEqual([
      Buffer.from('hé').toString('latin1'),
      Buffer.from('une journée').toString('latin1'),
    ]);
    expect(warnings).toEqual([expect.stringContaining("'b.txt'")]);
  });

  it('in Latin-1 are text if the user says so, even with many accents', async () => {
    const text = 'Où étés âgés, élèves zélés';
    write({ 'a.txt': Buffer.from(text, 'latin1'), 'b.bin': Buffer.from([0xe9, 0, 0xe9]) });
    const { reading, texts } = createReading({ encoding: 'latin1' });
    const found = await findInputs({ paths: ['.'], cwd, signal: reading.signal });
    expect((await readInputs(found, reading)).skipped).toEqual([{ name: 'b.bin', reason: 'binary' }]);
    expect(texts()).toEqual([['a.txt', text]]);
  });

  it('of every length around the internal buffer are read completely', async () => {
    const sizes = [1, 514, 515, 516, 65_535, 65_536, 65_537, 200_000];
    write(Object.fromEntries(sizes.map((size) => [`${size}.txt`, Buffer.alloc(size, 'ab\n')])));
    for (const size of sizes) {
      const { documents } = await readPaths([`${size}.txt`]);
      expect(Buffer.from(documents[0]!.bytes).equals(Buffer.alloc(size, 'ab\n'))).toBe(true);
    }
  });

  it.skipIf(process.platform !== 'linux')('whose size the system does not report are read completely', async () => {
    const { documents } = await readPaths(['/proc/self/status']);
    expect(Buffer.from(documents[0]!.bytes).toString()).toMatch(/^Name:.*\n[\s\S]*\n$/);
  });
});

describe('folders', () => {
  it('are read completely, sorted', async () => {
    write({ 'b/z.md': 'z', 'b/a/y.md': 'y', 'a.md': 'a', 'c.md': 'c' });
    expect(await names('.')).toEqual(['a.md', 'b/a/y.md', 'b/z.md', 'c.md']);
    expect(await names('b')).toEqual(['b/a/y.md', 'b/z.md']);
  });

  it('leave out hidden files and folders, which can be named', async () => {
    write({ '.env': 'x', '.github/ci.yml': 'x', '.git/config': 'x', 'a.md': 'a' });
    expect(await names('.')).toEqual(['a.md']);
    expect(await names('.env', '.github')).toEqual(['.env', '.github/ci.yml']);
  });

  it('leave out files that commonly hold secrets, unless they are named', async () => {
    write({ 'd/a.md': 'a', 'd/id_rsa': 'k', 'd/id_rsa.pub': 'p', 'd/keys/Server.PEM': 'k', 'd/credentials': 'k' });
    const { documents, skipped } = await readPaths(['d']);
    expect(documents.map(({ name }) => name)).toEqual(['d/a.md', 'd/id_rsa.pub']);
    const secret = ['d/credentials', 'd/id_rsa', 'd/keys/Server.PEM'];
    expect(skipped).toMatchObject(secret.map((name) => ({ name, reason: 'likely secret' })));
    expect(await names('d/id_rsa')).toEqual(['d/id_rsa']);
  });

  it('leave out links and special files, and count them', async () => {
    write({ 'a.md': 'a', 'd/b.md': 'b' });
    symlinkSync('../a.md', join(cwd, 'd/link.md'));
    symlinkSync('..', join(cwd, 'd/loop'));
    execFileSync('mkfifo', [join(cwd, 'd/fifo')]);
    const { documents, skipped } = await readPaths(['d']);
    expect(documents.map(({ name }) => name)).toEqual(['d/b.md']);
    expect(skipped).toEqual([
      { name: 'd/fifo', reason: 'special' },
      { name: 'd/link.md', reason: 'symlink' },
      { name: 'd/loop', reason: 'symlink' },
    ]);
    expect(await names('d/link.md')).toEqual(['d/link.md']);
  });

  it('with nothing to read give nothing, and say why', async () => {
    write({ 'd/.hidden': 'x', 'd/x.log': 'x', 'd/.gitignore': '*.log' });
    const { documents, warnings } = await readPaths(['d']);
    expect(documents).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/nothing in 'd' was read: .*ignored \(1\b.*hidden \(2\)/)]);
    mkdirSync(join(cwd, 'empty'));
    expect(await readPaths(['empty'])).toEqual({ documents: [], skipped: [], warnings: [] });
  });
});

describe('ignore files', () => {
  it('apply to their folder and those below; deeper ones and later lines win', async () => {
    write({
      '.gitignore': '*.log\n!keep.log\n/only-here.md\nbuild/\n',
      'a.log': 'x',
      'keep.log': 'x',
      'only-here.md': 'x',
      'build/x.md': 'x',
      'sub/only-here.md': 'x',
      'sub/b.log': 'x',
      'sub/.gitignore': '!b.log\n!build/\nc/d.md\n',
      'sub/c/d.md': 'x',
      'sub/e/c/d.md': 'x',
      'sub/build/y.md': 'x',
    });
    expect(await names('.')).toEqual(['keep.log', 'sub/b.log', 'sub/build/y.md', 'sub/e/c/d.md', 'sub/only-here.md']);
  });

  it('cannot include the content of an ignored folder', async () => {
    write({ '.gitignore': 'out/\n!out/a.md\n', 'out/a.md': 'x', 'b.md': 'x' });
    expect(await names('.')).toEqual(['b.md']);
  });

  it('agree with git', async () => {
    write({
      '.gitignore':
        'foo/**\n!foo/bar\n**/tmp\na?c\n[x-z]1\n\\#hash\n\\!bang\ntrailing \nmore  \nend\\  \nw\\ s\nCase\n',
      'we ird [d]/.gitignore': '/top\nmid/dle\n*.x\n!keep.x\n',
      ...Object.fromEntries(
        'foo/bar foo/q foo/d/e tmp/a d/tmp/b abc d/abc abbc x1 w1 #hash !bang trailing|more|w s|case Case z/Case'
          .split(/[ |](?!s\|)/)
          .map((name) => [name, 'x']),
      ),
      'end ': 'x',
      'we ird [d]/top': 'x',
      'we ird [d]/s/top': 'x',
      'we ird [d]/mid/dle': 'x',
      'we ird [d]/s/mid/dle': 'x',
      'we ird [d]/s/a.x': 'x',
      'we ird [d]/s/keep.x': 'x',
    });
    execFileSync('git', ['init', '-q'], { cwd });
    const listed = execFileSync('git', ['ls-files', '-z', '-o', '--exclude-standard'], { cwd, encoding: 'utf8' });
    const visible = listed.split('\0').filter((name) => name !== '' && !name.includes('.gitignore'));
    expect((await names('.')).sort()).toEqual(visible.sort());
  });

  it('may have a long line of blanks', async () => {
    write({ '.gitignore': `${' '.repeat(200_000)}x\n*.log\n`, 'a.log': 'x', 'b.md': 'x' });
    expect(await names('.')).toEqual(['b.md']);
  });

  it('of .rlmignore win over .gitignore in the same folder', async () => {
    write({ '.gitignore': 'a.md\n', '.rlmignore': '!a.md\nb.md\n', 'a.md': 'x', 'b.md': 'x' });
    expect(await names('.')).toEqual(['a.md']);
  });

  it('of parent folders apply up to the git root, and none above it', async () => {
    write({ '.gitignore': '*.md\n', 'repo/.gitignore': '*.log\n', 'repo/src/a.log': 'x', 'repo/src/b.md': 'x' });
    mkdirSync(join(cwd, 'repo/.git'));
    expect(await names('repo/src')).toEqual(['repo/src/b.md']);
  });

  it('of the current folder apply below it without git', async () => {
    write({ '.rlmignore': '*.log\n', 'src/a.log': 'x', 'src/b.md': 'x' });
    expect(await names('src')).toEqual(['src/b.md']);
  });

  it('do not prevent a user from naming a file, or a folder', async () => {
    write({ '.gitignore': 'dist/\n*.log\n', 'dist/a.md': 'x', 'dist/b.log': 'x', 'dist/in/c.md': 'x' });
    expect(await names('dist/b.log')).toEqual(['dist/b.log']);
    expect(await names('dist')).toEqual(['dist/a.md', 'dist/in/c.md']);
    expect(await names('dist/in')).toEqual(['dist/in/c.md']);
  });
});

describe('globs', () => {
  beforeEach(() => {
    write({ 'docs/a.md': 'a', 'docs/in/b.md': 'b', 'docs/c.txt': 'c', 'docs/.d.md': 'd', 'e.md': 'e' });
  });

  it.each([
    ['docs/**/*.md', ['docs/a.md', 'docs/in/b.md']],
    ['docs/*', ['docs/a.md', 'docs/c.txt']],
    ['./*.md', ['e.md']],
    ['{docs,src}/*.{md,txt}', ['docs/a.md', 'docs/c.txt']],
    ['docs/{a,in/b}.md', ['docs/a.md', 'docs/in/b.md']],
    ['docs/[!a]*', ['docs/c.txt']],
    ['**', ['docs/a.md', 'docs/c.txt', 'docs/in/b.md', 'e.md']],
    ['docs/.*.md', ['docs/.d.md']],
    ['**/[ab].md', ['docs/a.md', 'docs/in/b.md']],
  ])('%s', async (glob, expected) => {
    expect(await names(glob)).toEqual(expected);
  });

  it('outside the current folder keep their form', async () => {
    const { documents } = await readPaths(['../docs/*.md'], { from: join(cwd, 'docs') });
    expect(documents.map(({ name }) => name)).toEqual(['a.md']);
    const outside = await readPaths(['../*.md'], { from: join(cwd, 'docs') });
    expect(outside.documents.map(({ name }) => name)).toEqual(['../e.md']);
  });

  it('honour ignore files', async () => {
    write({ '.gitignore': 'a.md\n' });
    expect(await names('docs/**/*.md')).toEqual(['docs/in/b.md']);
  });

  it('give precedence to a file with this exact name', async () => {
    write({ 'page[id].md': 'x', 'pagei.md': 'y' });
    expect(await names('page[id].md')).toEqual(['page[id].md']);
  });

  it('without a wildcard name the file that their backslashes spell', async () => {
    write({ '*.md': 'starred', 'a.md': 'a' });
    expect(await names('\\*.md')).toEqual(['*.md']);
    expect((await failure('\\?.md')).code).toBe('input-missing');
  });

  it.each(['docs/*.rst', 'nowhere/**/*.md'])('that match nothing are an error: %s', async (glob) => {
    const error = await failure(glob);
    expect([error.code, error.exitCode]).toEqual(['input-missing', 2]);
    expect(error.message).toContain(`'${glob}'`);
  });
});

describe('unreadable paths', () => {
  it('a path that does not exist is named, with the nearest existing one', async () => {
    write({ 'docs/setup.md': 'x' });
    const error = await failure('docs/setpu.md');
    expect([error.code, error.hint]).toEqual(['input-missing', "Did you mean 'docs/setup.md'?"]);
    expect(error.message).toContain("'docs/setpu.md'");
    expect((await failure('dosc/setup.md')).hint).toBe("Did you mean 'docs'?");
    expect((await failure('failing')).hint).toContain('quotes');
    expect((await failure('')).code).toBe('input-missing');
    expect((await failure('docs/setup.md/x')).code).toBe('input-missing');
  });

  it('a link to a missing target names the target', async () => {
    symlinkSync('gone.md', join(cwd, 'link.md'));
    expect((await failure('link.md')).message).toContain("'gone.md'");
  });

  it('a socket is an error that gives the reason', async () => {
    const server = createServer().listen(join(cwd, 'socket'));
    await once(server, 'listening');
    const error = await failure('socket');
    server.close();
    expect([error.code, error.message]).toEqual(['input-unreadable', expect.stringMatching(/'socket': E[A-Z]+/)]);
  });

  it('a named file or folder without permission is an error; inside a folder it is skipped', async () => {
    write({ 'd/secret.md': 'x', 'd/open.md': 'x', 'd/locked/x.md': 'x' });
    chmodSync(join(cwd, 'd/secret.md'), 0);
    chmodSync(join(cwd, 'd/locked'), 0);
    await asOrdinaryUser(async () => {
      expect((await failure('d/secret.md')).code).toBe('input-unreadable');
      expect((await failure('d/locked')).code).toBe('input-unreadable');
      expect((await failure('d/locked/x.md')).code).toBe('input-unreadable');
      const { documents, skipped } = await readPaths(['d']);
      expect(documents.map(({ name }) => name)).toEqual(['d/open.md']);
      expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
        ['d/locked', 'unreadable'],
        ['d/secret.md', 'unreadable'],
      ]);
      expect(skipped[0]?.detail).toContain('EACCES');
    });
    chmodSync(join(cwd, 'd/locked'), 0o755);
  });

  it('more than the limit is an error that names sizes and setting, in any form of input', async () => {
    write({ 'a.txt': 'x'.repeat(600), 'b.txt': 'x'.repeat(600), 'long.txt': 'x'.repeat(100_000) });
    await expect(readPaths(['.'], { maxBytes: 1000 })).rejects.toMatchObject({ code: 'input-too-large' });
    await expect(readPaths(['long.txt'], { maxBytes: 1000 })).rejects.toThrow(
      /100000 bytes.*inputs\.maxBytes.*1000 bytes/,
    );
    await expect(readPaths(['a.txt', 'b.txt'], { maxBytes: 1200 })).resolves.toMatchObject({ skipped: [] });
  });

  it('binary files do not count towards the limit', async () => {
    write({ 'a.bin': Buffer.alloc(5000), 'b.txt': 'x' });
    expect((await readPaths(['.'], { maxBytes: 10 })).documents).toHaveLength(1);
  });
});

describe('pipes', () => {
  it('that are named are read to their end, however slow they are', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const writer = spawn('sh', ['-c', '(sleep 0.2; echo one; sleep 0.2; echo two) > pipe'], { cwd });
    const { documents } = await readPaths(['pipe']);
    expect(documents.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([['pipe', 'one\ntwo\n']]);
    await once(writer, 'close');
  });

  it('without a writer are skipped after inputs.readTimeout, and idle writers are waited for', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    write({ 'a.md': 'a' });
    const { documents, skipped } = await readPaths(['pipe', 'a.md'], { readTimeoutMs: 50 });
    expect(documents.map(({ name }) => name)).toEqual(['a.md']);
    const detail = 'not done after 0.05 s (inputs.readTimeout)';
    expect(skipped).toEqual([{ name: 'pipe', reason: 'too slow to read', detail }]);
    const writer = spawn('sh', ['-c', 'exec 3<> pipe; echo ready; sleep 0.5; echo late >&3; exec 3>&-; sleep 1'], {
      cwd,
    });
    await once(writer.stdout!, 'data');
    const late = await readPaths(['pipe'], { readTimeoutMs: 50 });
    expect(late.documents.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['late\n']);
    writer.kill();
  });

  it('without a writer can be given up', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const signal = AbortSignal.timeout(100);
    await expect(readPaths(['pipe'], { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('are released when the run ends', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(readPaths(['pipe'], { signal: controller.signal })).rejects.toThrow('enough');
    const writer = spawn('sh', ['-c', 'exec yes > pipe'], { cwd });
    const opened = once(writer, 'close').then(() => 'opened');
    const waited = new Promise((resolve) => setTimeout(resolve, 300, 'nobody reads'));
    expect(await Promise.race([opened, waited])).toBe('nobody reads');
    writer.kill();
  });

  it.skipIf(process.platform !== 'linux')('without an end stop at the limit, and binary ones at once', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const endless = spawn('sh', ['-c', 'exec yes > pipe'], { cwd });
    await expect(readPaths(['pipe'], { maxBytes: 10_000 })).rejects.toMatchObject({ code: 'input-too-large' });
    await once(endless, 'close');
    expect((await readPaths(['/dev/zero', '/dev/null'])).skipped).toEqual([
      { name: '/dev/zero', reason: 'binary' },
      { name: '/dev/null', reason: 'empty' },
    ]);
  });
});

describe('readInputs', () => {
  it('stops when it is aborted', async () => {
    write({ 'a.md': 'a' });
    await expect(readPaths(['.'], { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  it('reports its progress', async () => {
    write({ 'a.md': 'aa', 'b.md': 'bb' });
    const seen: { files: number; bytes: number }[] = [];
    const onProgress = (progress: ReadingProgress) => {
      seen.push(progress);
      return undefined;
    };
    await readPaths(['.'], { onProgress });
    expect(seen.map(({ files }) => files)).toEqual([1, 2]);
    expect(seen.at(-1)?.bytes).toBe(4);
  });

  it('reads 3,000 files in 100 folders, each once', async () => {
    write(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`d${i % 100}/f${i}.txt`, `file ${i}`])));
    const { documents } = await readPaths(['.', 'd1', 'd2/f2.txt']);
    expect(new Set(documents.map(({ name }) => name)).size).toBe(3000);
    expect(documents).toHaveLength(3000);
  });

  it('gives nothing for no paths', async () => {
    expect(await readPaths([])).toEqual({ documents: [], skipped: [], warnings: [] });
  });
});

/** If the tests run as root, which no permission stops, runs with the rights of `nobody`. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
