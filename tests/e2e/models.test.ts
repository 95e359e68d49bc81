import { describe, expect, it } from 'vitest';
import { faults, replyByFormat } from '../servers/ollama-server.ts';
import { startOpenAiServer } from '../servers/openai-server.ts';
import { warned } from '../support/warned.ts';
import { answer, goodText, plan, startServer, unnamed } from './replies.ts';
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

  it('are in each event of a call', async () => {
    const server = await startServer({}, two);
    const env = { ...server.env, RLM_MODEL: 'big:1', RLM_MODELS: '{"critic":"small:1"}' };
    const run = await rlm([...ask.slice(0, 3), '--format', 'ndjson'], { cwd: folder(), env });
    const calls = eventsOf(run).events.flatMap((event) =>
      event.type === 'call.completed' ? [`${event.prompt} ${event.provider}/${event.model}`] : [],
    );
    expect(calls).toEqual(['planner ollama/big:1', 'answer ollama/big:1', 'critic ollama/small:1']);
  });

  it('are named before anything is asked if they are missing', async () => {
    const server = await startServer({}, two);
    const env = { ...server.env, RLM_MODEL: 'big:1', RLM_MODELS: '{"critic":"smal:1"}' };
    const run = await rlm(ask, { cwd: folder(), env });
    expect(run.code).toBe(4);
    expect(resultOf(run).error).toMatchObject({
      code: 'model-missing',
      hint: expect.stringContaining('ollama pull smal:1'),
    });
    expect(server.requests).toEqual([]);
  });

  it('are refused if a project file names them', async () => {
    const server = await startServer({}, two);
    for (const settings of [
      { models: { critic: 'small:1' } },
      { fallbacks: ['small:1'] },
      { recursive: { model: 'x' } },
    ]) {
      const cwd = folder({ 'rlm.config.json': JSON.stringify(settings) });
      const run = await rlm(ask, { cwd, env: server.env });
      expect(run.code).toBe(3);
      expect(resultOf(run).error).toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining(`may not set "${Object.keys(settings)[0]}`),
      });
    }
  });

  it('prevent an unchanged continuation of a run if they have changed', async () => {
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
  it('serve one run, each with its own window, and one replaces the other when that one breaks off', async () => {
    const parts = plan('decompose', ['How large was it before?', 'How large was it then?']);
    const critic = { confidenceScore: 61, verdicts: [], gaps: [], conflicts: [], reasoning: 'It holds.' };
    const said = { answer: answer('It was 4.'), critic };
    const other = await startOpenAiServer({ models: ['qwen3-8b'], chat: replyByFormat(said) });
    try {
      const server = await startServer({ planner: parts, critic: faults.reset() });
      const env = { ...server.env, OPENAI_BASE_URL: other.url, RLM_FALLBACKS: '["openai/qwen3-8b"]' };
      const args = [...ask, '--strategy', 'decompose', '--recursive-model', 'openai/qwen3-8b', '--max-depth', '1'];
      const run = await rlm(args, { cwd: folder(), env });
      const result = resultOf(run);
      const { provider, usage, critique } = result;
      expect(critique).toMatchObject({ score: 61 });
      expect(provider).toBe('ollama');
      expect(usage.models).toMatchObject([
        { provider: 'ollama', calls: 3 },
        { provider: 'openai', calls: 3 },
      ]);
      expect(usage.retries).toBe(2);
      expect(warned(result, 'model')).toMatch(/openai\/qwen3-8b .*ollama\/qwen2\.5-coder:14b \(provider-failed\)/);
      expect(other.chats).toHaveLength(3);
    } finally {
      await other.close();
    }
  });
});

describe('a lost server', () => {
  it('is replaced by the model that the user named, and only then', async () => {
    const env = { RLM_PROVIDER: 'ollama' };
    const alone = await rlm(ask, { cwd: folder(), env });
    expect(alone.code).toBe(4);
    const run = await rlm(ask, { cwd: folder(), env: { ...env, RLM_FALLBACKS: '["extractive"]' } });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({
      provider: 'extractive',
      warningCodes: ['model'],
      warnings: [expect.stringMatching(/^extractive\/extractive took over .*Ollama/)],
    });
  });
});

