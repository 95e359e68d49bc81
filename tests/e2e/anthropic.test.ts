import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AnthropicServerOptions, type MessageCall, startAnthropicServer } from '../servers/anthropic-server.ts';
import { faults } from '../servers/faults.ts';
import { replyByFormat } from '../servers/reply-by-format.ts';
import { goodHandlers, goodText } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const key = 'sk-ant-0123456789abcdef';

/** Creates a project, a home, and a server that requires a key. */
async function setUp(options: Partial<AnthropicServerOptions> = {}) {
  const reply = replyByFormat<MessageCall>(goodHandlers);
  const server = await startAnthropicServer({ reply, key, ...options });
  onTestFinished(server.close);
  const cwd = createFolder({ 'notes.md': goodText });
  const home = createFolder();
  const env = { HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: key };
  const ask = (...flags: string[]) =>
    rlm(['ask', 'How large was the pool?', 'notes.md', '--provider', 'anthropic', ...flags], { cwd, env });
  return { server, cwd, home, env, ask };
}

describe('rlm ask --provider anthropic', () => {
  it('answers with the default model, says so, counts the cost, and does not show the key', async () => {
    const { server, cwd, home, ask } = await setUp();
    const done = await ask('--json', '--verbose', '--log-file', 'run.log');
    expect(done.code, done.stderr).toBe(0);
    const result = resultOf(done);
    expect(result).toMatchObject({ status: 'answered', provider: 'anthropic', model: 'claude-sonnet-5-5' });
    expect(result.answer).toContain('lowered to 4');
    expect(result).toMatchObject({
      warningCodes: ['model'],
      warnings: [expect.stringMatching(/no model was chosen: .*claude-sonnet-5-5/)],
    });
    expect(result.usage.cost).toBeGreaterThan(0);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(() => execFileSync('grep', ['-rl', key, cwd, home])).toThrow();
    expect(done.stdout + done.stderr).not.toContain(key);
  });

  it('a model named with its provider is enough', async () => {
    const { server, cwd, env } = await setUp({ models: [{ id: 'claude-haiku-5-5' }] });
    const args = ['ask', 'How large was the pool?', 'notes.md', '-m', 'anthropic/claude-haiku-5-5', '--json'];
    const done = await rlm(args, { cwd, env });
    expect(resultOf(done)).toMatchObject({ status: 'answered', provider: 'anthropic', model: 'claude-haiku-5-5' });
    expect(new Set(server.requests.map(({ model }) => model))).toEqual(new Set(['claude-haiku-5-5']));
  });

  it('an overload is waited out; stdout holds the answer alone', async () => {
    const good = replyByFormat<MessageCall>(goodHandlers);
    const busy = faults.status(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    const { ask } = await setUp({ reply: (call, index) => (index === 0 ? busy : good(call)) });
    const { code, stdout } = await ask('--quiet');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^The pool was lowered to 4 [^\n]*\n/) });
  });

  it('no key: says what to set, exits with 4, and sends no request', async () => {
    const { cwd, server } = await setUp();
    const args = ['ask', 'Why?', 'notes.md', '-p', 'anthropic'];
    const { code, stdout, stderr } = await rlm(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('Set ANTHROPIC_API_KEY');
    expect(server.paths).toEqual([]);
  });

  it('a project file cannot send the text there', async () => {
    const { server, env } = await setUp();
    const cwd = createFolder({ 'a.md': goodText, 'rlm.config.json': '{"provider": "anthropic"}' });
    const { code, stderr } = await rlm(['ask', 'Why?', 'a.md'], { cwd, env });
    expect(code).toBe(3);
    expect(stderr).toContain('the project file names anthropic');
    expect(server.paths).toEqual([]);
  });
});

describe('rlm doctor', () => {
  it('shows the models if there is a key, and otherwise asks nothing and says what to set', async () => {
    const { env } = await setUp();
    const other = await rlm(['doctor']);
    expect(other.stdout).toMatch(/^! anthropic +not set up, so it was not asked\n +→ .*export ANTHROPIC_API_KEY=/m);
    const unchosen = await rlm(['doctor'], { env });
    expect(unchosen.stdout).toMatch(/^✔ anthropic +answers at/m);
    expect(unchosen.stdout).toContain('Questions are answered by extractive.');
    const { code, stdout } = await rlm(['doctor'], { env: { ...env, RLM_PROVIDER: 'anthropic' } });
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/✔ anthropic +answers at http:\S+; model claude-sonnet-5-5, window up to 1,000,000 tokens/);
    expect(stdout).toMatch(
      /→ anthropic\/claude-sonnet-5-5 +1,000,000 tokens · tools, JSON, thinking · \$2\/\$10 per million tokens/,
    );
    expect(stdout).toContain('Questions are answered by anthropic.');
  });
});
