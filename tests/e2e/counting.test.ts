import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plan, startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const incident = fileURLToPath(new URL('../../examples/incident', import.meta.url));

async function ask(question: string, path: string) {
  const run = await rlm(['ask', question, path, '-p', 'extractive', '--json']);
  expect(run.code, run.stderr).toBe(0);
  return resultOf(run);
}

describe.concurrent('rlm ask how many', () => {
  it.each<[question: string, file: string, count: string, rule: string]>([
    ['How many WARN lines are there?', 'edge-proxy.log', '595', 'pattern \\bWARN\\b'],
    ['How many warnings are there?', 'edge-proxy.log', '595', 'the log level WARN'],
    ['How many requests were there?', 'edge-proxy.log', '1,295', 'access:'],
    ['How many ERROR lines are in checkout-service.log?', '', '374', '“ERROR”'],
    ['How often does "PoolAcquireTimeout" occur?', 'checkout-service.log', '374', '“PoolAcquireTimeout”'],
  ])('%s counts the lines of %s by a rule that it states', async (question, file, count, rule) => {
    const { answer, status, citations } = await ask(question, `${incident}/${file}`);
    expect(status).toBe('answered');
    expect(answer).toMatch(new RegExp(`^${count} lines counted, in all of the text\\.\n`));
    expect(answer).toContain(rule);
    expect(answer).toContain(`.log ${count}`);
    expect(citations).toHaveLength(5);
  });

  it('counts what logs tell, and not what a runbook says about it', async () => {
    const { answer, citations } = await ask('How many times was the pool saturated?', incident);
    expect(answer).toMatch(/^58 lines counted/);
    expect(answer).toMatch(
      /By document: \S*checkout-service\.log 58\.\nNot counted, as they are no logs: \S*runbook\.md 1\.\n/,
    );
    expect(citations[0]).toMatchObject({ startLine: 793, endLine: 793 });
  });

  it('gives other readings of the question with their counts', async () => {
    const { answer } = await ask('How often did the payments pool time out?', `${incident}/checkout-service.log`);
    expect(answer).toMatch(/^933 lines counted/);
    expect(answer).toMatch(/By log level: INFO \d+, ERROR \d+\./);
    expect(answer).toContain('Read otherwise: 976 lines with “time out” in any form');
  });

  it('leaves to the text what the text states, and what its words do not choose', async () => {
    const cwd = createFolder({ 'sky.md': 'There are eight planets.', 'a.log': '2026-01-01T10:00:00Z pool failed\n' });
    const [stated, other] = await Promise.all([
      ask('How many planets are there?', `${cwd}/sky.md`),
      ask('How many times did the unicorn fail?', `${cwd}/a.log`),
    ]);
    expect(stated.answer).toMatch(/^There are eight planets\. \[/);
    expect(other.answer).not.toContain('counted');
  });

  it('never says that a token is not found that stands in the text', async () => {
    const { answer } = await ask('How many WARN lines are there before 14:00?', `${incident}/edge-proxy.log`);
    expect(answer).toMatch(
      /^Only the tokens of the question could be counted, not what limits it\.\n595 lines counted/,
    );
  });

  it('counts in a text that fits one prompt, too, whichever model there is', async () => {
    const cwd = createFolder({ 'a.log': 'one FOO_BAR\ntwo\nFOO_BAR three\n', 'b.log': 'FOO_BARS\n' });
    const server = await startServer({ planner: plan('direct') });
    const args = ['ask', 'How many FOO_BAR lines are there?', '.', '-p', 'ollama', '--json'];
    const run = await rlm(args, { cwd, env: server.env });
    const { answer, citations } = resultOf(run);
    expect(answer).toMatch(/^2 lines counted/);
    expect(answer).toContain('By document: a.log 2.\nRead otherwise: 3 lines');
    expect(citations.map(({ startLine, quote }) => [startLine, quote])).toEqual([
      [1, 'one FOO_BAR'],
      [3, 'FOO_BAR three'],
    ]);
  });
});
