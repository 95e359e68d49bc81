import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ask as askLibrary } from '../../src/index.ts';
import { openIndex } from '../../src/indexes/open-index.ts';
import { createFolder, type RunOptions, resultOf, rlm, startRlm } from './run-rlm.ts';

const texts = {
  'docs/pool.md': 'The connection pool\n\nThe pool holds forty connections.\n',
  'docs/cache.md': 'The cache\n\nThe cache holds nine thousand replies.\n',
};

/** Creates a project with a separate state folder. */
function setUp(files: Readonly<Record<string, string>> = texts) {
  const cwd = createFolder(files);
  const home = createFolder();
  const env = { RLM_HOME: home, RLM_PROVIDER: 'extractive' };
  const run = (args: readonly string[], options: RunOptions = {}) => rlm(args, { cwd, env, ...options });
  const ask = (...more: string[]) =>
    run(['ask', 'How many connections does the pool hold?', '--index', 'docs', '--json', ...more]);
  const folder = join(home, 'indexes', 'docs');
  const parts = () => readdirSync(folder).filter((name) => name.startsWith('part-'));
  return { cwd, home, env, run, ask, folder, parts, indexes: join(home, 'indexes') };
}

/** Creates a project that has the index `docs`. */
async function setUpIndexed() {
  const place = setUp();
  expect(await place.run(['index', 'add', 'docs', '--name', 'docs'])).toMatchObject({ code: 0 });
  return place;
}

