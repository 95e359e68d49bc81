import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseProvider, settleProvider } from '../../../src/assemble/models/choose-provider.ts';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { grammarSchema } from '../../../src/providers/llama-cpp/chat.ts';
import { largestContext, readModelFile } from '../../../src/providers/llama-cpp/file.ts';
import type { LlamaCppOptions } from '../../../src/providers/llama-cpp/model.ts';
import { findPackage, installCommand } from '../../../src/providers/llama-cpp/package.ts';
import { createLlamaCppProvider } from '../../../src/providers/llama-cpp/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { errorOf } from '../../support/error-of.ts';
import { type FakeBehaviour, fakeLlama, fakePackage } from '../../support/fake-llama-package.ts';
import { type GgufValue, ggufFile } from '../../support/gguf-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
afterEach(() => void vi.unstubAllEnvs());

const llama: Readonly<Record<string, GgufValue>> = {
  'general.architecture': 'llama',
  'llama.context_length': 8192,
  'llama.block_count': 30,
  'llama.embedding_length': 576,
  'llama.attention.head_count': 9,
  'llama.attention.head_count_kv': 3,
  'tokenizer.chat_template': '{{ messages }}',
};
const modelFile = (values: Readonly<Record<string, GgufValue>> = {}): Buffer => ggufFile({ ...llama, ...values });

/** Creates a provider for `model.gguf`, with a simulated package. */
async function make(behaviour: FakeBehaviour, changes: Partial<LlamaCppOptions> = {}) {
  const { folder, module } = await fakeLlama(behaviour);
  const cwd = tempFolder({ 'model.gguf': modelFile() });
  const options = { model: 'model.gguf', cwd, folder, threads: 1, gpu: 'off', ...changes } as const;
  return { provider: createLlamaCppProvider(options), module };
}

describe('the model file', () => {
  const inspect = (files: Readonly<Record<string, string | Buffer>>, model: string) =>
    createLlamaCppProvider({ model, cwd: tempFolder(files), folder: null, threads: 1, gpu: 'off' }).inspect(signal);

  it.each([
    ['is not there', {}, /^there is no model file .*model\.gguf$/],
    ['is no GGUF file', { 'model.gguf': 'text' }, /is not a usable GGUF file: it does not begin with GGUF/],
    ['is cut off', { 'model.gguf': modelFile().subarray(0, 200) }, /it is cut off before the weights begin/],
    ['is a folder', { 'model.gguf/a': '' }, /model\.gguf is no file/],
    ['is made for vectors', { 'model.gguf': modelFile({ 'llama.pooling_type': 1 }) }, /cannot chat/],
  ])('that %s is reported as such', async (_, files, message) => {
    const error = await errorOf(inspect(files, 'model.gguf'));
    expect(error).toMatchObject({ code: 'model-missing', transient: false, hint: expect.stringMatching(/\w/) });
    expect(error.message).toMatch(message);
  });

  it('has another digest when it has changed', async () => {
    const folder = tempFolder({ 'a.gguf': modelFile(), 'b.gguf': modelFile({ 'general.name': 'b' }) });
    const path = join(folder, 'a.gguf');
    const { digest } = await readModelFile(path);
    expect((await readModelFile(path)).digest).toBe(digest);
    expect((await readModelFile(join(folder, 'b.gguf'))).digest).not.toBe(digest);
    utimesSync(path, 1, 1);
    expect((await readModelFile(path)).digest).not.toBe(digest);
  });

  it('has the window that it was trained for, if the memory allows it', async () => {
    const file = await readModelFile(join(tempFolder({ 'a.gguf': modelFile() }), 'a.gguf'));
    expect(file.bytesPerToken).toBe(2 * 30 * 3 * 128);
    expect(largestContext(file, 2 ** 40)).toBe(8192);
    expect(largestContext(file, file.sizeBytes + 2 * 5000 * file.bytesPerToken)).toBe(4096);
    expect(largestContext(file, 0)).toBe(2048);
  });

  it('is refused if an untrusted project file chose it', async () => {
    const project = { 'rlm.config.json': JSON.stringify({ model: 'model.gguf' }), 'model.gguf': modelFile() };
    const configuration = loadConfiguration({ env: {}, cwd: tempFolder(project) });
    const error = await errorOf(chooseProvider(configuration, undefined, signal));
    expect(error).toMatchObject({ code: 'config-invalid' });
    expect(error.hint).toContain('--model');
  });

  it.each([
    ['model.gguf', 'llama-cpp'],
    ['/models/Some Model.GGUF', 'llama-cpp'],
    ['C:\\models\\model.gguf', 'llama-cpp'],
    ['hf.co/someone/model-GGUF:model-Q4_K_M.gguf', 'auto'],
    ['llama3.2:3b', 'auto'],
  ])('by the name %s is run by %s', (model, provider) => {
    const settings = new Map([['model', model]]);
    expect(settleProvider(loadConfiguration({ env: {}, cwd: tempFolder(), settings }))).toEqual({ provider, model });
  });

  it('is requested if none is named', async () => {
    const settings = new Map([['provider', 'llama-cpp']]);
    const choice = loadConfiguration({ env: {}, cwd: tempFolder(), settings });
    const error = await errorOf(chooseProvider(choice, undefined, signal));
    expect(error).toMatchObject({ code: 'model-missing', message: 'no GGUF file is named' });
  });
});

