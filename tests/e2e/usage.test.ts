/** Tests what a run is charged, whatever its server reports. */
import { afterAll, describe, expect, it } from 'vitest';
import { replyByFormat } from '../servers/ollama-server.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../servers/openai-server.ts';
import { warned } from '../support/warned.ts';
import { answer, goodHandlers, goodText, plan } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const parts = ['How large was the pool?', 'Who changed the pool?', 'When did orders fail?', 'What did the deploy do?'];
const cwd = () => createFolder({ 'notes.md': goodText });
const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function start(options: OpenAiServerOptions = {}) {
  const handlers = {
    ...goodHandlers,
    planner: plan('direct', [question]),
    answer: answer('Four [P1].', 'P1', 'lowered from 40 to 4'),
  };
  const server = await startOpenAiServer({ chat: replyByFormat(handlers), models: ['gpt-5.5'], ...options });
  servers.push(server);
  return { ...server, env: { OPENAI_BASE_URL: server.url } };
}

const ask = (more: readonly string[], env: Readonly<Record<string, string>>) =>
  rlm(['ask', question, 'notes.md', '--json', '--provider', 'openai', '--model', 'gpt-5.5', ...more], {
    cwd: cwd(),
    env,
  });

describe.concurrent('a server on this machine', () => {
  it('costs nothing without a key', async () => {
    const { env } = await start();
    const result = resultOf(await ask([], env));
    expect(result.usage.cost).toBe(0);
    expect(result.warningCodes).not.toContain('cost');
  });

  it.each(['gpt-5.5', 'openai/gpt-5.5'])('costs the same as %s if a key is sent', async (model) => {
    const { env } = await start({ models: [model] });
    const keyed = { ...env, OPENAI_API_KEY: 'sk-0123456789' };
    const result = resultOf(await ask(['--model', `openai/${model}`], keyed));
    expect(result.status).toBe('answered');
    const bounded = await ask(['--model', `openai/${model}`, '--max-calls', '7', '--max-cost', '2'], keyed);
    expect(bounded.stderr).toMatch(/at most 7 calls, [\d,]+ tokens, \$\d/);
    expect(result.usage.cost).toBeGreaterThan(0);
    expect(result.warningCodes).not.toContain('cost');
    const limited = resultOf(await ask(['--model', `openai/${model}`, '--max-cost', '0.000001'], keyed));
    expect(limited.error).toMatchObject({ code: 'limit-cost' });
  });

  it('says that the cost is unknown if a key is sent and no price is known', async () => {
    const { env } = await start({ models: ['house-model'] });
    const keyed = { ...env, OPENAI_API_KEY: 'sk-0123456789' };
    const run = await ask(['--model', 'house-model'], keyed);
    expect(resultOf(run).usage.cost).toBeNull();
    expect(warned(resultOf(run), 'cost')).toContain('openai/house-model');
    // The warning is given once per machine.
    const again = await ask(['--model', 'house-model'], keyed);
    expect(resultOf(again).warningCodes).not.toContain('cost');
    const limited = await ask(['--model', 'house-model', '--max-cost', '1'], keyed);
    expect(limited.code).toBe(3);
  });
});

describe.concurrent('a reply of more than 64 MB', () => {
  it('is abandoned, and not requested again', async () => {
    const line = `: ${'x'.repeat(1 << 20)}\n`;
    const { env, chats } = await start({ chat: () => ({ raw: line.repeat(65) }) });
    const run = await ask(['--strategy', 'direct'], env);
    expect(run.code).toBe(5);
    expect(resultOf(run).error!.message).toContain('longer than 67108864 bytes');
    expect(resultOf(run).usage).toMatchObject({ retries: 0, calls: chats.length });
    // The server has written a reply of the greatest length at least.
    expect(resultOf(run).usage.tokens.output).toBeGreaterThanOrEqual(1024);
  });
});

describe.concurrent('a server that counts tokens wrongly', () => {
  it.each([
    ['less than none', -100_000, -5_000],
    ['none', 0, 0],
    ['a part of one', 0.5, 0.5],
    ['more than there can be', 1e15, 1e15],
  ])('%s: the estimate is charged', async (_, promptTokens, replyTokens) => {
    const [honest, wrong] = [await start(), await start({ promptTokens, replyTokens })];
    const right = resultOf(await ask([], honest.env));
    const result = resultOf(await ask([], wrong.env));
    expect(result.status).toBe('answered');
    expect(result.usage.tokens.input).toBeGreaterThanOrEqual(right.usage.tokens.input);
    expect(result.usage.tokens.input).toBeLessThan(right.usage.tokens.input * 2);
    expect(result.usage.tokens.output).toBeGreaterThanOrEqual(right.usage.tokens.output / 2);
    expect(result.usage.tokens.output).toBeLessThan(right.usage.tokens.output * 4);
  });

  it('cannot lift --max-tokens: the run makes no more calls than with right counts', async () => {
    const chat = () => replyByFormat({ ...goodHandlers, planner: plan('decompose', parts) });
    const [honest, wrong] = [
      await start({ chat: chat() }),
      await start({ chat: chat(), promptTokens: -100_000, replyTokens: -5_000 }),
    ];
    const limit = ['--strategy', 'decompose', '--max-tokens', '20000'];
    const right = resultOf(await ask(limit, honest.env));
    const result = resultOf(await ask(limit, wrong.env));
    for (const one of [right, result]) expect(warned(one, 'answered-directly')).toContain('too few calls are left');
    expect(wrong.chats).toHaveLength(honest.chats.length);
  });
});

it('is charged nothing if no model is asked', async () => {
  const result = resultOf(await rlm(['ask', question, 'notes.md', '--json', '-p', 'extractive'], { cwd: cwd() }));
  expect(result.usage.tokens).toMatchObject({ input: 0, output: 0 });
});
