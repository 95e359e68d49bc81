/** Runs the built program with a server that speaks OpenAI's API. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faults, replyByFormat } from '../servers/ollama-server.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../servers/openai-server.ts';
import { warned } from '../support/warned.ts';
import { answer, everyStage, goodText, plan, startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const ask = ['ask', question, 'notes.md', '--json'];
const cwd = () => createFolder({ 'notes.md': goodText });

const replies = [
  plan('direct', [question]),
  answer('Four [P1].', 'P1', 'lowered from 40 to 4'),
  { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: 'It holds.' },
] as const;
const byFormat = { planner: replies[0], answer: replies[1], critic: replies[2] };

const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function start(options: OpenAiServerOptions = {}) {
  const server = await startOpenAiServer({
    chat: replyByFormat(byFormat),
    models: ['qwen3-8b', 'another'],
    ...options,
  });
  servers.push(server);
  return { ...server, env: { OPENAI_BASE_URL: server.url } };
}

describe.concurrent('another server than Ollama', () => {
  it('needs only one flag', async () => {
    const [ollama, openai] = [await startServer(byFormat), await start()];
    const env = { ...ollama.env, ...openai.env };
    const before = resultOf(await rlm(ask, { cwd: cwd(), env }));
    const after = resultOf(await rlm([...ask, '--provider', 'openai'], { cwd: cwd(), env }));
    expect(before).toMatchObject({ provider: 'ollama', warnings: [] });
    expect(after).toMatchObject({ provider: 'openai', model: 'qwen3-8b', status: 'answered' });
    expect({ answer: after.answer, citations: after.citations, confidence: after.confidence }).toEqual({
      answer: before.answer,
      citations: before.citations,
      confidence: before.confidence,
    });
    expect(warned(after, 'model')).toMatch(/no model was named; .* has qwen3-8b/);
    expect(after.usage).toMatchObject({ calls: 3, retries: 0, cost: 0 });
    expect(openai.chats.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('answers although it refuses half of the parameters', async () => {
    const refuses = ['json_schema', 'json_object', 'stream_options', 'temperature'];
    const said = replies.map((reply) => JSON.stringify(reply));
    let accepted = 0;
    const { env, chats } = await start({ refuses, chat: () => `Sure!\n\`\`\`json\n${said[accepted++]}\n\`\`\`` });
    const result = resultOf(
      await rlm([...ask, '--provider', 'openai', '--model', 'another'], {
        cwd: cwd(),
        env: { ...env, ...everyStage },
      }),
    );
    expect(result).toMatchObject({ answer: 'Four [1].', usage: { calls: 3, retries: 0 } });
    expect(chats.length - accepted).toBe(refuses.length);
    expect(warned(result, 'model')).toContain('does not accept json_schema, json_object, temperature');
  });

  it('is asked again after a first failure, and is an error after a permanent one', async () => {
    let calls = 0;
    const slow = faults.status(429, { error: { message: 'slow down' } }, { 'retry-after': '0' });
    const flaky = await start({ chat: (call) => (calls++ === 1 ? slow : replyByFormat(byFormat)(call)) });
    const env = { ...flaky.env, ...everyStage, RLM_PLANNER: 'never' };
    const run = await rlm([...ask, '--provider', 'openai'], { cwd: cwd(), env });
    expect(resultOf(run)).toMatchObject({ answer: 'Four [1].', usage: { retries: 1 } });
    const dead = await rlm([...ask, '--provider', 'openai'], {
      cwd: cwd(),
      env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
    });
    expect(dead.code).toBe(4);
    expect(resultOf(dead).error).toMatchObject({ code: 'provider-unreachable' });
    expect(dead.stderr).toContain('OPENAI_BASE_URL');
  });

  it('is abandoned when it stalls', async () => {
    const { env } = await start({ elsewhere: () => faults.stall() });
    const run = await rlm([...ask, '--provider', 'openai', '--call-timeout', '1'], { cwd: cwd(), env });
    expect(run.code).toBe(4);
    expect(resultOf(run).error!.message).toContain(`${env.OPENAI_BASE_URL} did not answer within 1 s`);
  });

  it("gets the user's key, which occurs nowhere else", async () => {
    const key = 'hush-0123456789abcdef';
    const { url, chats } = await start({ key, chat: (call) => replyByFormat(byFormat)(call) });
    const home = createFolder({ 'config/rlm/config.json': JSON.stringify({ openai: { apiKey: key, baseUrl: url } }) });
    const folder = cwd();
    const env = { XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state') };
    const args = [...ask, '--provider', 'openai', '--verbose', '--log-file', join(folder, 'run.log')];
    const run = await rlm(args, { cwd: folder, env });
    expect(resultOf(run), run.stderr).toMatchObject({ status: 'answered' });
    expect(chats.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    const shown = await Promise.all([rlm(['config', 'list'], { env }), rlm(['doctor', '--json'], { env })]);
    for (const { stdout, stderr } of [run, ...shown]) expect(stdout + stderr).not.toContain(key);
    expect(shown[0]!.stdout).toMatch(/openai\.apiKey +\[secret\]/);
    const found = spawnSync('grep', ['-rl', key, folder, join(home, 'state')], { encoding: 'utf8' });
    expect(found).toMatchObject({ status: 1, stdout: '', stderr: '' });
  });
});

describe.concurrent('a project file', () => {
  it.each([
    ['baseUrl', 'http://evil.example/v1'],
    ['apiKey', 'k'],
    ['windowTokens', 5000],
  ])('may not set openai.%s', async (name, value) => {
    const settings = { openai: { [name]: value } };
    const folder = createFolder({ 'notes.md': goodText, 'rlm.config.json': JSON.stringify(settings) });
    const { code, stderr } = await rlm(['ask', question, 'notes.md'], { cwd: folder });
    expect(code).toBe(3);
    expect(stderr).toContain(`may not set "openai.${name}"`);
  });

  it('sends no text to OpenAI with the key of the user', async () => {
    const settings = { provider: 'openai', model: 'gpt-5.5' };
    const folder = createFolder({ 'notes.md': goodText, 'rlm.config.json': JSON.stringify(settings) });
    const { code, stderr } = await rlm(['ask', question, 'notes.md'], {
      cwd: folder,
      env: { OPENAI_API_KEY: 'sk-0123456789' },
    });
    expect(code).toBe(3);
    expect(stderr).toContain('the project file names openai');
  });
});

describe.concurrent('rlm doctor', () => {
  it('shows the server and its models', async () => {
    const { env } = await start({ models: [{ id: 'qwen3-8b', max_model_len: 16_384 }] });
    const { stdout, code } = await rlm(['doctor'], { env: { ...env, RLM_PROVIDER: 'openai' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/✔ openai +answers at http:\S+; model qwen3-8b, window up to 16,384 tokens/);
    expect(stdout).toContain('qwen3-8b  16,384 tokens');
    expect(stdout).toContain('Questions are answered by openai');
  });
});
