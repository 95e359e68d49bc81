import { describe, expect, it } from 'vitest';
import { logs } from '../support/exploring.ts';
import { finalAnswer, look } from '../support/scripted-run.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const inJson = { models: [{ name: 'qwen2.5-coder:14b', capabilities: ['completion'] }] };
const createLogs = () => createFolder(Object.fromEntries(logs.map(({ name, text }) => [name, text])));
const exploring = {
  explore: ({ messages }: { messages: readonly { role: string }[] }) =>
    messages.some(({ role }) => role === 'assistant')
      ? finalAnswer('## Cause\nC-1187.')
      : look(['grep', { pattern: 'pool was lowered' }]),
};

describe('rlm ask --role and --fail-count', () => {
  it('explores with the tools of the role, which is reported, and gives the reason on stderr', async () => {
    const server = await startServer(exploring, inJson);
    const args = ['ask', 'Who lowered the pool?', 'log.txt', '--role', 'debugger', '--fail-count', '6', '--verbose'];
    const run = await rlm([...args, '--json'], { cwd: createLogs(), env: server.env });
    expect(run.code, run.stderr).toBe(0);
    const result = resultOf(run);
    expect(result.plan).toMatchObject({ approach: 'explore', reason: 'the role debugger prefers it' });
    expect(run.stderr).toContain('"approach":"explore","reason":"the role debugger prefers it"');
    const asked = server.requests.map(({ messages }) => messages[1]!.content);
    const told = asked.filter((words) => words.includes('Your role is debugger:'));
    expect(told).toHaveLength(3);
    expect(told[1]).toMatch(
      /have failed so far: 6\.[\s\S]*in this order: Symptom; Timeline; Hypotheses; Cause; Next step\./,
    );
  });

  it('explores after many failed attempts, and says so', async () => {
    const server = await startServer(exploring, inJson);
    const args = ['ask', 'Who lowered the pool?', 'log.txt', '--fail-count', '5', '--verbose', '--json'];
    const run = await rlm(args, { cwd: createLogs(), env: { ...server.env, RLM_PLANNER: 'auto' } });
    expect(resultOf(run).plan).toMatchObject({ approach: 'explore', reason: '5 attempts have failed before' });
    expect(run.stderr).toContain('"approach":"explore","reason":"5 attempts have failed before"');
  });

  it('refuses a wrong role before anything is asked, with the line', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'notes.md': goodText, 'mine.md': '---\nname: mine\nabuot: x\n---\nBe brief.\n' });
    const run = await rlm(['ask', 'Why?', 'notes.md', '--role', './mine.md'], { cwd, env: server.env });
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/mine\.md:3: unknown key "abuot"/);
    expect(run.stderr).toContain('Did you mean about?');
    expect(server.requests).toEqual([]);
  });
});

describe('rlm roles', () => {
  it("lists the shipped ones and the user's, also as JSON", async () => {
    const home = createFolder({
      '.config/rlm/roles/terse.md': '---\nname: terse\nabout: says little\n---\nBe brief.\n',
    });
    const env = { HOME: home, XDG_CONFIG_HOME: '' };
    const text = await rlm(['roles'], { env });
    expect(text.code, text.stderr).toBe(0);
    expect(text.stdout).toMatch(/^architecture: .*\n {2}strategy {2}explore\n/);
    expect(text.stdout).toContain('terse: says little\n');
    const { roles } = JSON.parse((await rlm(['roles', '--json'], { env })).stdout);
    expect(roles.map(({ name }: { name: string }) => name)).toEqual([
      'architecture',
      'debugger',
      'repo-mapper',
      'terse',
      'validation',
    ]);
    expect(roles[3]).toMatchObject({ words: 'Be brief.', tools: null, strategy: null, sections: [] });
  });
});