describe('presets', () => {
  it('are shown with the models that they choose here, and can be used', async () => {
    const server = await startServer({}, two);
    const env = unnamed(server.env);
    const shown = JSON.parse((await rlm(['config', 'presets', '--json'], { env })).stdout);
    const local = { name: 'fully-local', main: 'ollama/big:1', recursive: 'ollama/small:1' };
    expect(shown.presets).toContainEqual(expect.objectContaining(local));
    expect(server.requests).toEqual([]);
    const run = await rlm([...ask, '--preset', 'fully-local'], { cwd: folder(), env });
    expect(modelsOf(run)).toEqual([['big:1', 3]]);
    const text = await rlm(['config', 'presets'], { env: { RLM_PRESET: 'quality-first' } });
    expect(text.stdout).toContain('quality-first (in force)');
    expect(text.stdout).toContain('Checked:');
  });
});

describe('named models', () => {
  const named = ['ask', 'How large was the pool?', 'log.txt', '--json', '-q'];
  const gone = { OLLAMA_HOST: 'http://127.0.0.1:9' };

  it.each<[string, string[], Record<string, string>, object]>([
    ['a model as a flag', ['--model', 'llama3.2:3b'], {}, {}],
    ['a model as a variable', [], { RLM_MODEL: 'llama3.2:3b' }, {}],
    ['a model in the configuration', [], {}, { 'rlm.config.json': '{"model":"llama3.2:3b"}' }],
    ['a model for auto', ['--provider', 'auto', '--model', 'llama3.2:3b'], {}, {}],
    ['a preset as a flag', ['--preset', 'fully-local'], {}, {}],
    ['a preset as a variable', [], { RLM_PRESET: 'cost-optimized' }, {}],
  ])('%s is not replaced if it is unavailable', async (_, flags, env, files) => {
    const run = await rlm([...named, ...flags], { cwd: folder(files), env: { ...gone, ...env } });
    expect(run.code).toBe(4);
    const { answer: said, error } = resultOf(run);
    expect(said).toBeNull();
    expect(error!.message).toMatch(/llama3\.2:3b \(.*\) cannot be used|no model .*preset/);
    expect(error!.hint).toMatch(/ollama serve.*--provider extractive/);
  });

  it('is also a problem for rlm doctor', async () => {
    const run = await rlm(['doctor', '--json'], { env: { ...gone, RLM_MODEL: 'llama3.2:3b' } });
    expect(run.code).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({ answersWith: null, error: { code: 'provider-unreachable' } });
  });

  it('is replaced only by the named fallbacks', async () => {
    const env = { ...gone, RLM_FALLBACKS: '["extractive"]' };
    for (const flags of [
      ['--model', 'llama3.2:3b'],
      ['--preset', 'fully-local'],
    ]) {
      const run = await rlm([...named, ...flags], { cwd: folder(), env });
      expect(run.code).toBe(0);
      expect(warned(resultOf(run), 'model')).toMatch(/^extractive(\/extractive)? took over/m);
    }
  });

  it('does not matter with plain auto, which continues without a model and says so, even with -q', async () => {
    const run = await rlm(named, { cwd: folder(), env: gone });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ provider: 'extractive' });
    expect(warned(resultOf(run), 'model')).toContain('no language model was used');
  });
});

