import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { counted } from '../../src/base/text.ts';
import { answer, goodText, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, rlmAlone } from './run-rlm.ts';

/** Creates a project, a home, and a server. */
async function setUp(options: Parameters<typeof startServer>[1] = {}) {
  const server = await startServer({}, options);
  const cwd = createFolder({ 'a.md': goodText });
  const home = createFolder();
  const env = { HOME: home, ...server.env };
  const ask = (...flags: string[]) =>
    rlm(['ask', 'Why did it fail?', 'a.md', '--json', '--cache', ...flags], { cwd, env });
  return { server, cwd, env, folder: join(home, '.cache', 'rlm'), ask };
}

const statsOf = async (env: Record<string, string>) =>
  JSON.parse((await rlm(['cache', 'stats', '--json'], { env })).stdout);

describe.concurrent('the cache', () => {
  it('answers an earlier question in another process', async () => {
    const { server, ask } = await setUp();
    const first = resultOf(await ask());
    const asked = server.requests.length;
    const second = await ask();
    expect(asked).toBe(3);
    expect(server.requests).toHaveLength(asked);
    expect(second.stderr).toContain('0 calls · 3 reused');
    const { answer, usage, recursionTree, status } = resultOf(second);
    expect({ answer, status }).toEqual({ answer: first.answer, status: 'answered' });
    expect(usage).toMatchObject({ calls: 0, cacheHits: 3, tokens: { input: 0, output: 0 } });
    expect(recursionTree).toMatchObject({ calls: 0, cacheHits: 1 });
  });

  it('is reported by events', async () => {
    const { cwd, env, ask } = await setUp();
    await ask();
    const again = ['ask', 'Why did it fail?', 'a.md', '--format', 'ndjson'];
    const { events } = eventsOf(await rlm(again, { cwd, env: { ...env, RLM_CACHE_ENABLED: '1' } }));
    expect(events.filter(({ type }) => type === 'call.reused')).toMatchObject([
      { path: 'planner', prompt: 'planner', from: 'cache' },
      { path: '0', prompt: 'answer', from: 'cache' },
      { path: 'critic', prompt: 'critic', from: 'cache' },
    ]);
    expect(events.filter(({ type }) => type.startsWith('call.'))).toHaveLength(3);
  });

  it('is used only on request', async () => {
    const { server, cwd, env, folder } = await setUp();
    for (const _ of [1, 2]) await rlm(['ask', 'Why did it fail?', 'a.md', '--json'], { cwd, env });
    expect(server.requests).toHaveLength(6);
    expect(() => statSync(folder)).toThrow('ENOENT');
  });

  it.each<[string, (cwd: string) => string[]]>([
    ['another seed', () => ['--seed', '3']],
    [
      'another temperature',
      (cwd) => {
        const temperatures = { planner: 0.1, answer: 0.1, critic: 0.1 };
        writeFileSync(join(cwd, 'rlm.config.json'), JSON.stringify({ temperatures }));
        return [];
      },
    ],
    [
      'another text',
      (cwd) => {
        writeFileSync(join(cwd, 'a.md'), `${goodText}Nothing else.\n`);
        return [];
      },
    ],
  ])('is not used after a change: %s', async (_, change) => {
    const { server, cwd, ask } = await setUp();
    await ask();
    const flags = change(cwd);
    expect(resultOf(await ask(...flags)).usage).toMatchObject({ calls: 3, cacheHits: 0 });
    expect(server.requests).toHaveLength(6);
  });

  it('is not used if the words of a prompt have changed', async () => {
    const { cwd, ask } = await setUp();
    await ask();
    mkdirSync(join(cwd, 'words'));
    const shipped = readFileSync('prompts/answer.md', 'utf8');
    const own = shipped.replace('## System', '## System\n\nBe brief.');
    writeFileSync(join(cwd, 'words', 'answer.md'), own);
    const run = await ask('--prompts', 'words');
    expect(resultOf(run).usage).toMatchObject({ calls: 1, cacheHits: 2 });
  });

  it('is not used if the question or the model differs', async () => {
    const { server, cwd, env, ask } = await setUp({ models: ['qwen2.5-coder:14b', 'llama3.2:3b'] });
    await ask();
    const { usage } = resultOf(await ask('--model', 'llama3.2:3b'));
    expect(usage).toMatchObject({ calls: 3, cacheHits: 0 });
    await rlm(['ask', 'When did it fail?', 'a.md', '--json', '--cache'], { cwd, env });
    expect(server.requests).toHaveLength(9);
  });

  it('is written by several processes concurrently, within its size', async () => {
    const { cwd, env, folder } = await setUp();
    writeFileSync(join(cwd, 'rlm.config.json'), JSON.stringify({ cache: { maxBytes: 6_000 } }));
    const ask = (number: number) =>
      rlmAlone(['ask', `Why did part ${number % 4} fail?`, 'a.md', '--json', '--cache'], { cwd, env });
    const runs = await Promise.all([0, 1, 2, 3].map(ask));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    for (const run of runs) expect(resultOf(run).warnings).toEqual([]);
    const { entries, bytes } = await statsOf(env);
    expect(entries).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(6_000);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('leads to one warning if it cannot be written, and the answer arrives', async () => {
    const { env, cwd } = await setUp();
    const home = createFolder({ '.cache': 'a file' });
    const run = await rlm(['ask', 'Why did it fail?', 'a.md', '--json', '--cache'], {
      cwd,
      env: { ...env, HOME: home },
    });
    expect(run.code, run.stderr).toBe(0);
    expect(resultOf(run)).toMatchObject({
      status: 'answered',
      warningCodes: ['not-kept'],
      warnings: [expect.stringContaining(join(home, '.cache', 'rlm'))],
    });
  });

  it('serves no reply that was changed on the disk: it asks again, and stores the new one', async () => {
    const { server, folder, ask } = await setUp();
    const first = resultOf(await ask());
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^..\/.*json$/.test(name),
    );
    const paths = entries.map((name) => join(folder, name));
    const changed = paths.filter((path) => readFileSync(path, 'utf8').includes('from 40 to 4'));
    for (const path of changed)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('from 40 to 4', 'from 40 to 9'));
    expect(changed.length).toBeGreaterThan(0);
    const second = resultOf(await ask());
    expect(second.answer).toBe(first.answer);
    expect(second.usage).toMatchObject({ calls: changed.length, cacheHits: 3 - changed.length });
    expect(resultOf(await ask()).usage).toMatchObject({ calls: 0, cacheHits: 3 });
    expect(server.requests).toHaveLength(3 + changed.length);
  });

  it('does not keep a reply that could not be read', async () => {
    const server = await startServer({ answer: (_, index) => (index === 0 ? '' : answer('It was 20.')) });
    const cwd = createFolder({ 'a.md': goodText });
    const env = { HOME: createFolder(), ...server.env };
    const ask = () => rlm(['ask', 'Why did it fail?', 'a.md', '--json', '--cache'], { cwd, env });
    expect(resultOf(await ask()).usage.calls).toBe(4);
    expect(resultOf(await ask()).usage).toMatchObject({ calls: 1, cacheHits: 2 });
  });
});

