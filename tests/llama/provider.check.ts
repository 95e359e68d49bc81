/** Tests the provider with a real model. Its replies are noise; everything else is as with other models. */
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { prompts } from '../../src/prompts/index.ts';
import { replySchema } from '../../src/prompts/reply/reply-form.ts';
import { createLlamaCppEmbedder } from '../../src/providers/llama-cpp/embedder.ts';
import { createLlamaCppProvider } from '../../src/providers/llama-cpp/provider.ts';
import { providerContract } from '../contracts/provider.ts';
import { answerRequest } from '../contracts/sample-requests.ts';
import { ggufFile } from '../support/gguf-file.ts';
import { modelFolder, options } from './real-model.ts';

const { signal } = new AbortController();

/** A request whose reply only the limit ends. */
const endless = { schema: null, maxOutputTokens: 100_000, windowTokens: 32_768 } as const;

providerContract('llama-cpp, for real', {
  answers: () => {
    const provider = createLlamaCppProvider(options);
    return { provider, close: async () => provider.close?.() };
  },
  stalls: null,
  stallsMidReply: null,
  fails: () => {
    writeFileSync(join(modelFolder, 'other.gguf'), ggufFile({ 'general.architecture': 'no-such-architecture' }));
    return { provider: createLlamaCppProvider({ ...options, model: 'other.gguf' }) };
  },
});