describe.concurrent('rlm index', () => {
  it('adds, lists, answers, updates and removes', async () => {
    const { cwd, run, ask, indexes } = setUp();
    const added = await run(['index', 'add', 'docs', '--name', 'docs']);
    expect(added).toMatchObject({ code: 0, stdout: 'docs: 2 documents, 105 bytes (2 new)\n' });
    expect((await run(['index', 'list'])).stdout).toMatch(/^docs {2}2 documents {2}105 bytes {2}20.* docs \(in \//);
    expect(JSON.parse((await run(['index', 'list', '--json'])).stdout)).toMatchObject([
      { name: 'docs', documents: 2, bytes: 105, paths: ['docs'], damage: null },
    ]);
    const { answer, citations } = resultOf(await ask());
    expect(answer).toContain('forty connections');
    expect(citations[0]?.source).toBe('docs/pool.md');
    writeFileSync(join(cwd, 'docs/pool.md'), 'The connection pool\n\nThe pool holds fifty connections.\n');
    const updated = await run(['index', 'update', '--json']);
    expect(JSON.parse(updated.stdout)).toMatchObject({
      name: 'docs',
      files: { added: 0, changed: 1, removed: 0, kept: 1 },
    });
    expect(resultOf(await ask()).answer).toContain('fifty connections');
    expect(await run(['index', 'rm', 'docs'])).toMatchObject({ code: 0, stderr: 'rlm: removed docs\n' });
    expect(readdirSync(indexes)).toEqual([]);
    expect(resultOf(await ask()).error).toMatchObject({ code: 'index-missing' });
  });

  it('does not drop the content of a missing or empty folder without --force', async () => {
    const { cwd, run, ask } = await setUpIndexed();
    writeFileSync(join(cwd, 'notes.md'), 'Notes on the pool.\n');
    expect(await run(['index', 'add', '.', '--name', 'other'])).toMatchObject({ code: 0 });
    rmSync(join(cwd, 'docs'), { recursive: true });
    for (const leave of [() => {}, () => mkdirSync(join(cwd, 'docs'))]) {
      leave();
      writeFileSync(join(cwd, 'notes.md'), 'Other notes on the pool.\n');
      const { code, stdout, stderr } = await run(['index', 'update', 'docs', 'other']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/"docs" would lose 2 of its 2 .*left of docs \(in /);
      expect(stderr).toContain('"other" would lose 2 of its 3 ');
      expect(stderr).toContain('rlm index update --name docs --force');
      expect(resultOf(await ask()).answer).toContain('forty connections');
    }
    const forced = await run(['index', 'update', '--name', 'docs', '--force']);
    expect(forced).toMatchObject({ code: 0, stdout: 'docs: 0 documents, 0 bytes (2 removed)\n' });
    const { code, stderr } = await run(['ask', 'q', '--index', 'docs']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/"docs" holds no documents\n.*index add PATHS… --name docs/);
  });

  it('answers without the files, in the same way as with them', async () => {
    const { cwd, run, ask } = await setUpIndexed();
    const question = ['ask', 'How many connections does the pool hold?', '--json'];
    const { answer, citations } = resultOf(await run([...question, 'docs']));
    rmSync(join(cwd, 'docs'), { recursive: true });
    expect(resultOf(await ask())).toMatchObject({ answer, citations });
  });

  it('answers the library', async () => {
    const { env, cwd } = await setUpIndexed();
    const { answer } = await askLibrary('How many connections does the pool hold?', { index: 'docs', env, cwd });
    expect(answer).toContain('forty connections');
  });

  it('can be searched and described', async () => {
    const { run } = await setUpIndexed();
    expect((await run(['search', 'forty', '--index', 'docs'])).stdout).toContain('docs/pool.md');
    expect((await run(['describe', '--index', 'docs'])).stdout).toContain('docs/cache.md');
  });

  it('refuses other text, except an empty pipe, and reads no pipe that is not named', async () => {
    const { run, ask } = await setUpIndexed();
    const usage = { code: 'usage', hint: expect.stringContaining('rlm index add') };
    expect(resultOf(await ask('docs/pool.md')).error).toMatchObject(usage);
    const question = ['ask', 'How many connections?', '--index', 'docs', '--json'];
    expect(resultOf(await run([...question, '-'], { stdin: 'more text' })).error).toMatchObject(usage);
    expect(resultOf(await run([...question, '-'], { stdin: '' })).status).toBe('answered');
    expect(resultOf(await run(question, { stdin: 'more text' })).status).toBe('answered');
  });

  it.each([
    [['index', 'add', 'docs'], 'an index needs a name'],
    [['index', 'add', '--name', 'docs'], 'rlm index add needs paths'],
    [['index', 'add', 'docs', '--name', '../docs'], '"../docs" cannot be the name of an index'],
    [['index', 'list', 'docs'], 'rlm index list does not take "docs"'],
    [['index', 'rm', '--all', 'docs'], 'rlm index rm does not take --all'],
    [['index', 'update', '--name', 'doc'], 'there is no index "doc"'],
    [['index', 'vacuum'], 'rlm index has no action "vacuum"'],
  ])('says what is wrong with rlm %j', async (args, message) => {
    const { run } = setUp();
    const { code, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('resumes a run on an index, and refuses if the index has changed', async () => {
    const { cwd, run, ask } = await setUpIndexed();
    const { runId, answer } = resultOf(await ask());
    const resumed = ['resume', runId!, '--json', '--max-calls', '9'];
    const again = resultOf(await run(resumed));
    expect(again).toMatchObject({ answer, usage: { replayedCalls: 3 } });
    appendFileSync(join(cwd, 'docs/pool.md'), 'And no more.\n');
    await run(['index', 'update']);
    expect(resultOf(await run(resumed)).error).toMatchObject({
      code: 'run-changed',
      message: expect.stringContaining('docs/pool.md has changed'),
    });
  });

  it('is not replaced by an output', async () => {
    const { ask, folder, parts } = await setUpIndexed();
    for (const name of ['manifest.json', parts()[0]!]) {
      const before = readFileSync(join(folder, name));
      expect(await ask('-o', join(folder, name))).toMatchObject({ code: 2 });
      expect(readFileSync(join(folder, name)).equals(before)).toBe(true);
    }
    expect(resultOf(await ask()).status).toBe('answered');
  });

  it('names a damaged index, and the command that repairs it', async () => {
    const { run, ask, folder, parts } = await setUpIndexed();
    truncateSync(join(folder, parts()[0]!), 5);
    const { code, stdout } = await ask();
    expect(code).toBe(2);
    expect(resultOf({ stdout }).error).toMatchObject({
      code: 'index-damaged',
      message: expect.stringContaining('"docs"'),
      hint: expect.stringContaining('rlm index update --name docs'),
    });
    expect(await run(['index', 'update', '--name', 'docs'])).toMatchObject({ code: 0 });
    expect(resultOf(await ask()).status).toBe('answered');
  });
});

const line = (file: number, round: number, at: number) =>
  `generation${round} of file ${file}, line ${at}, holds word${(file * 7919 + at * 104729) % 50_000} and more`;
const largeText = (file: number, round: number) =>
  Array.from({ length: 250 }, (_, at) => line(file, round, at)).join('\n');

/** Files that take some time to index. */
function writeLarge(cwd: string, round: number, files: readonly number[]): void {
  for (const file of files) writeFileSync(join(cwd, `f${file}.txt`), largeText(file, round));
}

/** Returns the generation that every file of the index states; null without an index. */
function generations(indexes: string): number[] | null {
  if (!existsSync(join(indexes, 'docs', 'manifest.json'))) return null;
  const { store, close } = openIndex(indexes, 'docs');
  const found = store.documents.map(({ bytes }, document) => {
    const text = Buffer.from(store.read(document, 0, bytes)).toString();
    const [, round, file] = /^generation(\d+) of file (\d+)/.exec(text) ?? [];
    expect(text).toBe(largeText(Number(file), Number(round)));
    return Number(round);
  });
  close();
  return found;
}

describe('a writer', () => {
  it('that is killed at any moment leaves either the old or the new index', async () => {
    const { cwd, run, env, indexes, folder } = setUp({});
    const files = Array.from({ length: 100 }, (_, file) => file);
    const partsNow = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('part-')) : []);
    let before: number[] | null = null;
    writeLarge(cwd, 0, files);
    for (let kill = 1; kill <= 9; kill++) {
      const isAdding = kill <= 3;
      if (!isAdding) writeLarge(cwd, kill, files.slice(0, 50));
      const args = isAdding ? ['index', 'add', '.', '--name', 'docs'] : ['index', 'update'];
      const known = partsNow().length;
      const writer = startRlm(args, { cwd, env });
      let isOver = false;
      void writer.done.then(() => {
        isOver = true;
      });
      // Kills every third process while it reads, the others while they write.
      while (kill % 3 > 0 && !isOver && partsNow().length <= known) await sleep(1);
      await sleep(Math.random() * 100);
      writer.kill('SIGKILL');
      await writer.done;
      const after = generations(indexes);
      const become = isAdding ? files.map(() => 0) : null;
      const isAsBefore = JSON.stringify(after) === JSON.stringify(before);
      const isAsWanted = isAdding
        ? JSON.stringify(after) === JSON.stringify(become)
        : after?.filter((round) => round === kill).length === 50 && after.length === files.length;
      expect({ kill, isOneOfBoth: isAsBefore || isAsWanted }).toEqual({ kill, isOneOfBoth: true });
      if (after === null && kill === 3)
        expect(await run(['index', 'add', '.', '--name', 'docs'])).toMatchObject({ code: 0 });
      before = generations(indexes);
    }
    expect(await run(['index', 'update'])).toMatchObject({ code: 0 });
    expect(generations(indexes)?.filter((round) => round === 9)).toHaveLength(50);
    const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
    expect(partsNow().every((part) => manifest.includes(part))).toBe(true);
  }, 120_000);

  it('that Ctrl-C ends is reported, and leaves the index unchanged', async () => {
    const { cwd, env, indexes, parts } = await setUpIndexed();
    writeLarge(
      cwd,
      0,
      Array.from({ length: 300 }, (_, file) => file),
    );
    const before = parts();
    const writer = startRlm(['index', 'add', '.', '--name', 'docs'], { cwd, env });
    while (parts().length === before.length) await sleep(1);
    writer.kill('SIGINT');
    const { code, stderr } = await writer.done;
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('The index is unchanged.') });
    expect(parts()).toEqual(before);
    const opened = openIndex(indexes, 'docs');
    expect(opened.store.documents).toHaveLength(2);
    opened.close();
  });

  it('blocks a second writer, and no reader', async () => {
    const { cwd, env, run, ask, parts } = await setUpIndexed();
    writeLarge(
      join(cwd, 'docs'),
      0,
      Array.from({ length: 300 }, (_, file) => file),
    );
    const before = parts().length;
    const writer = startRlm(['index', 'update'], { cwd, env });
    while (parts().length === before) await sleep(1);
    writer.kill('SIGSTOP');
    const [second, ...answers] = await Promise.all([run(['index', 'update']), ask(), ask()]);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('is writing the index "docs"') });
    for (const answer of answers) expect(resultOf(answer).answer).toContain('forty connections');
    writer.kill('SIGCONT');
    expect(await writer.done).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(['index', 'list', '--json'])).stdout)).toMatchObject([{ documents: 302 }]);
  });
});
