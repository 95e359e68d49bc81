import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startServer } from './replies.ts';
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

  it('counts lines of logs, and not what a runbook says about them', async () => {
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
    expect(answer).toContain('with or without “payments” and “pool”.\n');
    expect(answer).toMatch(/Read otherwise: 581 lines .*, and not only as a counter at 0\.\n/);
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

  it('is silent rather than wrong where a question limits what it counts in words', async () => {
    const { answer } = await ask('How many WARN lines are there before the outage?', `${incident}/edge-proxy.log`);
    expect(answer).not.toMatch(/counted|nothing that was read is about/);
  });

  it('counts in a text that fits one prompt, too', async () => {
    const cwd = createFolder({ 'a.log': 'one FOO_BAR\ntwo\nFOO_BAR three\n', 'b.log': 'FOO_BARS\n' });
    const { answer, citations } = await ask('How many FOO_BAR lines are there?', cwd);
    expect(answer).toMatch(/^2 lines counted/);
    expect(answer).toMatch(/By document: \S*a\.log 2\.\nRead otherwise: 3 lines/);
    expect(citations.map(({ startLine, quote }) => [startLine, quote])).toEqual([
      [1, 'one FOO_BAR'],
      [3, 'FOO_BAR three'],
    ]);
  });

  it('leaves every count to the model where there is one', async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `sshd: ${n % 4 ? 'session opened' : 'login FAILED'}`);
    const cwd = createFolder({ 'auth.log': `${lines.join('\n')}\n` });
    const server = await startServer({ answer: 'There are 7 of them [P1].' });
    const run = await rlm(['ask', 'How many FAILED lines are there?', 'auth.log', '--json'], { cwd, env: server.env });
    const { answer, usage } = resultOf(run);
    expect(answer).toBe('There are 7 of them [1].');
    expect(usage.calls).toBe(server.requests.length);
    expect(usage.calls).toBeGreaterThan(0);
  });

  it('counts by words in any form, too, and is sure of its rule', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, n) => `2026-01-01T10:00:${n % 60} sshd: ${n % 4 ? 'session opened' : 'login failed'}`,
    );
    const cwd = createFolder({ 'auth.log': `${lines.join('\n')}\n` });
    const { answer, usage, confidence } = await ask('How many failed logins are there?', `${cwd}/auth.log`);
    expect(answer).toMatch(/^10 lines counted/);
    expect({ calls: usage.calls, confidence }).toEqual({ calls: 0, confidence: 75 });
  });

  it.each<[question: string, first: string]>([
    ['How many versions does the changelog list?', '3 versions counted, in all of the text.'],
    ['What is the latest version?', '1.10.0 is the latest version.'],
    ['How many files use shop.total?', '1 document counted, in all of the text.'],
    ['How many times is shop.total assigned?', '1 line counted, in all of the text.'],
  ])('counts what is no log, too: %s', async (question, first) => {
    const cwd = createFolder({
      'CHANGELOG.md': '# Changes\n\n## 1.9.0\n- a\n## 1.10.0\n- b\n## 1.2.0\n- c\n',
      'shop.js': 'shop.total = 3;\nprint(shop.total);\n',
      'index.js': "import './shop.js';\n",
    });
    const { answer, usage } = resultOf(await rlm(['ask', question, '.', '-p', 'extractive', '--json'], { cwd }));
    expect(answer!.split('\n')[0]).toBe(first);
    expect(usage.calls).toBe(0);
  });

  it('passes a bar with a count by a token, whose rule is certain', async () => {
    const args = ['ask', 'How many WARN lines are there?', `${incident}/edge-proxy.log`, '-p', 'extractive', '--json'];
    const run = await rlm([...args, '--min-confidence', '80']);
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ status: 'answered', critique: null, usage: { calls: 0 } });
  });

  it('says in a dry run that no call is made, and that a model is asked where there is one', async () => {
    const server = await startServer();
    const dryRun = async (question: string, provider: string) => {
      const args = ['ask', question, `${incident}/edge-proxy.log`, '-p', provider, '--dry-run', '--json'];
      return JSON.parse((await rlm(args, { env: server.env })).stdout);
    };
    const warn = 'How many WARN lines are there?';
    const [counted, none, asked] = await Promise.all([
      dryRun(warn, 'extractive'),
      dryRun('How many ZEBRA_LINES are there?', 'extractive'),
      dryRun(warn, 'ollama'),
    ]);
    expect(counted).toMatchObject({ fewestCalls: 0, reading: null, worstCase: { calls: 0 } });
    for (const one of [none, asked]) {
      expect(one.fewestCalls).toBeGreaterThan(0);
      expect(one.worstCase.calls).toBeGreaterThan(0);
    }
  });
});
