import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/indexes/open-index.ts';
import { connect } from './mcp-client.ts';
import { createFolder, type RunOptions, resultOf, rlm, startRlm } from './run-rlm.ts';

const files = { 'docs/a.md': 'The pump holds ten liters.\n', 'docs/sub/b.md': 'The valve is blue.\n' };

/** Creates a project with the index `docs` of its folder `docs`. */
async function setUp(more: Readonly<Record<string, string>> = {}) {
  const cwd = createFolder({ ...files, ...more });
  const home = createFolder();
  const env = { RLM_HOME: home, RLM_PROVIDER: 'extractive' };
  const run = (...args: string[]) => rlm(args, { cwd, env });
  const path = (name: string) => join(cwd, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  expect(await run('index', 'add', 'docs', '--name', 'docs')).toMatchObject({ code: 0 });
  /** Returns the names and texts of the index, as another process sees them. */
  const content = () => {
    const { store, close } = openIndex(join(home, 'indexes'), 'docs');
    const texts = store.documents.map(({ name, bytes }, document) => [name, store.read(document, 0, bytes).toString()]);
    close();
    return Object.fromEntries(texts) as Record<string, string>;
  };
  return { cwd, home, env, run, path, write, content };
}

type Place = Awaited<ReturnType<typeof setUp>>;

interface Batch {
  readonly files: { readonly added: number; readonly changed: number; readonly removed: number; readonly kept: number };
  readonly missing: number;
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** Starts a watcher of the index `docs`, and waits for its first update. */
async function watch({ cwd, env }: Pick<Place, 'cwd' | 'env'>, args: readonly string[] = [], options: RunOptions = {}) {
  const shown: Batch[] = [];
  let rest = '';
  let heard = () => {};
  const running = startRlm(['index', 'watch', 'docs', '--json', ...args], {
    cwd,
    ...options,
    env: { ...env, ...options.env },
    reader: (stdout, keep) =>
      stdout.on('data', (chunk: Buffer) => {
        keep(chunk);
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        shown.push(...lines.map((line) => JSON.parse(line) as Batch));
        heard();
      }),
  });
  /** Resolves when the batches since the last call pass the test. Rejects if the watcher ends. */
  async function until(isDone: (batches: readonly Batch[]) => boolean): Promise<readonly Batch[]> {
    const ended = running.done.then(({ stderr }) => Promise.reject(new Error(stderr)));
    while (!isDone(shown)) {
      await Promise.race([
        ended,
        new Promise<void>((resolve) => {
          heard = resolve;
        }),
      ]);
    }
    return shown.splice(0);
  }
  const [first] = await until((batches) => batches.length > 0);
  const next = async () => (await until((batches) => batches.length > 0)).at(-1)!;
  const end = async (signal: NodeJS.Signals = 'SIGINT') => {
    running.kill(signal);
    return running.done;
  };
  return { ...running, first: first!, until, next, end };
}

const total = (batches: readonly Batch[], what: keyof Batch['files']): number =>
  batches.reduce((sum, { files: counts }) => sum + counts[what], 0);

describe.concurrent('rlm index watch', () => {
  it('adds new, changed, moved and removed files, and reads no others', async () => {
    const place = await setUp();
    const { write, path, content } = place;
    write('docs/a.md', 'The pump holds twenty liters.\n');
    const watcher = await watch(place);
    expect(watcher.first.files).toEqual({ added: 0, changed: 1, removed: 0, kept: 1 });
    chmodSync(path('docs/sub/b.md'), 0o600);
    write('docs/a.md', 'The pump holds half');
    expect((await watcher.next()).files).toEqual({ added: 0, changed: 1, removed: 0, kept: 1 });
    writeFileSync(path('docs/a.md'), ' a liter.\n', { flag: 'a' });
    await watcher.until(() => content()['docs/a.md'] === 'The pump holds half a liter.\n');
    renameSync(path('docs/sub'), path('docs/moved'));
    expect((await watcher.next()).files).toEqual({ added: 1, changed: 0, removed: 1, kept: 1 });
    mkdirSync(path('docs/x/y/z'), { recursive: true });
    write('docs/x/y/z/deep.md', 'Deep.\n');
    expect((await watcher.next()).files).toEqual({ added: 1, changed: 0, removed: 0, kept: 2 });
    write('docs/x/y/z/deep.md', 'Deeper.\n');
    write('docs/moved/b.md', 'The valve is red.\n');
    await watcher.until((batches) => total(batches, 'changed') === 2);
    rmSync(path('docs/x'), { recursive: true });
    expect((await watcher.next()).files).toEqual({ added: 0, changed: 0, removed: 1, kept: 2 });
    expect(content()).toEqual({
      'docs/a.md': 'The pump holds half a liter.\n',
      'docs/moved/b.md': 'The valve is red.\n',
    });
    const { code, stderr } = await watcher.end();
    expect(code).toBe(130);
    expect(stderr).toMatch(/^rlm: docs: 2 documents, .* \(1 removed, 2 unchanged\)$/m);
  });

  it('has the walls of rlm index update: ignore files, including those above, hidden files and links', async () => {
    const place = await setUp({ '.git/HEAD': 'x', 'outside/secret.md': 'The code is 1234.\n' });
    const { write, path, content, run } = place;
    const watcher = await watch(place);
    symlinkSync(path('outside'), path('docs/link'));
    symlinkSync(path('outside/secret.md'), path('docs/link.md'));
    write('docs/.hidden.md', 'Hidden.\n');
    write('docs/c.log', 'Logged.\n');
    write('docs/new.md', 'New.\n');
    await watcher.until((batches) => total(batches, 'added') === 2);
    write('.gitignore', '*.log\n');
    expect((await watcher.next()).files).toEqual({ added: 0, changed: 0, removed: 1, kept: 3 });
    write('docs/sub/.rlmignore', 'b.md\n');
    expect((await watcher.next()).files).toEqual({ added: 0, changed: 0, removed: 1, kept: 2 });
    write('outside/secret.md', 'The code is 5678.\n');
    write('docs/c.log', 'Logged again.\n');
    write('docs/last.md', 'Last.\n');
    const last = await watcher.next();
    expect(last.files).toEqual({ added: 1, changed: 0, removed: 0, kept: 2 });
    expect(last.skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['docs/link', 'symlink'],
      ['docs/link.md', 'symlink'],
    ]);
    const watched = content();
    await watcher.end();
    expect(await run('index', 'update', 'docs', '--all')).toMatchObject({ code: 0 });
    expect(content()).toEqual(watched);
    expect(Object.keys(watched)).toEqual(['docs/a.md', 'docs/last.md', 'docs/new.md']);
  });

  it('keeps the content of a folder that vanishes, and continues when the folder returns', async () => {
    const place = await setUp();
    const { path, write, content } = place;
    const watcher = await watch(place);
    renameSync(path('docs'), path('gone'));
    await watcher.shows('stderr', 'would lose 2 of its 2 files');
    expect(Object.keys(content())).toEqual(['docs/a.md', 'docs/sub/b.md']);
    write('gone/a.md', 'Back again.\n');
    renameSync(path('gone'), path('docs'));
    await watcher.until((batches) => total(batches, 'changed') === 1);
    write('docs/sub/b.md', 'And watched.\n');
    await watcher.until((batches) => total(batches, 'changed') === 1);
    expect(content()).toEqual({ 'docs/a.md': 'Back again.\n', 'docs/sub/b.md': 'And watched.\n' });
    expect(await watcher.end('SIGTERM')).toMatchObject({ code: 143 });
  });

  it('keeps most files that vanish at once, adds new and changed ones, until the others return', async () => {
    const place = await setUp({ 'docs/x/c.md': 'C.\n', 'docs/x/d.md': 'D.\n', 'docs/x/e.md': 'E.\n' });
    const { path, write, content, run } = place;
    const watcher = await watch(place);
    renameSync(path('docs/x'), path('x'));
    expect(await watcher.next()).toMatchObject({ files: { removed: 0, kept: 5 }, missing: 3 });
    await watcher.shows('stderr', 'rlm index update --name docs --force');
    write('docs/a.md', 'Changed.\n');
    expect(await watcher.next()).toMatchObject({ files: { changed: 1, removed: 0, kept: 4 }, missing: 3 });
    for (const name of ['f', 'g', 'h', 'i', 'j']) write(`docs/${name}.md`, `New ${name}.\n`);
    await watcher.until((batches) => total(batches, 'added') === 5);
    rmSync(path('docs/j.md'));
    expect(await watcher.next()).toMatchObject({ files: { removed: 0, kept: 10 }, missing: 4 });
    expect(content()).toMatchObject({ 'docs/a.md': 'Changed.\n', 'docs/x/c.md': 'C.\n', 'docs/j.md': 'New j.\n' });
    write('docs/j.md', 'New j.\n');
    renameSync(path('x'), path('docs/x'));
    await watcher.until((batches) => batches.at(-1)?.missing === 0);
    rmSync(path('docs/x/c.md'));
    expect(await watcher.next()).toMatchObject({ files: { removed: 1, kept: 9 }, missing: 0 });
    rmSync(path('docs'), { recursive: true });
    await watcher.until((batches) => batches.at(-1)?.missing === 9);
    expect(await run('ask', 'What does the pump hold?', '--index', 'docs')).toMatchObject({ code: 0 });
    expect(await run('index', 'update', 'docs')).toMatchObject({ code: 2 });
    mkdirSync(path('docs'));
    write('docs/k.md', 'K.\n');
    await watcher.until((batches) => total(batches, 'added') === 1);
    expect(await run('index', 'update', 'docs', '--force')).toMatchObject({ code: 0 });
    write('docs/k.md', 'K changed.\n');
    expect(await watcher.next()).toMatchObject({ files: { changed: 1, removed: 0, kept: 0 }, missing: 0 });
    expect(content()).toEqual({ 'docs/k.md': 'K changed.\n' });
    await watcher.end();
  });

  it('does not claim to watch while it takes no changes', async () => {
    const place = await setUp({ 'rlm.config.json': '{"inputs": {"strict": true}}' });
    const { path, write, run } = place;
    const asked = async () => resultOf(await run('ask', 'What does the pump hold?', '--index', 'docs', '--json')).index;
    const watcher = await watch(place);
    writeFileSync(path('docs/picture.md'), Buffer.from([0, 1, 2, 255]));
    await watcher.shows('stderr', 'not all files can be read');
    expect(await asked()).toMatchObject({ isWatched: false });
    rmSync(path('docs/picture.md'));
    write('docs/a.md', 'Changed.\n');
    await watcher.next();
    expect(await asked()).toMatchObject({ isWatched: true });
    await watcher.end();
  });

  it('adds 5,000 new files, then handles their move and their removal', async () => {
    const place = await setUp();
    const { path, write } = place;
    const watcher = await watch(place);
    mkdirSync(path('docs/many'));
    for (let file = 0; file < 5_000; file++) write(`docs/many/${file}.md`, `Note ${file}.\n`);
    await watcher.until((batches) => total(batches, 'added') === 5_000);
    renameSync(path('docs/many'), path('docs/sub/many'));
    await watcher.until((batches) => total(batches, 'added') === 5_000 && total(batches, 'removed') === 5_000);
    for (let file = 0; file < 5_000; file++) if (file % 100 !== 0) rmSync(path(`docs/sub/many/${file}.md`));
    await watcher.shows('stderr', 'would lose 4,950 of its 5,002 files');
    await watcher.end();
    const { code, stdout } = await place.run('index', 'update', 'docs', '--force');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^docs: 52 documents, /) });
  });

  it('refuses a second watcher, waits for other writers, and lets others ask', async () => {
    const place = await setUp({ 'more.md': 'More about pumps.\n' });
    const { run, content, write } = place;
    const watcher = await watch(place);
    const { code, stderr } = await run('index', 'watch', 'docs');
    expect(code).toBe(2);
    expect(stderr).toContain('is watching the index "docs"');
    const ask = ['ask', 'What does the pump hold?', '--index', 'docs', '--json'];
    expect(resultOf(await run(...ask)).index).toMatchObject({ name: 'docs', isWatched: true });
    expect(await run('index', 'add', 'more.md', '--name', 'docs')).toMatchObject({ code: 0 });
    write('more.md', 'Less about pumps.\n');
    write('docs/a.md', 'Changed.\n');
    await watcher.until(() => content()['docs/a.md'] === 'Changed.\n');
    write('more.md', 'Nothing about pumps.\n');
    await watcher.until(() => content()['more.md'] === 'Nothing about pumps.\n');
    await watcher.end('SIGKILL');
    const { index } = resultOf(await run(...ask));
    expect(index).toMatchObject({ name: 'docs', isWatched: false });
    expect(Date.parse(index!.updatedAt)).toBeLessThanOrEqual(Date.now());
    const again = await watch(place);
    expect(again.first.files).toEqual({ added: 0, changed: 0, removed: 0, kept: 3 });
    expect(await run('index', 'rm', 'docs')).toMatchObject({ code: 0 });
    write('docs/a.md', 'Changed again.\n');
    expect(await again.done).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no index "docs"') });
  });

  it('checks all files from time to time, on request', async () => {
    const place = await setUp();
    const watcher = await watch(place, ['--poll', '1']);
    place.write('docs/a.md', 'Polled.\n');
    expect((await watcher.next()).files).toEqual({ added: 0, changed: 1, removed: 0, kept: 1 });
    await watcher.end();
    expect(await place.run('index', 'watch', 'docs', '--poll', '0')).toMatchObject({ code: 2 });
    expect(await place.run('index', 'watch', 'dogs')).toMatchObject({ code: 2 });
    expect(await place.run('index', 'watch')).toMatchObject({ code: 2 });
  });

  it('says what to do if the system does not allow more watched folders', async () => {
    const { cwd, env } = await setUp();
    const limit = createFolder({
      'limit.cjs': `const fs = require('node:fs');
const { watch } = fs;
let left = 1;
fs.watch = (...args) => {
  if (left-- > 0) return watch(...args);
  throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
};
require('node:module').syncBuiltinESMExports();
`,
    });
    const limited = { cwd, env: { ...env, NODE_OPTIONS: `--require ${join(limit, 'limit.cjs')}` } };
    const { code, stderr } = await startRlm(['index', 'watch', 'docs'], limited).done;
    expect(code).toBe(2);
    expect(stderr).toContain('sysctl fs.inotify.max_user_watches');
    expect(stderr).toContain('--poll');
  });
});

describe('rlm mcp --index', () => {
  it('answers from the index, and adds changes with --watch', async () => {
    const place = await setUp();
    const { cwd, env, write, run, content } = place;
    expect(await run('mcp', '--watch')).toMatchObject({ code: 2 });
    expect(await run('mcp', '--index', 'dogs')).toMatchObject({ code: 2 });
    const { call, close } = await connect({ args: ['--index', 'docs', '--watch'], cwd, env, isShared: true });
    expect((await call('rlm_search', { query: 'pump' })).text).toContain('ten liters');
    write('docs/new.md', 'The pump was replaced by a turbine.\n');
    while (content()['docs/new.md'] === undefined) await new Promise(setImmediate);
    expect((await call('rlm_search', { query: 'turbine' })).text).toContain('docs/new.md');
    expect((await call('rlm_ask', { question: 'What replaced the pump?' })).text).toContain('turbine');
    await close();
  });
});
