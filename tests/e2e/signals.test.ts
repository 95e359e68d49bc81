import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/index.ts';
import type { ChatCall } from '../servers/ollama-server.ts';
import { faults } from '../servers/ollama-server.ts';
import { answer, goodText, plan, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, startRlm } from './run-rlm.ts';

const cwd = () => createFolder({ 'notes.md': goodText });
const ask = ['ask', 'How large was the pool, and who changed it?', 'notes.md'];

/** Replies in which the first part is answered, and the second never. */
const halfDone = {
  planner: plan('decompose', ['How large was the pool?', 'Who changed the pool?']),
  answer: ({ messages }: ChatCall) =>
    /question:\s+Who changed/i.test(messages.at(-1)!.content)
      ? faults.stallMidStream()
      : answer('It had 40 connections [P1].', 'P1', 'from 40 to 4'),
};

async function startHalfDone(args: readonly string[] = [], folder = cwd()) {
  const server = await startServer(halfDone);
  const run = startRlm([...ask, '--strategy', 'decompose', '--max-depth', '1', ...args], {
    cwd: folder,
    env: server.env,
  });
  return { server, run };
}

async function untilClosed(server: { openSockets(): number }): Promise<void> {
  while (server.openSockets() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.concurrent('Ctrl-C during a call', () => {
  it.each([
    ['SIGINT', 130, 'interrupted by Ctrl-C'],
    ['SIGTERM', 143, 'terminated by SIGTERM'],
    ['SIGHUP', 129, 'ended by SIGHUP: the terminal was closed'],
  ] as const)('%s: what was found is printed, and the status says so', async (signal, code, said) => {
    const { run, server } = await startHalfDone();
    await run.shows('stderr', '0.1 answered');
    run.kill(signal);
    const finished = await run.done;
    await untilClosed(server);
    expect(finished).toMatchObject({ code, signal: null });
    expect(finished.stdout).toContain('It had 40 connections [1].');
    expect(finished.stdout).toContain('[1] notes.md:2');
    expect(finished.stderr).toContain(`rlm: stopped: ${said}`);
    expect(finished.stderr).toMatch(/To continue: rlm resume \d{8}T\d{6}-[0-9a-f]{6}\n/);
  });

  it('ends every one of many calls, and leaves no socket open', async () => {
    const questions = Array.from({ length: 5 }, (_, index) => `What is part ${index} of the pool?`);
    const stalling = { planner: plan('decompose', questions), answer: () => faults.stallMidStream() };
    const server = await startServer(stalling);
    const run = startRlm([...ask, '--strategy', 'decompose', '--max-depth', '1', '--concurrency', '5'], {
      cwd: cwd(),
      env: server.env,
    });
    while (server.requests.length < 6) await new Promise((resolve) => setTimeout(resolve, 10));
    run.kill('SIGINT');
    expect((await run.done).code).toBe(130);
    await untilClosed(server);
    expect(server.requests).toHaveLength(6);
  });

  it('--json: cancelled, with the partial answer, its evidence and the usage', async () => {
    const { run } = await startHalfDone(['--json']);
    await run.shows('stderr', '0.1 answered');
    run.kill('SIGINT');
    const result = resultOf(await run.done);
    expect(result).toMatchObject({ status: 'cancelled', stopReason: 'interrupted', error: { code: 'interrupted' } });
    expect(result.answer).toContain('It had 40 connections [1].');
    expect(result.citations).toMatchObject([{ quote: 'from 40 to 4' }]);
    expect(result.recursionTree!.children.map(({ status }) => status)).toEqual(['answered', 'unanswered']);
    expect(result.usage.calls).toBe(3);
  });

  it.each([
    ['Ctrl-C', [], 130, 'cancelled'],
    ['the time limit', ['--timeout', '6'], 6, 'partial'],
  ])(
    '%s: the part of the answer that arrived is printed, and resume asks for all of it',
    async (_, limit, code, status) => {
      let isWhole = false;
      const said = '{"answer":"The pool was lowered to 4 connections [P1]. It was full at once. The th';
      const whole = answer('It was lowered to 4, and all of it was told [P1].', 'P1', 'from 40 to 4');
      const server = await startServer({ answer: () => (isWhole ? whole : faults.stallMidStream(said)) });
      const place = { cwd: cwd(), env: { ...server.env, RLM_PLANNER: 'never', RLM_HOME: createFolder() } };
      const run = startRlm([...ask, '--strategy', 'direct', '--format', 'ndjson', ...limit], place);
      await run.shows('stdout', '"call.progress"');
      if (limit.length === 0) run.kill('SIGINT');
      const finished = await run.done;
      const { result } = eventsOf(finished).last as { result: Result };
      expect([finished.code, result.status]).toEqual([code, status]);
      expect(result.answer).toMatch(/^The pool was lowered to 4 connections(?: \[1\])?\. It was full at once\./);
      expect(result.warningCodes).toContain('reply-cut');
      isWhole = true;
      const again = resultOf(await rlm(['resume', '--json', '--timeout', '60'], place));
      expect(again).toMatchObject({ status: 'answered', usage: { failedCalls: 1, replayedCalls: 0 } });
      expect(again.answer).toContain('all of it was told');
    },
  );

  it('ndjson: ends in good order', async () => {
    const { run } = await startHalfDone(['--format', 'ndjson']);
    await run.shows('stderr', '0.1 answered');
    run.kill('SIGINT');
    const { events, last } = eventsOf(await run.done);
    expect(events.map(({ type }) => type)).toContain('run.stopped');
    expect(last).toMatchObject({ type: 'run.completed', result: { status: 'cancelled' } });
  });

  it('-o FILE: holds the partial answer', async () => {
    const folder = cwd();
    const { run } = await startHalfDone(['-o', 'answer.txt'], folder);
    await run.shows('stderr', '0.1 answered');
    run.kill('SIGINT');
    expect((await run.done).code).toBe(130);
    expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toContain('It had 40 connections [1].');
  });

  it('two at once end it immediately, and leave no draft', async () => {
    const folder = cwd();
    const { run } = await startHalfDone(['-o', 'answer.txt'], folder);
    await run.shows('stderr', '0.1 answered');
    run.kill('SIGINT');
    run.kill('SIGTERM');
    const finished = await run.done;
    expect([130, 143]).toContain(finished.code);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe.concurrent('Ctrl-C at other times', () => {
  it('while the model is searched for', async () => {
    const { env } = await startServer({}, { elsewhere: () => faults.stall() });
    const run = startRlm([...ask, '--json', '--provider', 'ollama'], { cwd: cwd(), env });
    await run.shows('stderr', 'waiting for the input and the provider');
    run.kill('SIGINT');
    const finished = await run.done;
    expect(finished.code).toBe(130);
    expect(resultOf(finished)).toMatchObject({ status: 'cancelled', answer: null, runId: null });
  });

  it('while the program waits for an input, which is named', async () => {
    const folder = cwd();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const run = startRlm(['ask', 'What changed the pool?', 'pipe', '--provider', 'extractive'], { cwd: folder });
    await run.shows('stderr', 'waiting for the input pipe');
    run.kill('SIGINT');
    expect((await run.done).code).toBe(130);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('%s while a chat over an open pipe answers', async (signal, code) => {
    const server = await startServer({ answer: () => faults.stall() });
    const run = startRlm(['chat', 'notes.md'], {
      cwd: cwd(),
      env: server.env,
      stdin: (stdin) => void stdin.write('How large was the pool?\nWho changed it?\n'),
    });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    run.kill(signal);
    expect(await run.done).toMatchObject({ code, signal: null });
  });

  it('/quit ends a chat over an open pipe', async () => {
    const run = startRlm(['chat', 'notes.md'], { cwd: cwd(), stdin: (stdin) => void stdin.write('/quit\n') });
    expect(await run.done).toMatchObject({ code: 0, signal: null });
  });

  it('while a retry waits', async () => {
    const { env } = await startServer({ planner: faults.status(503, { error: 'busy' }, { 'retry-after': '100' }) });
    const run = startRlm([...ask, '--json'], { cwd: cwd(), env });
    await run.shows('stderr', 'retry 1 in');
    run.kill('SIGINT');
    const finished = await run.done;
    expect(finished.code).toBe(130);
    expect(resultOf(finished)).toMatchObject({ status: 'cancelled', usage: { calls: 1, retries: 1 } });
  });
});
