/** Tests `rlm ask --continue`: follow-up questions on a recorded run. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { goodHandlers, goodText, startServer } from './replies.ts';
import { createFolder, type RunOptions, resultOf, rlm } from './run-rlm.ts';

const first = 'How large was the pool?';
const next = 'and who decided that?';

/** Creates a folder with its own record of runs, and another folder to ask from. */
async function setUp() {
  const cwd = createFolder({ 'notes.md': goodText });
  const server = await startServer();
  const env = { ...server.env, RLM_HOME: createFolder() };
  const ask = (args: readonly string[], more: RunOptions = {}) => rlm([...args, '--json'], { cwd, ...more, env });
  const bodies = (from: number) => JSON.stringify(server.requests.slice(from).map(({ body }) => body));
  return { cwd, server, env, ask, bodies };
}

it('asks about the same text with the earlier answer; so do the next follow-up and a resumed run', async () => {
  const { server, ask, bodies } = await setUp();
  const one = resultOf(await ask(['ask', first, 'notes.md']));
  const before = server.requests.length;
  // Asked from another folder. The paths are those of the run.
  const two = resultOf(await ask(['-c', next], { cwd: createFolder() }));
  expect(two).toMatchObject({ status: 'answered', task: next, error: null });
  expect(two.runId).not.toBe(one.runId);
  expect(two.citations[0]).toMatchObject({ source: 'notes.md' });
  expect(two.usage.calls).toBe(server.requests.length - before);
  const sent = bodies(before);
  for (const words of [first, 'The pool was lowered to 4 connections.', 'Found in notes.md, lines'])
    expect(sent).toContain(words);

  const then = server.requests.length;
  const three = await ask(['ask', '--run', two.runId!, 'Why was it done?']);
  expect(resultOf(three).task).toBe('Why was it done?');
  for (const words of [first, next]) expect(bodies(then)).toContain(words);

  const last = server.requests.length;
  expect(resultOf(await ask(['resume'])).status).toBe('answered');
  // The run's record has the same requests, so none is made again.
  expect(server.requests.length).toBe(last);
});

it('names what is missing (a run, its answer, its text) and accepts no other text', async () => {
  const { cwd, ask } = await setUp();
  const failed = async (args: readonly string[]) => {
    const { code, stderr } = await ask(args);
    return `${code} ${stderr}`;
  };
  expect(await failed(['ask', '-c', next])).toMatch(/^2 .*no run is recorded/s);
  await ask(['ask', first], { stdin: goodText });
  expect(resultOf(await ask(['ask', '-c', next])).citations[0]).toMatchObject({ source: 'stdin' });
  expect(await failed(['ask', '--run', '2020', next])).toMatch(/there is no recorded run "2020"/);
  expect(await failed(['ask', '-c', next, 'notes.md'])).toMatch(/^2 .*cannot take the path "notes.md"/s);
  expect(await failed(['ask', '-c', next, '--index', 'x'])).toMatch(/^2 .*cannot be used with/s);
  await ask(['ask', first, 'notes.md']);
  rmSync(join(cwd, 'notes.md'));
  expect(await failed(['ask', '-c', next])).toMatch(/^2 .*no longer exists: .*'notes\.md'\s+Restore it/s);
});

it('rlm chat asks one question after the other, each with the earlier answers', async () => {
  const { cwd, server, env, bodies } = await setUp();
  const { code, stdout } = await rlm(['chat', 'notes.md', '-q'], {
    cwd,
    env,
    stdin: `${first}\n\nand who\\\ndecided?`,
  });
  expect(code).toBe(0);
  expect(stdout.split('The pool was lowered to 4 connections')).toHaveLength(3);
  expect(stdout).toMatch(/\n\nThe pool/);
  const followed = server.requests.findIndex(({ body }) => JSON.stringify(body).includes('and who\\ndecided?'));
  expect(bodies(followed)).toContain(first);
  const asked = server.requests.length;
  const commands = await rlm(['chat', 'notes.md', '-q'], {
    cwd,
    env,
    stdin: `/sources\n${first}\n/help\n/sources\n/report pool.html\n/report\n/nosuch one\n/quit\n${first}`,
  });
  expect(commands.code).toBe(2);
  expect(commands.stderr).toMatch(/no answer[\s\S]*\/nosuch[\s\S]*\/sources, \/report, \/help, \/quit/);
  expect(commands.stdout.match(/\[1\] notes\.md:2/g)).toHaveLength(2);
  const [, written] = /\/quit[\s\S]*\npool\.html\n(rlm-report-.*\.html)\n$/.exec(commands.stdout)!;
  const pages = ['pool.html', written!].map((name) => readFileSync(join(cwd, name), 'utf8'));
  expect(pages[0]).toContain(first);
  expect(pages[1]).toBe(pages[0]);
  expect(server.requests.slice(asked).some(({ body }) => /\/(sources|nosuch)/.test(JSON.stringify(body)))).toBe(false);
  const refused = await rlm(['chat', '-'], { cwd, env, stdin: '' });
  expect(`${refused.code} ${refused.stderr}`).toMatch(/^2 .*chat .*stdin/s);
});