describe('the package', () => {
  const manifest = (version: string) => JSON.stringify({ name: 'node-llama-cpp', version, type: 'module' });

  it('that is not installed is an error with the command that installs it', async () => {
    const error = await errorOf(findPackage(tempFolder(), '/', signal));
    expect(error).toMatchObject({ code: 'provider-unreachable', hint: `Install it (85 MB): ${installCommand()}` });
    expect(error.message).toContain('is not installed');
    expect(installCommand('linux-x64')).toBe(
      'npm i -g --omit=optional --ignore-scripts node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1',
    );
  });

  it('is found in the named folder, whether that is its own or its parent', async () => {
    const above = fakePackage({ 'package.json': manifest('3.22.1') });
    const folder = join(above, 'node_modules', 'node-llama-cpp');
    expect(await findPackage(above, '/', signal)).toEqual({ folder, version: '3.22.1' });
    expect(await findPackage(folder, '/', signal)).toEqual({ folder, version: '3.22.1' });
    expect(await findPackage('.', above, signal)).toEqual({ folder, version: '3.22.1' });
  });

  it('is found from the working folder upwards', async () => {
    const above = fakePackage({ 'package.json': manifest('3.30.0') });
    const deeper = join(above, 'a', 'b');
    mkdirSync(deeper, { recursive: true });
    vi.stubEnv('npm_config_prefix', tempFolder());
    expect(await findPackage(null, deeper, signal)).toMatchObject({ version: '3.30.0' });
  });

  it.each([
    ['of another version', { 'package.json': manifest('2.8.0') }, /is version 2\.8\.0; version 3 is needed/],
    ['without a manifest', { 'dist/index.js': '' }, /does not work: ENOENT/],
    ['with a manifest that is none', { 'package.json': '{' }, /does not work: .*JSON/],
  ])('%s is reported as such', async (_, files, message) => {
    const error = await errorOf(findPackage(fakePackage(files), '/', signal));
    expect(error).toMatchObject({ code: 'provider-unreachable' });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('not installed');
  });

  it.each([
    ['has no code', {}, /does not work: Cannot find module/],
    [
      'lacks another',
      { 'dist/index.js': "import 'chalk-of-another-world';" },
      /Cannot find package 'chalk-of-another-w/,
    ],
    ['fails', { 'dist/index.js': "throw new Error('no glibc');" }, /does not work: no glibc/],
    [
      'has no part for this machine',
      { 'dist/index.js': "export const getLlama = async () => { throw new Error('NoBinaryFound'); };" },
      /does not work: NoBinaryFound/,
    ],
  ])('that %s is reported at the first call', async (_, files, message) => {
    const folder = fakePackage({ 'package.json': manifest('3.22.1'), ...files });
    const { provider } = await make({ mode: 'reply' }, { folder });
    await provider.inspect(signal);
    const error = await errorOf(provider.call(answerRequest(), { signal }));
    expect(error).toMatchObject({ code: 'provider-unreachable', hint: expect.stringContaining('npm i') });
    expect(error.message).toMatch(message);
  });
});

