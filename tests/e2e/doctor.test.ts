import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeChecked } from '../../src/base/checked-json.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, rlm } from './run-rlm.ts';

const models = [
  { name: 'qwen2.5-coder:14b', capabilities: ['completion', 'tools', 'thinking'] },
  { name: 'embed:1', capabilities: ['embedding'], contextLength: 512 },
];

const look = async (env: Record<string, string>) => {
  const run = await rlm(['doctor', '--json'], { env });
  return { ...run, report: JSON.parse(run.stdout) };
};

describe.concurrent('rlm doctor on models', () => {
  it('shows the abilities, the cost and the uses of each, and which would answer', async () => {
    const server = await startServer({}, { models });
    const { report } = await look(server.env);
    expect(report.models).toMatchObject([
      {
        provider: 'ollama',
        name: 'qwen2.5-coder:14b',
        windowTokens: 32_768,
        tools: true,
        thinking: true,
        structuredOutput: true,
        price: { input: 0, output: 0 },
        isChosen: true,
      },
      { name: 'embed:1', tools: false, jobs: [], isChosen: false },
    ]);
    expect(report.models[0].jobs).toEqual(expect.arrayContaining(['direct', 'scan']));
    expect(report.providers).toContainEqual({ name: 'ollama', address: server.url, hasKey: null, isReady: true });
    expect(server.requests).toEqual([]);
    const text = await rlm(['doctor'], { env: server.env });
    expect(text.stdout).toMatch(/→ ollama\/qwen2\.5-coder:14b {2}.*32,768 tokens · tools, JSON, thinking · for direct/);
    expect(text.stdout).toContain('cannot chat');
    expect(text.stdout).toContain('rlm config presets');
    expect(text.stdout.split('\n').length).toBeLessThan(24);
  });

  it('knows the facts found in earlier runs', async () => {
    const server = await startServer({}, { models });
    const cache = createFolder();
    mkdirSync(join(cache, 'rlm'));
    const cwd = createFolder({ 'notes.md': goodText });
    const env = { ...server.env, XDG_CACHE_HOME: cache };
    const dryRun = (...args: string[]) =>
      rlm(['ask', 'Who limits it?', 'notes.md', '--dry-run', ...args], { cwd, env });
    const plan = JSON.parse((await dryRun('--json')).stdout);
    expect(plan.estimatedSeconds).toBeNull();
    const speed = { read: 71.4, written: 9 };
    const kept = {
      [`ollama/qwen2.5-coder:14b@${plan.models[0].digest}`]: { lacks: ['structuredOutput'], speed },
      'ollama/qwen@1': { lacks: ['tools'] },
    };
    const text = encodeChecked(JSON.stringify(kept));
    const lookAfter = async (written: string) => {
      writeFileSync(join(cache, 'rlm', 'models.json'), written);
      return (await look(env)).report.models[0];
    };
    expect(await lookAfter(text)).toMatchObject({ structuredOutput: false, tools: true, speed });
    const shown = await rlm(['doctor'], { env });
    expect(shown.stdout).toMatch(/reads 71 and writes 9 /);
    expect((await dryRun()).stdout).toMatch(/^Time: about \d+ s .*earlier runs/m);
    expect(await lookAfter(text.replace('structuredOutput', 'tools'))).toMatchObject({
      structuredOutput: true,
      tools: true,
    });
  });

  it('shows the models set by prompt and depth, and the missing one', async () => {
    const server = await startServer({}, { models: ['big:1', 'small:1'] });
    const env = { ...server.env, RLM_MODEL: 'ollama/big:1' };
    const good = await look({ ...env, RLM_RECURSIVE_MODEL: 'small:1', RLM_FALLBACKS: '["extractive"]' });
    expect(good.report.checks).toContainEqual(
      expect.objectContaining({
        name: 'models',
        state: 'ok',
        message: expect.stringMatching(
          /ollama\/big:1 .*root, ollama\/small:1 below.*extractive\/extractive .*take over/,
        ),
      }),
    );
    expect(good.code).toBe(0);
    const bad = await look({ ...env, RLM_RECURSIVE_MODEL: 'smal:1' });
    expect(bad.report.checks).toContainEqual(
      expect.objectContaining({ name: 'models', state: 'problem', fix: expect.stringContaining('ollama pull smal:1') }),
    );
    expect(bad.code).toBe(4);
  });

  it('marks the model that a route names for the answer', async () => {
    const server = await startServer({}, { models: ['big:1', 'small:1'] });
    const env = { ...server.env, RLM_PROVIDER: 'extractive', RLM_MODELS: '{"answer":"ollama/small:1"}' };
    const { report } = await look(env);
    const chosen = report.models.filter(({ isChosen }: { isChosen: boolean }) => isChosen);
    expect(report.answersWith).toBe('ollama');
    expect(chosen).toMatchObject([{ provider: 'ollama', name: 'small:1' }]);
    expect(report.next.join('\n')).not.toContain('--model big:1');
  });

  it('names a model to pull if Ollama has none', async () => {
    const server = await startServer({}, { models: [] });
    const { report } = await look(server.env);
    expect(report.next).toContainEqual(expect.stringMatching(/^ollama pull .* answers on this machine/));
  });

  it('names a model and a provider that contradict each other', async () => {
    const { code, report } = await look({ RLM_PROVIDER: 'extractive', RLM_MODEL: 'ollama/x' });
    expect(code).toBe(3);
    expect(report.checks).toContainEqual(expect.objectContaining({ name: 'configuration', state: 'problem' }));
  });
});
