import { describe, expect, test } from 'vitest';
import type { PullOptions, PullProgress } from '../../../src/providers/provider.ts';
import { layer, pullLines } from '../../servers/ollama-pull.ts';
import { faults, type OllamaServerOptions } from '../../servers/ollama-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { signal } from '../server-fixture.ts';
import { model, useOllama } from './fixture.ts';

const ollama = useOllama();
const silent: PullOptions = { signal, onProgress: () => {} };

async function pull(lines: ReturnType<NonNullable<OllamaServerOptions['pull']>>, options = silent): Promise<void> {
  const provider = await ollama.provider('', { models: [], pull: () => lines });
  return provider.pull!(options);
}

describe('pull', () => {
  test('reports each step and installs the model', async () => {
    const seen: PullProgress[] = [];
    const provider = await ollama.provider('', { models: [], pull: () => pullLines(1000, 2) });
    await provider.pull!({ signal, onProgress: (progress) => seen.push(progress) });
    const part = { status: 'pulling aaaaaaaaaaaa', digest: layer('a'), totalBytes: 1000 };
    const step = { digest: null, completedBytes: 0, totalBytes: null };
    expect(seen).toEqual([
      { status: 'pulling manifest', ...step },
      ...[0, 500, 1000].map((completedBytes) => ({ ...part, completedBytes })),
      ...['verifying sha256 digest', 'writing manifest', 'success'].map((status) => ({ status, ...step })),
    ]);
    expect((await provider.inspect(signal)).model).toBe(model);
  });

  const manifest = { status: 'pulling manifest' };

  test.each([
    ['pull model manifest: file does not exist', 'model-missing'],
    ['pull model manifest: 404', 'model-missing'],
    ['write /models/blobs/sha256-1-partial: no space left on device', 'no-space'],
    ['digest mismatch, file must be downloaded again', 'provider-failed'],
  ])('%s is %s', async (error, code) => {
    const thrown = await errorOf(pull([manifest, { error }]));
    expect(thrown).toMatchObject({ code });
    expect(thrown.message).toContain(error);
    expect(thrown.hint).not.toBe('');
  });

  test('the same applies before the stream has begun', async () => {
    const full = faults.status(500, { error: 'open /models/blobs: no space left on device' });
    expect(await errorOf(pull(full))).toMatchObject({ code: 'no-space' });
    expect(await errorOf(pull(faults.status(404, '404 page not found')))).toMatchObject({
      code: 'provider-unreachable',
      message: /is not Ollama/,
    });
    const named = await ollama.provider('', {}, 'bad name!');
    expect(await errorOf(named.pull!(silent))).toMatchObject({
      code: 'model-missing',
      message: /refuses the model name "bad name!": invalid model name/,
    });
  });

  test('a download that ends without success is a failure that says how to continue', async () => {
    const error = await errorOf(pull(pullLines(1000, 4).slice(0, 4)));
    expect(error).toMatchObject({ code: 'provider-failed', message: /before it was done/, hint: /goes on where/ });
  });

  test('no server', async () => {
    const provider = await ollama.provider('');
    await ollama.server.close();
    expect(await errorOf(provider.pull!(silent))).toMatchObject({ code: 'provider-unreachable' });
  });

  test('an abort closes the connection', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const lines = [...pullLines(1000, 4).slice(0, 3), Number.POSITIVE_INFINITY];
    const onProgress = ({ completedBytes }: PullProgress) => void (completedBytes > 0 && controller.abort(reason));
    await expect(pull(lines, { signal: controller.signal, onProgress })).rejects.toBe(reason);
    await expect.poll(() => ollama.server.openSockets()).toBe(0);
  });
});

describe('show', () => {
  test('shows all fields of a model', async () => {
    const provider = await ollama.provider('', { models: [{ name: model, size: 9_000_000_000 }] });
    expect(await provider.show!(signal)).toEqual({
      name: model,
      sizeBytes: 9_000_000_000,
      capabilities: ['completion', 'tools'],
      windowTokens: 32_768,
      family: 'qwen2',
      parameterSize: '14.8B',
      quantization: 'Q4_K_M',
      parameters: { num_ctx: ['4096'], stop: ['<|im_start|>', '<|im_end|>'] },
      templateDigest: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test('omits the size if models are not listed', async () => {
    const elsewhere = (path: string) => (path === '/api/tags' ? faults.reset() : null);
    expect(await (await ollama.provider('', { elsewhere })).show!(signal)).toMatchObject({ sizeBytes: null });
  });

  test('reports a missing model', async () => {
    const error = await errorOf((await ollama.provider('', { models: [] })).show!(signal));
    expect(error).toMatchObject({ code: 'model-missing' });
  });
});