describe.concurrent('rlm cache', () => {
  it('shows the content of the cache', async () => {
    const { env, folder, ask } = await setUp();
    const none = { entries: 0, bytes: 0, oldestUse: null, newestUse: null };
    const empty = {
      folder,
      ...none,
      maxBytes: 268_435_456,
      vectors: { bytes: 0, maxBytes: 1_073_741_824 },
      compiled: { bytes: 0 },
    };
    expect(await statsOf(env)).toEqual(empty);
    await ask();
    const found = await statsOf(env);
    expect(found).toMatchObject({ folder, entries: 3, maxBytes: 268_435_456 });
    expect(found.bytes).toBeGreaterThan(600);
    expect(Date.parse(found.oldestUse)).toBeLessThanOrEqual(Date.parse(found.newestUse));
    const { stdout, stderr, code } = await rlm(['cache', 'stats'], { env });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toContain(`Folder:   ${folder}\n`);
    expect(stdout).toMatch(/^Replies: {2}3 entries, [\d,]+ bytes of at most 268 MB \(cache\.maxBytes\)$/m);
    expect(stdout).toContain('Vectors:  0 bytes of at most 1.1 GB (embedding.maxCacheBytes)\n');
    expect(stdout).toContain(found.newestUse);
  });

  it('clears it, and says how much was removed', async () => {
    const { env, server, ask } = await setUp();
    await ask();
    const { bytes } = await statsOf(env);
    const { stdout, code } = await rlm(['cache', 'clear'], { env });
    expect(code).toBe(0);
    expect(stdout).toContain(`Removed 3 entries, ${counted(bytes, 'byte')}, from `);
    expect(await statsOf(env)).toMatchObject({ entries: 0, bytes: 0 });
    expect(JSON.parse((await rlm(['cache', 'clear', '--json'], { env })).stdout)).toMatchObject({
      removed: { entries: 0, bytes: 0 },
    });
    await ask();
    expect(server.requests).toHaveLength(6);
  });

  it('is in the folder that RLM_HOME or XDG_CACHE_HOME names', async () => {
    const [state, xdg] = [createFolder(), createFolder()];
    expect((await statsOf({ RLM_HOME: state })).folder).toBe(join(state, 'cache'));
    expect((await statsOf({ XDG_CACHE_HOME: xdg })).folder).toBe(join(xdg, 'rlm'));
  });

  it('refuses other actions', async () => {
    const { code, stderr, stdout } = await rlm(['cache', 'prune']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('rlm cache has no action "prune"');
    expect(stderr).toContain('stats');
  });
});
