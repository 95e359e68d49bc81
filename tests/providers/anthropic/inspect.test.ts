import { describe, expect, test } from 'vitest';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { faults } from '../../servers/faults.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { key, model, useAnthropic } from './fixture.ts';

const anthropic = useAnthropic();

describe('inspect', () => {
  test('returns the facts that the API reports about the model', async () => {
    const provider = await anthropic.provider('x');
    expect(await provider.inspect(signal)).toEqual({
      model,
      maxWindowTokens: 1_000_000,
      structuredOutput: true,
      tools: true,
      spends: 'money',
      digest: model,
      callsAtOnce: 8,
      answersWithoutText: true,
      notices: [],
    });
    expect(anthropic.server.paths).toEqual([`/v1/models/${model}`]);
  });

  test.each([
    ['a window that is not told', { window: null }, /200000 tokens are assumed/],
    ['a model that says nothing', { isMute: true }, /200000 tokens are assumed/],
    ['a model that ends soon', { lifecycle: 'deprecated', retiresAt: '2026-11-30T00:00:00Z' }, /ends on 2026-11-30/],
    ['a model that always thinks', { thinking: ['adaptive'] }, /counts towards reply\.maxTokens/],
  ] as const)('%s is reported', async (_what, about, notice) => {
    const info = await (await anthropic.provider('x', { models: [{ id: model, ...about }] })).inspect(signal);
    expect(info.notices).toEqual([expect.stringMatching(notice)]);
  });

  test('a missing model is named beside those like it', async () => {
    const models = ['claude-opus-5-5', 'claude-haiku-5-5', ...Array.from({ length: 9 }, (_, n) => `claude-x-${n}`)];
    const options = { models: models.map((id) => ({ id })) };
    const provider = await anthropic.provider('x', options, 'claude-haiku-5-6');
    const { code, message, hint } = await errorOf(provider.inspect(signal));
    expect(code).toBe('model-missing');
    expect(message).toMatch(/no model "claude-haiku-5-6"; it has claude-haiku-5-5, claude-opus-5-5, .*and 3 more$/);
    expect(hint).toContain('--model');
  });

  test('a retired model is missing', async () => {
    const provider = await anthropic.provider('x', { models: [{ id: model, lifecycle: 'retired' }] });
    expect(await errorOf(provider.inspect(signal))).toMatchObject({ code: 'model-missing' });
  });

  test('a server that lists models but shows none is sufficient', async () => {
    const elsewhere = (path: string) => (path.includes('?') ? null : faults.status(404, 'not here'));
    const provider = await anthropic.provider('x', { elsewhere });
    expect(await provider.inspect(signal)).toMatchObject({ model, maxWindowTokens: 1_000_000 });
  });

  test('without a key nothing is sent to the hosted API', async () => {
    const provider = createAnthropicProvider({ baseUrl: 'https://api.anthropic.com/', model, apiKey: null });
    for (const work of [
      provider.inspect(signal),
      provider.survey!(signal),
      provider.call(answerRequest(), { signal }),
    ]) {
      const error = await errorOf(work);
      expect(error).toMatchObject({ code: 'credentials-refused', message: /ANTHROPIC_API_KEY is not set/ });
      expect(error.hint).toContain('ANTHROPIC_API_KEY');
    }
  });

  test("the user's own server may require none", async () => {
    const { url } = await anthropic.start('x', { key: null });
    const provider = createAnthropicProvider({ baseUrl: `${url}/v1/`, model, apiKey: null });
    await provider.inspect(signal);
    await provider.call(answerRequest(), { signal });
    expect(anthropic.server.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  test.each([
    [
      'a wrong key',
      faults.status(401, { type: 'error', error: { type: 'authentication_error' } }),
      'credentials-refused',
    ],
    ['a page', faults.html(), 'provider-unreachable'],
    ['other JSON', faults.status(200, { hello: 1 }), 'provider-unreachable'],
    ['no JSON', faults.status(200, '{', { 'content-type': 'application/json' }), 'provider-unreachable'],
    ['an overload', faults.status(529, 'busy'), 'provider-unreachable'],
    ['a reset', faults.reset(), 'provider-unreachable'],
    ['a redirect', faults.status(307, '', { location: 'http://127.0.0.2:1/' }), 'provider-unreachable'],
    ['404 for everything', faults.status(404, '<html></html>'), 'model-missing'],
  ])('%s is an error', async (_what, fault, code) => {
    const provider = await anthropic.provider('x', { elsewhere: () => fault });
    expect(await errorOf(provider.inspect(signal))).toMatchObject({ code });
  });

  test('is ended by an abort', async () => {
    const provider = await anthropic.provider('x', { elsewhere: () => faults.stall() });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 20);
    await expect(provider.inspect(controller.signal)).rejects.toBe(reason);
  });

  test('survey lists the models with their abilities', async () => {
    const models = [
      { id: model },
      { id: 'claude-haiku-4-5', window: 200_000, thinking: null, structuredOutput: false },
    ];
    const { models: listed, address } = await (await anthropic.provider('x', { models })).survey!(signal);
    expect(address).toBe(anthropic.server.url);
    expect(listed).toEqual([
      {
        name: model,
        sizeBytes: null,
        capabilities: ['completion', 'tools', 'thinking', 'structured output'],
        windowTokens: 1_000_000,
      },
      { name: 'claude-haiku-4-5', sizeBytes: null, capabilities: ['completion', 'tools'], windowTokens: 200_000 },
    ]);
  });

  test('an invalid address is a wrong setting', () => {
    const make = (baseUrl: string) => () => createAnthropicProvider({ baseUrl, model, apiKey: key });
    for (const wrong of ['api.anthropic.com', 'ftp://x', 'https://x?y', '']) {
      expect(make(wrong)).toThrow(/anthropic\.baseUrl is not an address/);
    }
  });
});