describe('the llama-cpp provider', () => {
  it('makes one window for calls of the same size', async () => {
    const { provider, module } = await make({ mode: 'reply' });
    for (const windowTokens of [4096, 4096, 8192]) await provider.call(answerRequest({ windowTokens }), { signal });
    expect(module.state.contexts).toEqual([4096, 8192]);
  });

  it('refuses a prompt that does not fit before it is read', async () => {
    const { provider, module } = await make({ mode: 'reply' });
    const messages = [{ role: 'user', content: 'word '.repeat(4000) }] as const;
    const error = await errorOf(provider.call(answerRequest({ messages, windowTokens: 2048 }), { signal }));
    expect(error).toMatchObject({ code: 'prompt-too-long', transient: false });
    expect(error.message).toContain('2048');
    expect(module.received).toEqual([]);
  });

  it('ends a reply at the end of the window, and marks it as cut', async () => {
    const { provider } = await make({ mode: 'reply', replies: { long: 'x'.repeat(4000) } });
    const messages = [{ role: 'user', content: `long: ${'word '.repeat(1500)}` }] as const;
    const reply = await provider.call(answerRequest({ messages, windowTokens: 2048 }), { signal });
    const { input, output } = reply.tokens!;
    expect(reply.finish).toBe('length');
    expect(output).toBeGreaterThan(0);
    expect(input + output).toBeLessThan(2048);
  });

  it('reports the probability of the first token and its alternatives on request', async () => {
    const { provider } = await make({ mode: 'reply', replies: { ask: 7 }, nextLogits: { 7: 2, 1: 1, 0: 0 } });
    const messages = [{ role: 'user', content: 'ask: how many?' }] as const;
    const ask = (logprobs: boolean) => provider.call(answerRequest({ messages, schema: null, logprobs }), { signal });
    const { logprobs } = await ask(true);
    expect(logprobs!.map(({ token }) => token)).toEqual(['7', '']);
    const [first, rest] = logprobs!;
    expect(first!.alternatives.map(({ token }) => token)).toEqual(['7', '1', '0']);
    expect(first!.alternatives.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1);
    expect(first!.logprob).toBeCloseTo(2 - Math.log(Math.E ** 2 + Math.E + 1));
    expect(rest!.alternatives).toEqual([]);
    expect(await ask(false)).not.toHaveProperty('logprobs');
  });

  it('reports no probabilities for a reply whose first token is not among the likely ones', async () => {
    const { provider } = await make({ mode: 'reply', replies: { ask: 7 }, nextLogits: { 1: 1 } });
    const messages = [{ role: 'user', content: 'ask: how many?' }] as const;
    const reply = await provider.call(answerRequest({ messages, schema: null, logprobs: true }), { signal });
    expect(reply).not.toHaveProperty('logprobs');
  });

  it('answers one call after the other, and drops those that were cancelled meanwhile', async () => {
    const { provider, module } = await make({ mode: 'stall' });
    const first = new AbortController();
    const second = new AbortController();
    const calls = [first, second].map((controller) =>
      provider.call(answerRequest(), { signal: controller.signal }).catch((error: Error) => error.message),
    );
    await expect.poll(() => module.received.length).toBe(1);
    second.abort(new Error('the second'));
    expect(await calls[1]).toBe('the second');
    first.abort(new Error('the first'));
    expect(await calls[0]).toBe('the first');
    expect(module.received).toHaveLength(1);
  });

  it('frees the model when it is closed', async () => {
    const { provider, module } = await make({ mode: 'reply' });
    await provider.call(answerRequest(), { signal });
    await provider.close?.();
    expect(module.state.disposed).toBe(1);
  });

  it('lists the file for rlm doctor', async () => {
    const { provider } = await make({ mode: 'reply' });
    expect(await provider.survey?.(signal)).toMatchObject({
      version: '3.22.1',
      models: [{ name: 'model.gguf', windowTokens: 8192, capabilities: ['completion'] }],
    });
  });
});

describe('grammarSchema', () => {
  it('writes bounds as values, and alternatives in the form of the package', () => {
    const score = { type: 'integer', minimum: 0, maximum: 3 };
    const schema = { type: 'object', properties: { score, any: { anyOf: [{ type: 'string' }, score] } } };
    expect(grammarSchema(schema)).toEqual({
      type: 'object',
      properties: { score: { enum: [0, 1, 2, 3] }, any: { oneOf: [{ type: 'string' }, { enum: [0, 1, 2, 3] }] } },
    });
  });

  it('leaves wide bounds, and numbers without them, unchanged', () => {
    for (const schema of [{ type: 'integer' }, { type: 'integer', minimum: 0, maximum: 1e9 }, { type: 'number' }]) {
      expect(grammarSchema(schema)).toEqual(schema);
    }
  });
});
