import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsByKey } from '../../src/config/settings.ts';
import { faults } from '../servers/ollama-server.ts';
import { goodText, startServer, unnamed } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const project = (config: unknown, files: Record<string, string> = {}) =>
  createFolder({
    'notes.md': goodText,
    'rlm.config.json': typeof config === 'string' ? config : JSON.stringify(config),
    ...files,
  });

/** Returns the environment of a user with a configuration file. */
function userWith(config: object): { XDG_CONFIG_HOME: string } {
  const folder = createFolder();
  mkdirSync(join(folder, 'rlm'));
  writeFileSync(join(folder, 'rlm', 'config.json'), JSON.stringify(config));
  return { XDG_CONFIG_HOME: folder };
}

describe.concurrent('rlm config', () => {
  it('list: every setting with its value and origin', async () => {
    const cwd = project({ budget: { maxCalls: 7 } });
    const env = { ...userWith({ model: 'mine', budget: { maxCalls: 3 } }), RLM_TIMEOUT: '9' };
    const run = await rlm(['config', 'list', '--json'], { cwd, env });
    const rows = JSON.parse(run.stdout) as { key: string; value: unknown; origin: string }[];
    expect(rows.map(({ key }) => key)).toEqual([...settingsByKey.keys()]);
    const row = (wanted: string) => rows.find(({ key }) => key === wanted);
    expect(row('budget.maxCalls')).toMatchObject({ value: 7, origin: join(cwd, 'rlm.config.json') });
    expect(row('model')).toMatchObject({ value: 'mine', origin: join(env.XDG_CONFIG_HOME, 'rlm', 'config.json') });
    expect(row('budget.timeout')).toMatchObject({ value: 9, origin: 'RLM_TIMEOUT' });
    expect(row('budget.maxDepth')).toMatchObject({ value: 3, origin: 'shipped defaults' });
  });

  it('get: one bare value, for scripts', async () => {
    expect(await rlm(['config', 'get', 'model'])).toMatchObject({ code: 0, stdout: 'qwen2.5-coder:14b\n', stderr: '' });
  });

  it('path: the files, and whether they exist', async () => {
    const cwd = project({});
    const { stdout } = await rlm(['config', 'path'], { cwd });
    expect(stdout).toMatch(
      /rlm\.config\.json +\(project\)\n.*config\.json +\(user, not found\)\n.*\(shipped defaults\)\n$/,
    );
  });

  it('names an unknown variable', async () => {
    const run = await rlm(['config', 'get', 'model'], { env: { RLM_MODLE: 'x' } });
    expect(run.stderr).toContain('RLM_MODLE; did you mean RLM_MODEL?');
  });

  const hostile = '\u001b]0;owned\u0007\u009b31mx';

  it.each([
    ['config list'],
    ['config list --json'],
    ['config get model'],
    ['config get model --json'],
    ['config path'],
    ['config path --json'],
    ['doctor'],
    ['doctor --json'],
    ['ask q notes.md'],
    ['ask q notes.md --json'],
    ['ask q notes.md --verbose'],
  ])('no control code of a project reaches a terminal: rlm %s', async (line) => {
    const server = await startServer({}, { models: [hostile] });
    const cwd = join(createFolder({ [`${hostile}/notes.md`]: goodText }), hostile);
    writeFileSync(join(cwd, 'rlm.config.json'), JSON.stringify({ model: hostile }));
    const { code, stdout, stderr } = await rlm(line.split(' '), { cwd, env: server.env });
    // A named model that is unavailable is an error.
    expect(code).toBe(/^(?:ask|doctor)/.test(line) ? 4 : 0);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('JSON holds a value unchanged', async () => {
    const run = await rlm(['config', 'get', 'model', '--json'], { cwd: project({ model: hostile }) });
    expect(JSON.parse(run.stdout).value).toBe(hostile);
  });
});

describe.concurrent('a wrong configuration', () => {
  it.each([
    ['no JSON', '{"model":', 'is not JSON', ''],
    ['a list', '[]', 'must be an object', ''],
    ['an empty file', '', 'is not JSON', ''],
    ['an unknown key', { modle: 'x' }, 'unknown setting "modle"', 'Did you mean "model"?'],
    ['an unknown key within', { budget: { maxCals: 3 } }, 'unknown setting "budget.maxCals"', '"budget.maxCalls"'],
    ['a wrong type', { model: 3 }, '"model" cannot be 3', 'a text'],
    ['a number too large', { budget: { maxDepth: 6 } }, '"budget.maxDepth" cannot be 6', 'at most 5'],
    ['a value for a group', { budget: 3 }, 'budget must be an object', ''],
    ['the host', { ollama: { host: 'http://evil.example' } }, 'may not set "ollama.host"', 'trustedProjects'],
    ['where logs go', { log: { file: '/tmp/x' } }, 'may not set "log.file"', 'trustedProjects'],
    ['its own trust', { trustedProjects: ['/'] }, 'may not set "trustedProjects"', ''],
  ])('%s: the error names the file, the key and the remedy', async (_, config, message, hint) => {
    const cwd = project(config);
    const run = await rlm(['ask', 'q', 'notes.md', '--json'], { cwd });
    expect(run.code).toBe(3);
    const { error } = resultOf(run);
    expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringContaining(message) });
    expect(error!.message).toContain(join(cwd, 'rlm.config.json'));
    expect(error!.message + error!.hint).toContain(hint);
  });

  it('defaults of another copy of rlm are not settings of the folder, and a notice says so', async () => {
    const defaults = JSON.stringify({ $shipped: true, model: 'x', someday: { new: 1 } });
    const cwd = createFolder({ 'rlm.config.json': defaults, 'notes.md': goodText });
    const { code, stderr } = await rlm(['ask', 'How many?', 'notes.md'], { cwd });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/note: \S+rlm\.config\.json .*is not read/);
  });

  it('a setting of another version: the error names it, its file and the remedy', async () => {
    const cwd = createFolder({ 'rlm.config.json': '{"someday": {"new": 1}}', 'notes.md': goodText });
    const { code, stderr } = await rlm(['ask', 'How many?', 'notes.md'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toMatch(/rlm\.config\.json: unknown setting "someday"/);
    expect(stderr).toMatch(/another version .*remove it/);
  });

  it('a variable of the wrong type is named', async () => {
    const run = await rlm(['ask', 'q', 'notes.md'], { cwd: project({}), env: { RLM_TIMEOUT: 'soon' } });
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('RLM_TIMEOUT cannot be "soon"');
  });

  it('a project that the user trusts may name the host', async () => {
    const { url, requests } = await startServer();
    const cwd = project({ ollama: { host: url } });
    const env = { ...userWith({ trustedProjects: [cwd] }), OLLAMA_HOST: '' };
    const run = await rlm(['ask', 'How many connections?', 'notes.md', '--json'], { cwd, env });
    expect(resultOf(run).provider).toBe('ollama');
    expect(requests.length).toBeGreaterThan(0);
  });

  it('a project file cannot have the text sent to a remote model; the user can', async () => {
    const models = [{ name: 'big:cloud', remoteHost: 'https://elsewhere.example' }];
    const { env, requests } = await startServer({}, { models });
    const cwd = project({ model: 'big:cloud' });
    const ask = ['ask', 'How many connections?', 'notes.md', '--json'];
    const refused = await rlm(ask, { cwd, env });
    expect(refused.code).toBe(3);
    expect(resultOf(refused).error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('https://elsewhere.example'),
      hint: expect.stringContaining('--model'),
    });
    const doctor = await rlm(['doctor', '--json'], { cwd, env });
    expect(doctor.code).toBe(3);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ answersWith: null, error: { code: 'config-invalid' } });
    expect(requests).toEqual([]);

    const allowed = [
      rlm([...ask, '--model', 'big:cloud'], { cwd, env }),
      rlm(ask, { cwd, env: { ...env, RLM_MODEL: 'big:cloud' } }),
      rlm(ask, { cwd, env: { ...env, ...userWith({ trustedProjects: [cwd] }) } }),
    ];
    for (const run of await Promise.all(allowed)) {
      expect(run.code).toBe(0);
      expect(resultOf(run)).toMatchObject({
        provider: 'ollama',
        warnings: expect.arrayContaining([expect.stringContaining('elsewhere')]),
      });
    }
  });

  it('rlm doctor fails like rlm ask for an invalid address', async () => {
    const env = { OLLAMA_HOST: 'ftp://x' };
    const [asked, looked] = await Promise.all([rlm(['ask', 'q', '--json'], { env }), rlm(['doctor'], { env })]);
    expect([asked.code, looked.code]).toEqual([3, 3]);
    expect(looked.stdout).toContain('rlm cannot answer questions now.');
  });

  it('rlm doctor reports its errors', async () => {
    const run = await rlm(['doctor', '--json'], { cwd: project('{') });
    expect(run.code).toBe(3);
    const { checks } = JSON.parse(run.stdout);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'configuration', state: 'problem' }));
  });
});

