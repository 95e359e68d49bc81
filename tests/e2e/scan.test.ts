import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ChatCall } from '../servers/ollama-server.ts';
import { createGate } from '../support/gate.ts';
import { warned } from '../support/warned.ts';
import { plan, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, startRlm } from './run-rlm.ts';

/** Creates a log in which the pool is exhausted this many times. */
const logWith = (times: number, linesBetween = 400) =>
  Array.from({ length: times }, (_, n) => {
    const quiet = Array.from({ length: linesBetween }, (_, line) => `08:${n}:${line} INFO request ${n * line} done`);
    return `${quiet.join('\n')}\n09:${n}:00 ERROR pool exhausted after ${n * 7} requests\n`;
  }).join('');

const question = 'How many times was the pool exhausted?';

/** A similar question that code does not answer by counting lines. */
const listing = 'List every pool that was exhausted.';

/** Returns the calls in the journal of the only run in a state folder. */
function recordedCalls(home: string): number {
  const runs = join(home, 'runs');
  const [run] = existsSync(runs) ? readdirSync(runs) : [];
  const path = join(runs, run ?? '', 'journal.jsonl');
  return (existsSync(path) ? readFileSync(path, 'utf8') : '').match(/"type":"call"/g)?.length ?? 0;
}

describe.concurrent('rlm ask about all of the text', () => {
  it('lists without a model, in as many calls as it takes', async () => {
    const cwd = createFolder({ 'app.log': logWith(61) });
    const run = await rlm(['ask', listing, 'app.log', '-p', 'extractive', '--json'], { cwd });
    expect(run.code).toBe(0);
    const result = resultOf(run);
    expect(result.plan).toMatchObject({ approach: 'scan', reason: 'the planner chose it' });
    expect(result.answer).toMatch(/^61 found:/);
    expect(result.citations[1]).toMatchObject({ source: 'app.log', startLine: 802, endLine: 802 });
    expect(result.usage.calls).toBeGreaterThan(50);
    expect(run.stderr).toMatch(/scan: .*all [\d.]+ [kM]B, \d+ pieces, .*\d+ calls, at most \d+\n/);
  });

  it('respects a limit that was set, states the share that was read, and continues from there', async () => {
    const env = { RLM_HOME: createFolder() };
    const cwd = createFolder({ 'app.log': logWith(40) });
    const args = ['ask', listing, 'app.log', '-p', 'extractive', '--max-calls', '20', '--format', 'ndjson'];
    const run = await rlm(args, { cwd, env });
    expect(run.code).toBe(6);
    const { events, last } = eventsOf(run);
    const { chosen, pieces } = events.find(({ type }) => type === 'scan.started') as never;
    expect(run.stderr).toContain(`${chosen} of ${pieces} pieces, in`);
    expect(last.result.answer).toMatch(/^At least \d+ found:[\s\S]*\n\nOnly \d+ % of the text was read\.$/);
    expect(last.result).toMatchObject({ status: 'partial', error: { code: 'limit-calls' }, resumable: true });

    const resumed = resultOf(await rlm(['resume', '--json', '--max-calls', '500'], { env }));
    expect(resumed).toMatchObject({ status: 'answered', error: null });
    expect(resumed.answer).toMatch(/^40 found:/);
    expect(resumed.usage.replayedCalls).toBe(Number(chosen) + 1);
  });

  it('asks a model for each piece, as many concurrently as allowed, and counts itself', async () => {
    const allWait = createGate(6);
    const scan = async ({ messages }: ChatCall) => {
      await allWait();
      const passages = messages.at(-1)!.content.split('<passage id="').slice(1);
      const findings = passages.flatMap((passage) =>
        [...passage.matchAll(/(09:\d+:00) ERROR pool exhausted/g)].map(([quote, key]) => ({
          passage: passage.slice(0, passage.indexOf('"')),
          quote,
          key,
          finding: `The pool was exhausted at ${key}.`,
        })),
      );
      return { findings, more: 'no', asksFor: 'count' };
    };
    const server = await startServer({ planner: plan('scan'), scan });
    const cwd = createFolder({ 'a.log': logWith(9, 300), 'b.log': logWith(4, 300) });
    const args = ['ask', question, '.', '-p', 'ollama', '--strategy', 'scan', '--json', '--concurrency', '6'];
    const run = await rlm(args, { cwd, env: server.env });
    expect(run.code, run.stderr).toBe(0);
    const result = resultOf(run);
    expect(result.answer).toMatch(
      /^9 different ones found, at 13 places in the text:\nBy document: a.log 9, b.log 4.\n/,
    );
    expect(result.answer).toContain('- The pool was exhausted at 09:8:00. [');
    expect(server.maxInFlight).toBe(6);
    expect(result.recursionTree).toMatchObject({ strategy: 'scan', children: [], calls: result.usage.calls - 2 });
  });

  it('corrects a quote with a wrong passage, and never says that nothing was found', async () => {
    const cwd = createFolder({ 'app.log': logWith(2, 30) });
    const askFor = async (quote: string) => {
      const finding = { passage: 'P77', quote, key: '', finding: 'The pool was exhausted.' };
      const server = await startServer({ scan: { findings: [finding], more: 'no', asksFor: 'count' } });
      const args = ['ask', listing, 'app.log', '-p', 'ollama', '--strategy', 'scan', '--json'];
      return resultOf(await rlm(args, { cwd, env: server.env }));
    };
    const [anchored, madeUp] = await Promise.all([
      askFor('09:1:00 ERROR pool exhausted after 7 requests'),
      askFor('the pool was quite empty then'),
    ]);
    expect(anchored.answer).toMatch(/^1 found:\n/);
    expect(anchored.citations).toMatchObject([{ source: 'app.log', startLine: 62, endLine: 62 }]);
    expect(madeUp.answer).toMatch(/^Not settled: what the model found could not be traced to the text/);
    expect(madeUp.answer).not.toContain('Not found');
    expect(madeUp).toMatchObject({ status: 'partial', error: { code: 'reply-unusable' } });
    expect(warned(madeUp, 'evidence')).toContain('a finding was left out');
  });

  it('shows the calls of a scan before anything is asked', async () => {
    const cwd = createFolder({ 'app.log': logWith(10) });
    const args = ['ask', listing, join(cwd, 'app.log'), '-p', 'extractive', '--strategy', 'scan', '--json'];
    const dry = JSON.parse((await rlm([...args, '--dry-run'])).stdout);
    const result = resultOf(await rlm(args));
    expect(dry).toMatchObject({ approach: 'scan', worstCase: { tokens: 0, usd: 0 } });
    expect(dry.fewestCalls).toBeGreaterThanOrEqual(result.usage.calls);
    expect(dry.fewestCalls).toBeLessThanOrEqual(result.usage.calls + 1);
    expect(dry.worstCase.calls).toBeGreaterThan(result.usage.calls);
    expect(dry.reading).toMatchObject({ pieces: dry.fewestCalls - 1, fewestCalls: dry.fewestCalls });
  });

  it('says before anything is asked that the limit pays only for a part', async () => {
    const cwd = createFolder({ 'app.log': logWith(30) });
    const args = ['ask', listing, 'app.log', '-p', 'extractive', '--strategy', 'scan', '--dry-run'];
    const whole = await rlm(args, { cwd });
    const [, pieces, fewest] =
      /^Reading: (\d+) pieces; reading all pieces takes at least (\d+) calls, at worst [\d,]+$/m.exec(whole.stdout)!;
    expect(Number(fewest)).toBe(Number(pieces) + 1);
    const part = await rlm([...args, '--max-calls', '20'], { cwd });
    expect(part.stdout).toContain(`; the limit of 20 covers only a part (--max-calls ${fewest} covers all)\n`);
  });

  it('continues after it was killed, and asks again for no piece that was read', async () => {
    const scan = () => ({ findings: [], more: 'no', asksFor: 'count' });
    const server = await startServer({ planner: plan('scan'), scan }, { latencyMs: 60 });
    const cwd = createFolder({ 'app.log': logWith(20, 300) });
    const env = { ...server.env, RLM_HOME: createFolder() };
    const running = startRlm(['ask', question, 'app.log', '-p', 'ollama', '--strategy', 'scan', '--concurrency', '2'], {
      cwd,
      env,
    });
    await vi.waitFor(() => expect(recordedCalls(env.RLM_HOME)).toBeGreaterThan(4), { timeout: 30_000, interval: 20 });
    running.kill('SIGKILL');
    await running.done;
    const asked = server.requests.length;
    const recorded = recordedCalls(env.RLM_HOME);
    const result = resultOf(await rlm(['resume', '--json'], { env }));
    expect(result.status).toBe('answered');
    expect(result.usage.replayedCalls).toBe(recorded);
    expect(server.requests.length - asked).toBe(result.usage.calls - result.usage.failedCalls - recorded);
  });
});
