import { describe, expect, it } from 'vitest';
import { faults, replyByFormat } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { answer, goodText, plan, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm } from './run-rlm.ts';

const two = { models: ['big:1', 'small:1'] };
const ask = ['ask', 'How large was the pool?', 'log.txt', '--json'];
const folder = (files = {}) => createFolder({ 'log.txt': goodText, ...files });

const modelsOf = (run: { stdout: string }) => resultOf(run).usage.models.map(({ model, calls }) => [model, calls]);

describe('several models of one server', () => {
  it('are chosen by flags and variables', async () => {
    const parts = plan('decompose', ['How large was it before?', 'How large was it then?']);
    const server = await startServer({ planner: parts }, two);
    const env = { ...server.env, RLM_MODELS: '{"critic":"small:1"}' };
    const args = [...ask, '--strategy', 'decompose', '-m', 'ollama/big:1', '--recursive-model', 'small:1'];
    const run = await rlm(args, { cwd: folder(), env });
    expect(run.code).toBe(0);
    expect(modelsOf(run)).toEqual([
      ['big:1', 2],
      ['small:1', 5],
    ]);
    const asked = server.requests.map(({ model }) => model);
    expect(asked.filter((model) => model === 'big:1')).toHaveLength(2);
    const windows = server.requests.map(({ model, options }) => `${model} ${options['num_ctx']}`);
    expect(new Set(windows).size).toBe(2);
  });

  it('are told by each event of a call', async () => {
    const server = await startServer({}, two);
    const env = { ...server.env, RLM_MODEL: 'big:1', RLM_MODELS: '{"critic":"small:1"}' };
    const run = await rlm([...ask.slice(0, 3), '--format', 'ndjson'], { cwd: folder(), env });
    const calls = eventsOf(run).events.flatMap((event) =>
      event.type === 'call.completed' ? [`${event.prompt} ${event.provider}/${event.model}`] : [],
    );
    expect(calls).toEqual(['planner ollama/big:1', 'answer ollama/big:1', 'critic ollama/small:1']);
  });

  it('that are missing are named before anything is asked', async () => {
    const server = await startServer({}, two);
    const env = { ...server.env, RLM_MODEL: 'big:1', RLM_MODELS: '{"critic":"smal:1"}' };
    const run = await rlm(ask, { cwd: folder(), env });
    expect(run.code).toBe(4);
    expect(resultOf(run).error).toMatchObject({
      code: 'model-missing',
      hint: 'ollama pull smal:1, or: rlm models pull smal:1',
    });
    expect(server.requests).toEqual([]);
  });

  it('that a project file names are refused', async () => {
    const server = await startServer({}, two);
    for (const settings of [
      { models: { critic: 'small:1' } },
      { fallbacks: ['small:1'] },
      { recursive: { model: 'x' } },
    ]) {
      const cwd = folder({ 'rlm.config.json': JSON.stringify(settings) });
      const run = await rlm(ask, { cwd, env: server.env });
      expect(run.code).toBe(3);
      expect(resultOf(run).error!.message).toContain('a project file may not set');
    }
  });

  it('that have changed keep a run from going on as it was', async () => {
    const server = await startServer({}, two);
    const env = { ...server.env, RLM_MODEL: 'big:1', RLM_MODELS: '{"critic":"small:1"}' };
    const cwd = folder();
    const run = await rlm([...ask, '--max-calls', '1'], { cwd, env });
    const { runId, resumable } = resultOf(run);
    expect(resumable).toBe(true);
    const other = await rlm(['resume', runId!, '--json'], { cwd, env: { ...env, RLM_MODELS: '{"critic":"big:1"}' } });
    expect(resultOf(other).error).toMatchObject({ code: 'run-changed', message: expect.stringContaining('small:1') });
    const same = await rlm(['resume', runId!, '--json', '--max-calls', '9'], { cwd, env });
    expect(resultOf(same)).toMatchObject({ status: 'answered', usage: { replayedCalls: 1 } });
  });
});

describe('models of two servers', () => {
  it('serve one run, each with its own window, and one stands in for the other when that breaks off', async () => {
    const parts = plan('decompose', ['How large was it before?', 'How large was it then?']);
    const critic = { confidenceScore: 61, gaps: [], uncertainties: [], reasoning: 'It holds.' };
    const said = { answer: answer('It was 4.'), critic };
    const other = await startOpenAiServer({ models: ['qwen3-8b'], chat: replyByFormat(said) });
    try {
      const server = await startServer({ planner: parts, critic: faults.reset() });
      const env = { ...server.env, OPENAI_BASE_URL: other.url, RLM_FALLBACKS: '["openai/qwen3-8b"]' };
      const args = [...ask, '--strategy', 'decompose', '--recursive-model', 'openai/qwen3-8b', '--max-depth', '1'];
      const run = await rlm(args, { cwd: folder(), env });
      const { provider, usage, warnings, critique } = resultOf(run);
      expect(critique).toMatchObject({ score: 61 });
      expect(provider).toBe('ollama');
      expect(usage.models).toMatchObject([
        { provider: 'ollama', calls: 3 },
        { provider: 'openai', calls: 3 },
      ]);
      expect(usage.retries).toBe(2);
      expect(warnings).toContain('openai/qwen3-8b took over from ollama/qwen2.5-coder:14b (provider-failed)');
      expect(other.chats).toHaveLength(3);
    } finally {
      await other.close();
    }
  });
});

describe('a server that is gone', () => {
  it('is stood in for by the model that the user named, and only then', async () => {
    const env = { RLM_PROVIDER: 'ollama' };
    const alone = await rlm(ask, { cwd: folder(), env });
    expect(alone.code).toBe(4);
    const run = await rlm(ask, { cwd: folder(), env: { ...env, RLM_FALLBACKS: '["extractive"]' } });
    expect(run.code).toBe(0);
    const { provider, warnings } = resultOf(run);
    expect(provider).toBe('extractive');
    expect(warnings).toEqual([
      expect.stringMatching(/^extractive\/extractive took over at the start: Ollama does not/),
    ]);
  });
});

describe('presets', () => {
  it('are shown with what they stand for here, and serve', async () => {
    const server = await startServer({}, two);
    const shown = JSON.parse((await rlm(['config', 'presets', '--json'], { env: server.env })).stdout);
    const local = { name: 'fully-local', main: 'ollama/big:1', recursive: 'ollama/small:1' };
    expect(shown.presets).toContainEqual(expect.objectContaining(local));
    expect(server.requests).toEqual([]);
    const run = await rlm([...ask, '--preset', 'fully-local'], { cwd: folder(), env: server.env });
    expect(modelsOf(run)).toEqual([['big:1', 3]]);
    const text = await rlm(['config', 'presets'], { env: { RLM_PRESET: 'quality-first' } });
    expect(text.stdout).toContain('quality-first (in force)');
    expect(text.stdout).toContain('Looked at:');
  });
});