describe('llama-cpp with a real model', () => {
  const provider = createLlamaCppProvider(options);
  afterAll(() => provider.close?.());

  it('replies equally to the same request with a seed, and differently without', async () => {
    const ask = async (seed: number | null) => {
      const reply = await provider.call(answerRequest({ schema: null, maxOutputTokens: 30, seed, temperature: 1 }), {
        signal,
      });
      return reply.text;
    };
    expect(await ask(7)).toBe(await ask(7));
    expect(new Set([await ask(7), await ask(8), await ask(null), await ask(null)]).size).toBe(4);
  });

  it('follows a schema with alternatives, bounds and tools', async () => {
    const tool = {
      name: 'search_context',
      about: '',
      schema: { type: 'object', properties: { query: { type: 'string' } } },
    };
    const actions = { kind: 'actions', label: 'ACTION', about: '', required: true } as const;
    const schema = replySchema({ ...prompts.critic.fields, actions }, { tools: [tool, { ...tool, name: 'read' }] });
    const { text } = await provider.call(answerRequest({ schema, maxOutputTokens: 2_000 }), { signal });
    const reply = JSON.parse(text);
    expect(Object.keys(reply)).toEqual([...Object.keys(prompts.critic.fields), 'actions']);
    expect(reply.confidenceScore).toBeGreaterThanOrEqual(0);
    expect(reply.confidenceScore).toBeLessThanOrEqual(100);
    for (const { tool: name } of reply.actions) expect(['search_context', 'read']).toContain(name);
  });

  it('reports the probability of its first token, and its reply is the same as without that', async () => {
    const request = answerRequest({ schema: null, maxOutputTokens: 5, seed: 7, temperature: 1 });
    const reply = await provider.call({ ...request, logprobs: true }, { signal });
    const [first, rest] = reply.logprobs!;
    expect(first!.token + rest!.token).toBe(reply.text);
    expect(first!.alternatives).toHaveLength(20);
    const sum = first!.alternatives.reduce((all, { logprob }) => all + Math.exp(logprob), 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(1.000_1);
    expect(reply.text).toBe((await provider.call(request, { signal })).text);
  });

  it('streams, and is stopped by the limit of its output', async () => {
    const counts: number[] = [];
    const request = answerRequest({ ...endless, maxOutputTokens: 60 });
    const reply = await provider.call(request, { signal, onProgress: (count) => counts.push(count) });
    expect(reply).toMatchObject({ finish: 'length', tokens: { output: 60 } });
    expect(counts.length).toBeGreaterThan(20);
    expect(counts.at(-1)).toBe(reply.text.length);
  });

  it('is stopped by the end of its window, and drops nothing to continue', async () => {
    const { finish, tokens } = await provider.call(answerRequest({ ...endless, windowTokens: 512 }), { signal });
    expect(finish).toBe('length');
    expect(tokens!.input + tokens!.output).toBeGreaterThan(500);
    expect(tokens!.input + tokens!.output).toBeLessThanOrEqual(512);
  });

  it('refuses a prompt that does not fit', async () => {
    const messages = [{ role: 'user', content: 'Passages '.repeat(600) }] as const;
    const call = provider.call(answerRequest({ messages, windowTokens: 512 }), { signal });
    await expect(call).rejects.toMatchObject({ code: 'prompt-too-long' });
  });

  it.each([
    ['while it reads', { messages: [{ role: 'user', content: 'Passages '.repeat(14_000) }] }, 300],
    ['while it writes', {}, 300],
    ['before the model is loaded', {}, 0],
  ] as const)('ends a call within a second %s, and serves the next', async (when, changes, ms) => {
    const mine = when === 'before the model is loaded' ? createLlamaCppProvider(options) : provider;
    const controller = new AbortController();
    const request = answerRequest({ ...endless, ...changes });
    const call = mine.call(request, { signal: controller.signal }).then(
      () => null,
      (error: unknown) => error,
    );
    await new Promise((resolve) => setTimeout(resolve, ms));
    const reason = new Error('enough');
    const abortedAt = performance.now();
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
    expect((await mine.call(answerRequest(), { signal })).text).toMatch(/^\{/);
    if (mine !== provider) await mine.close?.();
  });

  it('reads special words of a template as plain words', async () => {
    const tokensOf = async (content: string) => {
      const messages = [{ role: 'user', content }] as const;
      return (await provider.call(answerRequest({ messages, maxOutputTokens: 1 }), { signal })).tokens!.input;
    };
    const bare = await tokensOf('');
    expect((await tokensOf('<|im_end|>')) - bare).toBeGreaterThan(3);
  });

  it('reports a model that is cut off, or of an unknown kind', async () => {
    copyFileSync(join(modelFolder, 'tiny.gguf'), join(modelFolder, 'cut.gguf'));
    truncateSync(join(modelFolder, 'cut.gguf'), 400_000);
    const cut = createLlamaCppProvider({ ...options, model: 'cut.gguf' });
    await expect(cut.inspect(signal)).rejects.toMatchObject({ code: 'model-missing' });
    writeFileSync(join(modelFolder, 'other.gguf'), ggufFile({ 'general.architecture': 'no-such-architecture' }));
    const other = createLlamaCppProvider({ ...options, model: 'other.gguf' });
    await expect(other.call(answerRequest(), { signal })).rejects.toMatchObject({ code: 'provider-failed' });
  });
});

describe('llama-cpp with a real model makes vectors', () => {
  const embedder = createLlamaCppEmbedder(options);
  afterAll(() => embedder.close?.());

  it('that are the same for the same text, and of one length', async () => {
    expect((await embedder.inspect(signal)).digest).toEqual(expect.any(String));
    const { vectors, tokens } = await embedder.embed(['one', 'another text', 'one'], signal);
    expect(vectors.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[0]).not.toEqual(vectors[1]);
    expect(tokens).toBeGreaterThan(3);
  });

  it('except for a text that is too long, and after an abort', async () => {
    const long = embedder.embed(['one', 'word '.repeat(5_000)], signal);
    await expect(long).rejects.toMatchObject({ code: 'prompt-too-long' });
    const reason = new Error('enough');
    await expect(embedder.embed(['one'], AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const stopped = embedder.embed(
      Array.from({ length: 500 }, (_, at) => `text ${at}`),
      controller.signal,
    );
    setTimeout(() => controller.abort(reason), 50);
    await expect(stopped).rejects.toBe(reason);
  });
});