describe('a server without the default model', () => {
  const models = [
    { name: 'nomic-embed-text', capabilities: ['embedding'], size: 9e9 },
    { name: 'gpt-oss:120b-cloud', size: 1 },
    { name: 'gemma3:1b', size: 8e8 },
    { name: 'llama3.2:3b', size: 2e9 },
  ];

  it('leads to the proposal of another installed model before a download, in the note, the error and the doctor', async () => {
    const server = await startServer({}, { models });
    const env = unnamed(server.env);
    const auto = await rlm(ask.slice(0, 3), { cwd: folder(), env });
    expect(auto.code).toBe(0);
    expect(auto.stderr).toMatch(/no language model .*--model llama3\.2:3b.*ollama pull/);
    const named = await rlm([...ask, '--provider', 'ollama'], { cwd: folder(), env: server.env });
    expect(named.code).toBe(4);
    expect(resultOf(named).error!.hint).toMatch(/^Use .*--model llama3\.2:3b\. .*ollama pull/);
    const doctor = JSON.parse((await rlm(['doctor', '--json'], { env })).stdout);
    const looked = doctor.checks.find(({ name }: { name: string }) => name === 'ollama');
    expect(looked.fix).toMatch(/^Use .*--model llama3\.2:3b/);
    expect(doctor.next[0]).toMatch(/^rlm ask "…" --model llama3\.2:3b/);
    const used = await rlm([...ask, '--model', 'llama3.2:3b'], { cwd: folder(), env });
    expect(resultOf(used)).toMatchObject({ status: 'answered', provider: 'ollama', model: 'llama3.2:3b' });
  });

  it('leads to the name that is most similar to the missing one', async () => {
    const server = await startServer({}, { models });
    const run = await rlm([...ask, '--model', 'gema3:1b'], { cwd: folder(), env: server.env });
    expect(run.code).toBe(4);
    expect(resultOf(run).error!.hint).toContain('--model gemma3:1b.');
  });

  it('leads to no proposal of a model that cannot chat', async () => {
    const server = await startServer({}, { models: models.slice(0, 2) });
    const run = await rlm([...ask, '--provider', 'ollama'], { cwd: folder(), env: server.env });
    expect(resultOf(run).error!.hint).toMatch(/^ollama pull/);
  });
});

describe('the strategies of a small model', () => {
  const small = { name: 'qwen2.5-coder:1.5b', parameterSize: '1.5B', size: 1e9 };
  const parts = ['How large was the pool before?', 'How large was the pool then?'];
  const long = `${goodText}${'Nothing else happened on this day in the harbour.\n'.repeat(4_000)}`;

  it.each(['decompose', 'explore', 'repl'] as const)(
    'are the same for the doctor and for auto if the planner wants %s',
    async (approach) => {
      const server = await startServer({ planner: plan(approach, parts) }, { models: [small] });
      const env = { ...server.env, RLM_MODEL: small.name };
      const { models } = JSON.parse((await rlm(['doctor', '--json'], { env })).stdout);
      expect(models[0].jobs).toEqual(['direct', 'scan']);
      const run = await rlm(ask, { cwd: createFolder({ 'log.txt': long }), env });
      const { plan: chosen, recursionTree } = resultOf(run);
      expect(chosen).toMatchObject({ approach: 'direct', reason: expect.stringContaining('not capable of') });
      expect(recursionTree).toMatchObject({ status: 'answered', children: [] });
    },
  );

  it('leave out key questions that name nothing from the task, and repeated ones', async () => {
    const server = await startServer(
      { planner: plan('direct', ['What are the names?', ...parts, ...parts.map((part) => part.toUpperCase())]) },
      { models: [small] },
    );
    const run = await rlm(ask, { cwd: folder(), env: { ...server.env, RLM_MODEL: small.name } });
    expect(resultOf(run).plan!.keyQuestions.map(({ question }) => question)).toEqual(parts);
  });

  it('have a low temperature unless the user sets one', async () => {
    const temperatures = async (name: string, files = {}) => {
      const server = await startServer({}, { models: [small, 'big:1'] });
      await rlm(ask, { cwd: folder(files), env: { ...server.env, RLM_MODEL: name } });
      return server.requests.map(({ options }) => options['temperature']);
    };
    const [planner, answering, critic] = await temperatures('big:1');
    expect(answering).toBe(0.7);
    expect(await temperatures(small.name)).toEqual([planner, 0.2, critic]);
    expect(await temperatures(small.name, { 'rlm.config.json': '{"temperatures":{"answer":0.7}}' })).toEqual([
      planner,
      0.7,
      critic,
    ]);
  });
});