describe.concurrent('rlm doctor', () => {
  it('without a server: which provider would answer, and what to type for more', async () => {
    const run = await rlm(['doctor']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('Questions are answered by extractive.');
    expect(run.stdout).toContain('ollama serve');
  });

  it('with a server: the version and the models with their abilities', async () => {
    const models = ['qwen2.5-coder:14b', { name: 'embed:1', capabilities: ['embedding'], contextLength: 512 }];
    const { env } = await startServer({}, { models });
    const run = await rlm(['doctor', '--json'], { env });
    expect(run.code).toBe(0);
    const report = JSON.parse(run.stdout);
    expect(report).toMatchObject({ answersWith: 'ollama', error: null });
    expect(report.models.map(({ name }: { name: string }) => name)).toEqual(['qwen2.5-coder:14b', 'embed:1']);
    const text = await rlm(['doctor'], { env });
    expect(text.stdout).toContain('qwen2.5-coder:14b');
    expect(text.stdout).toContain('Questions are answered by ollama.');
  });

  it('with a server that lacks the model: ollama pull', async () => {
    const { env } = await startServer({}, { models: ['llama3.2:3b'] });
    const [auto, named] = await Promise.all([rlm(['doctor'], { env: unnamed(env) }), rlm(['doctor'], { env })]);
    for (const { stdout } of [auto, named]) expect(stdout).toContain('ollama pull qwen2.5-coder:14b');
    expect(auto.code).toBe(0);
    expect(named.code).toBe(4);
    expect(named.stdout).toContain('rlm cannot answer questions now.');
  });

  it('with a server that never answers: does not hang', async () => {
    const { env } = await startServer({}, { elsewhere: () => faults.stall() });
    const run = await rlm(['doctor'], { env: unnamed(env) });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('answered by extractive');
  });

  it('with unusable prompts: 3', async () => {
    const prompts = createFolder({ 'answer.md': 'Nothing in it.' });
    const run = await rlm(['doctor'], { env: { RLM_PROMPTS: prompts } });
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('answer.md');
  });
});
