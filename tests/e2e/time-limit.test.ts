/** `--timeout` counts from the start of the process, whatever is waited for. */
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Result } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../servers/local-server.ts';
import { goodText } from './replies.ts';
import { createFolder, type Finished, resultOf, rlm, shell } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const limited = ['--timeout', '1.5', '--provider', 'extractive', '--json'];

const servers: LocalServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Sends so much every 100 ms, for ever, or nothing at all. */
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

function expectOutOfTime(run: Finished, message: RegExp): Result {
  const result = resultOf(run);
  expect([run.code, result.status, result.stopReason]).toEqual([6, 'partial', 'limit-time']);
  expect(result).toMatchObject({ answer: null, error: { hint: expect.stringContaining('--timeout') } });
  expect(result.error?.message).toMatch(message);
  return result;
}

describe.concurrent('the time limit holds while the text is read', () => {
  it.each([
    ['notes.txt', []],
    ['page.html', []],
    ['lines.gz', []],
    ['notes.txt', ['other.md']],
  ])('from a FIFO, %s, that nobody writes to, beside %j', async (name, others) => {
    const cwd = createFolder({ 'other.md': goodText });
    execFileSync('mkfifo', [join(cwd, name)]);
    const run = await rlm(['ask', question, name, ...others, ...limited], { cwd });
    expectOutOfTime(run, new RegExp(`has used its 1\\.5 s while it read '${name}' \\(nothing had come`));
  });

  it('from a FIFO behind a file, and what was read is named', async () => {
    const cwd = createFolder({ 'other.md': goodText });
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const run = await rlm(['ask', question, 'other.md', 'pipe', ...limited], { cwd });
    expectOutOfTime(run, new RegExp(`while it read 'pipe' \\(1 document and ${goodText.length} bytes had come`));
  });

  it('from a silent pipe that stays open', async () => {
    const run = await rlm(['ask', question, ...limited], { stdin: 'open' });
    expectOutOfTime(run, /while it read 'stdin' \(nothing had come until then\)/);
  });

  it('from a pipe that never ends', async () => {
    const run = await shell(`yes | rlm ask '${question}' ${limited.join(' ')}`);
    expectOutOfTime(run, /while it read 'stdin' \([\d,]+ bytes had come until then\)/);
  });

  it.each([
    ['is silent', null],
    ['drips', 'The pool has 4 connections.\n'],
  ])('from an address that %s', async (_, line) => {
    const url = await startSlowServer(line);
    const run = await rlm(['ask', question, url, '--allow-urls', ...limited]);
    expectOutOfTime(run, /while it read 'http:\/\/127\.0\.0\.1/);
  });

  it('a file that grows for ever is read as far as it went when it was opened', async () => {
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

  it('a dry run has it, too', async () => {
    const run = await rlm(['ask', question, '--dry-run', ...limited], { stdin: 'open' });
    expect(run.code).toBe(6);
    expect(resultOf(run).error?.code).toBe('limit-time');
  });
});

describe.concurrent('the time limit holds while others are waited for', () => {
  const files = { 'notes.md': goodText };

  it('a server of models that says nothing', async () => {
    const url = await startSlowServer(null);
    const args = ['ask', question, 'notes.md', '--provider', 'ollama', '--model', 'm', '--timeout', '1.5', '--json'];
    const run = await rlm(args, { cwd: createFolder(files), env: { OLLAMA_HOST: url } });
    expectOutOfTime(run, /has used its 1\.5 s before it could begin/);
  });

  it('a search server that says nothing', async () => {
    const url = await startSlowServer(null);
    const server = `opensearch+${url}/handbook?text=body`;
    const run = await rlm(['ask', question, 'notes.md', '--server', server, ...limited], { cwd: createFolder(files) });
    expectOutOfTime(run, /has used its 1\.5 s before it could begin/);
  });
});
