/** `--timeout` counts from the start of the process, whatever the program waits for. */
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Result } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../servers/local-server.ts';
import { goodText } from './replies.ts';
import { createFolder, type Finished, resultOf, rlm, shell } from './run-rlm.ts';

vi.setConfig({ testTimeout: 90_000 });

const question = 'How many connections has the pool?';

/** Growing limits in seconds, because a slow machine may not begin to read within the first. */
const limits = ['0.5', '6', '24'] as const;
type Ask = (limited: readonly string[]) => Promise<Finished>;

const servers: LocalServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Starts a server that sends this much every 100 ms for ever, or nothing. */
async function startSlowServer(line: string | null): Promise<string> {
  const server = await startLocalServer(async (_, response) => {
    if (line === null) return;
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write(line), 100);
    response.once('close', () => clearInterval(timer));
  });
  servers.push(server);
  return server.url;
}

/** Asks with growing limits until the error message shows the expected progress. */
async function expectOutOfTime(message: RegExp, ask: Ask): Promise<void> {
  const run = await withinLimits(message, ask);
  const result: Result = resultOf(run);
  expect([run.code, result.status, result.stopReason]).toEqual([6, 'partial', 'limit-time']);
  expect(result).toMatchObject({ answer: null, error: { hint: expect.stringContaining('--timeout') } });
  expect(result.error?.message).toMatch(message);
}

async function withinLimits(message: RegExp, ask: Ask): Promise<Finished> {
  const [first, ...others] = limits.map((limit) => ['--timeout', limit, '--provider', 'extractive', '--json']);
  let run = await ask(first!);
  for (const limited of others) if (!message.test(resultOf(run).error?.message ?? '')) run = await ask(limited);
  return run;
}

describe.concurrent('the time limit holds while the text is read', () => {
  it.each([
    ['notes.txt', []],
    ['page.html', []],
    ['lines.gz', []],
    ['notes.txt', ['other.md']],
  ])('from a FIFO, %s, without a writer, with %j', async (name, others) => {
    const cwd = createFolder({ 'other.md': goodText });
    execFileSync('mkfifo', [join(cwd, name)]);
    const message = new RegExp(`has used its [\\d.]+ s while it read '${name}' \\(no document was complete`);
    await expectOutOfTime(message, (limited) => rlm(['ask', question, name, ...others, ...limited], { cwd }));
  });

  it('from a FIFO after a file, and the error names the input', async () => {
    const cwd = createFolder({ 'other.md': goodText });
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const message = new RegExp(`while it read 'pipe' \\(1 document and ${goodText.length} bytes had arrived`);
    await expectOutOfTime(message, (limited) => rlm(['ask', question, 'other.md', 'pipe', ...limited], { cwd }));
  });

  it('from a silent pipe that stays open', async () => {
    const message = /while it read 'stdin' \(no document was complete by then\)/;
    await expectOutOfTime(message, (limited) => rlm(['ask', question, ...limited], { stdin: 'open' }));
  });

  it('from a pipe that never ends', async () => {
    const message = /while it read 'stdin' \([\d,]+ bytes had arrived by then\)/;
    await expectOutOfTime(message, (limited) => shell(`yes | rlm ask '${question}' ${limited.join(' ')}`));
  });

  it.each([
    ['is silent', null],
    ['drips', 'The pool has 4 connections.\n'],
  ])('from an address that %s', async (_, line) => {
    const url = await startSlowServer(line);
    const message = /while it read 'http:\/\/127\.0\.0\.1/;
    await expectOutOfTime(message, (limited) => rlm(['ask', question, url, '--allow-urls', ...limited]));
  });

  it('a file that grows for ever is read up to its size when it was opened', async () => {
    const cwd = createFolder({ 'build.log': goodText.repeat(40_000) });
    const growing = spawn('sh', ['-c', 'while :; do head -c 300000 /dev/zero >> build.log; done'], { cwd });
    try {
      const run = await rlm(['ask', question, 'build.log', '--timeout', '60', '--provider', 'extractive', '--json'], {
        cwd,
      });
      expect([run.code, resultOf(run).status]).toEqual([0, 'answered']);
    } finally {
      growing.kill('SIGKILL');
    }
  });

  it('a dry run also has it', async () => {
    const args = ['ask', question, '--dry-run', '--timeout', limits[0], '--provider', 'extractive', '--json'];
    const run = await rlm(args, { stdin: 'open' });
    expect(run.code).toBe(6);
    expect(resultOf(run).error?.code).toBe('limit-time');
  });
});

describe.concurrent('the time limit of commands that ask no model', () => {
  it.each([
    ['search', ['search', 'pool', 'notes.md', 'pipe']],
    ['describe', ['describe', 'notes.md', 'pipe']],
  ])('rlm %s ends with 6, and names what it waited for', async (_, args) => {
    const cwd = createFolder({ 'notes.md': goodText });
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const message = /has used its [\d.]+ s while it read '\S*pipe' \(1 document and \d+ bytes had arrived by then\)/;
    let run = await rlm([...args, '--timeout', limits[0]], { cwd });
    for (const limit of limits.slice(1))
      if (!message.test(run.stderr)) run = await rlm([...args, '--timeout', limit], { cwd });
    expect([run.code, run.stdout]).toEqual([6, '']);
    expect(run.stderr).toMatch(message);
    expect(run.stderr).toContain('--timeout');
  });

  it('rlm index leaves an index unchanged', async () => {
    const cwd = createFolder({ 'notes.md': goodText });
    const env = { RLM_HOME: createFolder() };
    const index = (...args: readonly string[]) => rlm(['index', ...args], { cwd, env });
    const late = ['--timeout', '0.001'];
    expect((await index('add', 'notes.md', '--name', 'n', ...late)).code).toBe(6);
    expect((await index('list')).stdout).toBe('');
    expect((await index('add', 'notes.md', '--name', 'n', '--timeout', '60')).code).toBe(0);
    writeFileSync(join(cwd, 'notes.md'), 'Other words.\n');
    const before = (await index('list')).stdout;
    expect((await index('update', ...late)).code).toBe(6);
    expect((await index('list')).stdout).toBe(before);
  });

  it('is enough for quick work', async () => {
    const cwd = createFolder({ 'notes.md': goodText });
    const found = await rlm(['search', 'pool', 'notes.md', '--timeout', '60'], { cwd });
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining('notes.md:1:')]);
  });

  it('is not a flag of commands that read nothing', async () => {
    expect((await rlm(['index', 'list', '--timeout', '3'])).code).toBe(2);
    expect((await rlm(['search', 'pool', '.', '--timeout', 'soon'])).code).toBe(2);
  });
});

describe.concurrent('the time limit holds while the program waits for servers', () => {
  const files = { 'notes.md': goodText };

  it('a model server that sends nothing', async () => {
    const url = await startSlowServer(null);
    const place = { cwd: createFolder(files), env: { OLLAMA_HOST: url } };
    const args = ['ask', question, 'notes.md', '--model', 'm'];
    await expectOutOfTime(/has used its [\d.]+ s before it could finish/, (limited) =>
      rlm([...args, ...limited, '--provider', 'ollama'], place),
    );
  });

  it('a search server that sends nothing', async () => {
    const url = await startSlowServer(null);
    const server = `opensearch+${url}/handbook?text=body`;
    const place = { cwd: createFolder(files) };
    await expectOutOfTime(/has used its [\d.]+ s before it could finish/, (limited) =>
      rlm(['ask', question, 'notes.md', '--server', server, ...limited], place),
    );
  });
});