it('a chat continues from the earlier run, even if its first question fails', async () => {
  const { cwd, env, ask } = await setUp();
  await ask(['ask', first, 'notes.md']);
  const reply = ({ messages }: { readonly messages?: unknown }) =>
    JSON.stringify(messages).includes(next) ? faults.status(400) : goodHandlers.answer;
  const refusing = await startServer({ answer: reply });
  const stdin = `${next}\nWhy was it done?\n`;
  const { code, stdout, stderr } = await rlm(['chat', '-c', '-q'], { cwd, env: { ...env, ...refusing.env }, stdin });
  expect(code, stderr).toBe(5);
  expect(stdout).toContain('The pool was lowered to 4 connections');
  const followed = refusing.requests
    .map(({ body }) => JSON.stringify(body))
    .filter((one) => one.includes('Why was it'));
  expect(followed.join()).toContain(first);
});

it('a chat writes no report over its inputs, nor over a file that is not a report', async () => {
  const { cwd, env, ask } = await setUp();
  const [input, own] = [join(cwd, 'page.html'), join(cwd, 'own.html')];
  expect(await ask(['ask', first, 'notes.md', '--report', 'page.html'])).toMatchObject({ code: 0 });
  writeFileSync(own, '<!doctype html>\n<p>Own.</p>\n');
  const before = readFileSync(input, 'utf8');
  const reports = ['notes.md', './page.html', 'own.html', 'new.html', 'new.html'];
  const stdin = `${first}\n${reports.map((name) => `/report ${name}\n`).join('')}`;
  const { code, stdout, stderr } = await rlm(['chat', 'notes.md', 'page.html', '-q'], { cwd, env, stdin });
  expect(code).toBe(2);
  expect(stderr.match(/'.*' would be overwritten/g)).toHaveLength(3);
  expect(stdout).toMatch(/\nnew\.html\nnew\.html\n$/);
  expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe(goodText);
  expect(readFileSync(input, 'utf8')).toBe(before);
  expect(readFileSync(own, 'utf8')).toContain('Own.');
  // No path names the text of a followed run.
  const followed = await rlm(['chat', '-c', '-q'], { cwd, env, stdin: `${next}\n/report notes.md\n` });
  expect(followed).toMatchObject({ code: 2, stderr: expect.stringContaining('would be overwritten') });
  expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe(goodText);
});

it('replaces no input of the earlier run, whatever fails', async () => {
  const { cwd, ask } = await setUp();
  await ask(['ask', first, 'notes.md']);
  for (const args of [['-c', next, '-p', 'openai'], ['resume']]) {
    expect(await ask([...args, '--report', 'notes.md'])).toMatchObject({ code: 2 });
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe(goodText);
  }
});

it('does not follow a run of checks, which runs list shows only with --all', async () => {
  const { ask } = await setUp();
  const one = resultOf(await ask(['ask', first, 'notes.md']));
  const cwd = createFolder({ 'notes.md': goodText, 'c.json': JSON.stringify({ checks: [{ question: 'Why?' }] }) });
  await ask(['checks', 'c.json', 'notes.md'], { cwd });
  const runIds = async (args: readonly string[]) =>
    (JSON.parse((await ask(['runs', 'list', ...args])).stdout) as { runId: string }[]).map(({ runId }) => runId);
  expect(await runIds([])).toEqual([one.runId]);
  expect(await runIds(['--all'])).toHaveLength(2);
  const two = resultOf(await ask(['-c', next]));
  expect([two.task, two.status]).toEqual([next, 'answered']);
});

it('says that a computed answer to a follow-up does not use the earlier questions', async () => {
  const { cwd, env } = await setUp();
  writeFileSync(join(cwd, 'players.csv'), 'player,team,age\nAnn,Otters,31\nBo,Otters,28\nCy,Rays,50\n');
  const ask = async (args: readonly string[]) =>
    resultOf(await rlm([...args, '-p', 'extractive', '--json'], { cwd, env })).answer!;
  expect(await ask(['ask', 'What is the team of Ann?', 'players.csv'])).not.toContain('Note:');
  const followed = await ask(['-c', 'What is the team of Cy?']);
  expect(followed).toMatch(/^team where player = 'Cy': Rays/);
  expect(followed).toContain('Note: the question is read alone');
});
