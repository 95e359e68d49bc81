/** Tests that the built program, with a real model in its process, answers, can be interrupted, and ends. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, resultOf, rlm, startRlm } from '../e2e/run-rlm.ts';
import { modelFolder, packageFolder } from './real-model.ts';

const env = { RLM_LLAMA_CPP_FOLDER: packageFolder, RLM_LLAMA_CPP_THREADS: '1', RLM_LLAMA_CPP_GPU: 'off' };
const model = join(modelFolder, 'tiny.gguf');
const notes = 'At 02:14 the payment service ran out of connections.\nThe pool was limited to 20 by release 4.2.\n';

describe('rlm with --provider llama-cpp', () => {
  // The weights are random. A reply that follows a schema can be read; endless prose is not an answer.
  it('runs a question through all stages to a well-formed result', async () => {
    const cwd = createFolder({ 'notes.txt': notes });
    const args = ['ask', 'What limited the pool?', 'notes.txt', '--provider', 'llama-cpp', '--model', model, '--json'];
    const finished = await rlm(args, { cwd, env: { ...env, RLM_PLANNER: 'always' } });
    const result = resultOf(finished);
    expect(result).toMatchObject({ provider: 'llama-cpp', model: 'tiny.gguf', plan: { madeBy: 'planner' } });
    expect({ answered: 0, failed: 5 }[result.status as string]).toBe(finished.code);
    expect(result.error?.code ?? null).toBe(result.status === 'answered' ? null : 'reply-unusable');
    expect(result.usage.calls).toBeGreaterThanOrEqual(2);
  });

  it('splits a question, finds passages by vectors of the same model, and needs no provider name', async () => {
    const lines = Array.from({ length: 1_500 }, (_, at) => `Line ${at}: the pool was limited to ${at} by a release.`);
    const cwd = createFolder({ 'notes.txt': lines.join('\n') });
    const finished = await rlm(
      ['ask', 'What limited the pool, and when?', 'notes.txt', '--model', model, '--strategy', 'decompose', '--json'],
      {
        cwd,
        env: {
          ...env,
          RLM_EMBEDDING_PROVIDER: 'llama-cpp',
          RLM_EMBEDDING_MODEL: model,
          RLM_MAX_WINDOW_TOKENS: '16384',
          RLM_MAX_SUBCALLS: '12',
        },
      },
    );
    expect([0, 5, 6]).toContain(finished.code);
    const result = resultOf(finished);
    expect(result.provider).toBe('llama-cpp');
    expect(result.usage.embeddings?.requests).toBeGreaterThan(0);
  });

  it.each(['explore', 'repl'])('ends well-formed with --strategy %s, whatever the model says', async (strategy) => {
    const settings = { reply: { maxTokens: 200 }, budget: { maxCalls: 8, maxIterations: 2 } };
    const cwd = createFolder({ 'notes.txt': notes.repeat(20), 'rlm.config.json': JSON.stringify(settings) });
    const args = ['ask', 'What limited the pool?', 'notes.txt', '--model', model, '--strategy', strategy, '--json'];
    const finished = await rlm(args, { cwd, env });
    const result = resultOf(finished);
    expect(result.plan?.approach).toBe(strategy);
    expect({ answered: [0], partial: [6], failed: [5, 6] }[result.status as string]).toContain(finished.code);
    expect(result.error === null).toBe(result.status === 'answered');
    expect(result.usage.calls).toBeGreaterThan(0);
    expect(result.usage.calls).toBeLessThanOrEqual(8);
  });

  it('is interrupted, says so, and ends', async () => {
    const cwd = createFolder({ 'notes.txt': notes.repeat(40) });
    const running = startRlm(['ask', 'What limited the pool?', 'notes.txt', '--model', model], {
      cwd,
      env: { ...env, RLM_MAX_WINDOW_TOKENS: '32768' },
    });
    await running.shows('stderr', 'llama-cpp');
    running.kill('SIGINT');
    expect(await running.done).toMatchObject({ code: 130, signal: null });
  });

  it('is shown by rlm doctor', async () => {
    const { code, stdout } = await rlm(['doctor'], { env: { ...env, RLM_MODEL: model } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/✔ llama-cpp {2}.*version 3\.\d+\.\d+/);
    expect(stdout).toContain('tiny.gguf');
    expect(stdout).toContain('Questions are answered by llama-cpp.');
  });
});
