import { describe, expect, it, vi } from 'vitest';
import type { ChatCall } from '../servers/ollama-server.ts';
import { faults } from '../servers/ollama-server.ts';
import { warned } from '../support/warned.ts';
import { startServer } from './replies.ts';
import { createFolder, resultOf, rlm, startRlm } from './run-rlm.ts';

const question = 'How large was the pool?';
const asking = ['ask', question, 'log.txt', '--strategy', 'repl', '--json'];

const filler = Array.from({ length: 3_000 }, (_, n) => `Entry ${n}: nothing of note happened.\n`);
const log = [...filler, 'The pool was lowered from 40 to 4 connections.\n', ...filler].join('');

const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

const turns = [
  js('const hits = context.grep("pool"); print(hits); print(Math.random());'),
  js('const said = await Promise.all([1, 2].map((n) => llm_query(n + " How large? " + hits[0].text))); print(said);'),
  'It is clear now.\nFINAL(The pool was "lowered from 40 to 4 connections".)',
];

/** A model that writes the turns one after the other. `query` answers sub-queries. */
const coder = (query: (call: ChatCall) => string | object = () => 'It was 4.') => ({
  repl: (call: ChatCall) => turns[call.messages.filter(({ role }) => role === 'assistant').length]!,
  query,
});

const createPlace = () => ({ state: createFolder(), cwd: createFolder({ 'log.txt': log }) });
const envOf = ({ state }: { state: string }, { url }: { url: string }) => ({ RLM_HOME: state, OLLAMA_HOST: url });

describe.concurrent('rlm ask --strategy repl', () => {
  it('answers with code, its trajectory and checked citations, and replays from a recording', async () => {
    const server = await startServer(coder());
    const { state, cwd } = createPlace();
    const run = await rlm([...asking, '--record', 'run.cassette'], { cwd, env: envOf({ state }, server) });
    expect(run.code, run.stderr).toBe(0);
    const result = resultOf(run);
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'The pool was "lowered from 40 to 4 connections".',
      citations: [{ source: 'log.txt', startLine: 3001, quote: 'lowered from 40 to 4 connections' }],
    });
    const steps = result.recursionTree!.steps;
    expect(steps.map(({ calls }) => calls[0]?.result)).toMatchObject([
      expect.stringMatching(/^log\.txt\n3001: The pool was lowered from 40 to 4 connections\.\n0\.\d+$/),
      'It was 4.\nIt was 4.',
      undefined,
    ]);
    await server.close();
    const again = resultOf(await rlm([...asking, '--replay', 'run.cassette'], { cwd }));
    expect(again).toMatchObject({ status: 'answered', answer: result.answer });
    expect(again.recursionTree!.steps).toEqual(steps);
  });

  it('continues after kill -9, with the same code and without paying for calls again', async () => {
    let stalled = false;
    const server = await startServer(
      coder((call) => {
        if (stalled || !call.messages.at(-1)!.content.startsWith('2')) return 'It was 4.';
        stalled = true;
        return faults.stallMidStream();
      }),
    );
    const place = createPlace();
    const run = startRlm(asking, { cwd: place.cwd, env: envOf(place, server) });
    await vi.waitFor(() => expect(stalled).toBe(true), { timeout: 20_000 });
    run.kill('SIGKILL');
    await run.done;
    const asked = server.requests.length;
    const resumed = await rlm(['resume', '--json'], { env: envOf(place, server) });
    expect(resumed.code, resumed.stderr).toBe(0);
    const result = resultOf(resumed);
    expect(result).toMatchObject({ status: 'answered', answer: 'The pool was "lowered from 40 to 4 connections".' });
    expect(result.usage.replayedCalls).toBeGreaterThanOrEqual(2);
    const { calls, replayedCalls, failedCalls } = result.usage;
    expect(server.requests.length - asked).toBe(calls - replayedCalls - failedCalls);
  });

  it('answers in part when a limit is reached', async () => {
    const server = await startServer({
      ...coder(),
      repl: js('for (let i = 0; ; i++) llm_query("again " + i);'),
      answer: { answer: 'Not known yet.', citations: [], assumptions: [] },
    });
    const { state, cwd } = createPlace();
    const run = await rlm([...asking, '--max-calls', '8'], { cwd, env: envOf({ state }, server) });
    expect(run.code, run.stderr).toBe(6);
    const result = resultOf(run);
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit-calls' });
    expect(result.answer).not.toBeNull();
    expect(result.usage.calls).toBeLessThanOrEqual(8);
  });

  it('ends well-formed with a provider that writes no code', async () => {
    const { cwd } = createPlace();
    const run = await rlm([...asking, '--provider', 'extractive'], { cwd });
    expect(run.code, run.stderr).toBe(0);
    const result = resultOf(run);
    expect(result.recursionTree).toMatchObject({
      strategy: 'direct',
      strategyReason: 'there is no language model to take steps',
    });
    expect(warned(result, 'answered-directly')).toContain('needs a language model');
  });
});
