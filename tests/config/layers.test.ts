import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot, userFilePath } from '../../src/config/folders.ts';
import { type ConfigurationSources, loadConfiguration } from '../../src/config/layers.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Given {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly env?: NodeJS.ProcessEnv;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

const written = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content));

/** Creates a home and a project in a temporary folder. `$project` in the user's file means the project's folder. */
function sources({
  user,
  project,
  env = {},
  flags = {},
  settings = {},
}: Given): ConfigurationSources & { cwd: string; userPath: string } {
  const cwd = tempFolder(project === undefined ? {} : { 'rlm.config.json': written(project) });
  const home = tempFolder(
    user === undefined ? {} : { '.config/rlm/config.json': written(user).replaceAll('$project', cwd) },
  );
  const userPath = join(home, '.config', 'rlm', 'config.json');
  const maps = { flags: new Map(Object.entries(flags)), settings: new Map(Object.entries(settings)) };
  return { cwd, env: { HOME: home, ...env }, ...maps, userPath };
}

const load = (given: Given) => loadConfiguration(sources(given));

function failure(given: Given) {
  try {
    load(given);
  } catch (error) {
    return error;
  }
  throw new Error('it was accepted');
}

describe('the name of a model', () => {
  it.each<[Given, string, string]>([
    [{ flags: { model: 'antropic/claude' } }, 'usage', 'anthropic/claude'],
    [{ flags: { visionModel: 'ollama:qwen2.5vl:7b' } }, 'usage', 'ollama/qwen2.5vl:7b'],
    [{ flags: { 'recursive.model': 'opneai/x' } }, 'usage', 'openai/x'],
    [{ settings: { models: { critic: 'ollma/x' } } }, 'config-invalid', 'ollama/x'],
    [{ settings: { models: { answer: { 1: 'ollma/x' } } } }, 'config-invalid', 'ollama/x'],
    [{ user: { fallbacks: ['llama.cpp/x.gguf'] } }, 'config-invalid', 'llama-cpp/x.gguf'],
  ])('has an existing provider: %j', (given, code, meant) => {
    expect(failure(given)).toMatchObject({ code, message: expect.stringContaining(`did you mean ${meant}?`) });
  });

  it.each([
    'llama3.2:3b',
    'openbmb/minicpm-v',
    'hf.co/x/y:Q4',
    'openai2/x',
    'foo:bar',
    'C:\\m\\x.gguf',
    'ollama/llama/x',
  ])('may be %s', (visionModel) => {
    expect(load({ flags: { visionModel } }).settings.visionModel).toBe(visionModel);
  });
});

describe('the layers of settings', () => {
  const maxCalls = (value: number) => ({ budget: { maxCalls: value } });
  const all = {
    user: maxCalls(1),
    project: maxCalls(2),
    env: { RLM_MAX_SUBCALLS: '3' },
    flags: { 'budget.maxCalls': '4' },
  };

  it.each([
    [{}, 50, 'shipped defaults'],
    [{ user: all.user }, 1, /\/\.config\/rlm\/config\.json$/],
    [{ user: all.user, project: all.project }, 2, /\/rlm\.config\.json$/],
    [{ ...all, flags: {} }, 3, 'RLM_MAX_SUBCALLS'],
    [all, 4, '--max-calls'],
    [{ ...all, settings: { 'budget.maxCalls': 5 } }, 5, 'settings'],
  ])('%#: the later layer wins, and its origin is known', (given, value, origin) => {
    const { settings, origins, values } = load(given);
    expect(settings.budget.maxCalls).toBe(value);
    expect(values.get('budget.maxCalls')).toBe(value);
    expect(origins.get('budget.maxCalls')).toMatch(origin);
    expect(origins.get('model')).toBe('shipped defaults');
  });

  it('leave the other settings of a group unchanged', () => {
    expect(load({ project: maxCalls(2) }).settings.budget).toMatchObject({ maxCalls: 2, timeout: 600, maxDepth: 3 });
  });

  it('list the files that were searched for', () => {
    const given = sources({ project: maxCalls(2) });
    expect(loadConfiguration(given).files).toEqual([
      { path: join(given.cwd, 'rlm.config.json'), role: 'project', found: true },
      { path: given.userPath, role: 'user', found: false },
      { path: join(packageRoot, 'rlm.config.json'), role: 'shipped defaults', found: true },
    ]);
  });

  it.each([
    ['of another copy of rlm', { $shipped: true, model: 'x' }],
    ['of another version, with settings that are not known here', { $shipped: true, someday: { new: 1 } }],
  ])('do not treat the defaults %s as a project file, and say so', (_, project) => {
    const { settings, warnings, files } = load({ project });
    expect(settings.model).toBe('qwen2.5-coder:14b');
    expect(files[0]).toMatchObject({ role: 'project', found: false });
    expect(warnings).toEqual([expect.stringMatching(/rlm\.config\.json is a copy of the shipped defaults and is not/)]);
  });

  it('do not treat the shipped file as a project file', () => {
    const { files, origins } = loadConfiguration({ ...sources({}), cwd: packageRoot });
    expect(files[0]).toMatchObject({ role: 'project', found: false });
    expect(new Set(origins.values())).toEqual(new Set(['shipped defaults']));
  });

  it('look in XDG_CONFIG_HOME, when it is an absolute path', () => {
    const xdg = tempFolder({ 'rlm/config.json': '{"model": "m"}' });
    expect(load({ env: { XDG_CONFIG_HOME: xdg } }).settings.model).toBe('m');
    expect(load({ env: { XDG_CONFIG_HOME: 'relative' }, user: { model: 'n' } }).settings.model).toBe('n');
  });

  it('look in the home folder of the account, when HOME is a relative path', () => {
    expect(userFilePath({ HOME: 'relative' })).toBe(join(userInfo().homedir, '.config', 'rlm', 'config.json'));
  });

  it('may begin with a byte order mark, and name a schema', () => {
    expect(load({ project: '\ufeff{"$schema": "x", "model": "m"}' }).settings.model).toBe('m');
  });
});

describe('values from the environment and from flags are typed', () => {
  it.each([
    [{ RLM_MIN_CONFIDENCE: '72.5' }, 'minConfidence', 72.5],
    [{ RLM_MIN_CONFIDENCE: 'null' }, 'minConfidence', null],
    [{ RLM_MODEL: '123' }, 'model', '123'],
    [{ RLM_MODEL: '' }, 'model', 'qwen2.5-coder:14b'],
    [{ RLM_TIMEOUT: '0.5' }, 'budget.timeout', 0.5],
    [{ RLM_CACHE_ENABLED: '1' }, 'cache.enabled', true],
    [{ RLM_CACHE_ENABLED: 'true' }, 'cache.enabled', true],
    [{ RLM_JOURNAL: '0' }, 'journal', false],
    [{ RLM_SEED: '1' }, 'seed', 1],
    [{ RLM_AUDIT_DIR: '1' }, 'audit', '1'],
    [{ OLLAMA_HOST: 'http://a:1' }, 'ollama.host', 'http://a:1'],
    [{ OLLAMA_HOST: 'http://a:1', RLM_OLLAMA_HOST: 'http://b:2' }, 'ollama.host', 'http://b:2'],
  ])('%j', (env, key, value) => {
    expect(load({ env }).values.get(key)).toBe(value);
  });

  it('name the variable that won', () => {
    expect(load({ env: { OLLAMA_HOST: 'a' } }).origins.get('ollama.host')).toBe('OLLAMA_HOST');
  });

  it.each([
    [{ RLM_MAX_SUBCALLS: 'many' }, 'RLM_MAX_SUBCALLS cannot be "many": expected a number'],
    [{ RLM_MAX_SUBCALLS: '0' }, 'RLM_MAX_SUBCALLS cannot be 0: at least 1'],
    [{ RLM_MAX_DEPTH: '6' }, 'RLM_MAX_DEPTH cannot be 6: at most 5'],
    [{ RLM_MAX_DEPTH: '1.5' }, 'RLM_MAX_DEPTH cannot be 1.5: expected a whole number'],
    [
      { RLM_PROVIDER: 'olama' },
      'RLM_PROVIDER cannot be "olama": expected one of auto, ollama, openai, anthropic, llama-cpp, extractive',
    ],
  ])('%j is refused', (env, message) => {
    expect(failure({ env })).toMatchObject({ code: 'config-invalid', message });
  });

  it('warn about an unknown variable, with the nearest name', () => {
    expect(load({ env: { RLM_MAX_SUBCALL: '3', RLM: 'x', RLM_MODEL: 'm' } }).warnings).toEqual([
      'unknown environment variable RLM_MAX_SUBCALL; did you mean RLM_MAX_SUBCALLS?',
    ]);
  });
});

describe('a wrong file is named with its error', () => {
  it.each([
    [
      'an unknown key',
      { budget: { maxCall: 3 } },
      /rlm\.config\.json: unknown setting "budget\.maxCall"/,
      /"budget\.maxCalls"/,
    ],
    ['an unknown group', { bugdet: { maxCalls: 3 } }, /unknown setting "bugdet"/, /another version of rlm/],
    ['a key that every object has', { constructor: 1 }, /unknown setting "constructor"/, /./],
    ['__proto__', '{"__proto__": {"model": "x"}}', /unknown setting "__proto__"/, /./],
    [
      'a wrong type',
      { budget: { maxCalls: '3' } },
      /"budget\.maxCalls" cannot be "3": expected a number/,
      /model calls/,
    ],
    ['a value for a group', { budget: 3 }, /budget must be an object/, /config list/],
    ['a list', [], /the file must be an object/, /config list/],
    ['another kind of file', '%PDF', /is not JSON: it has an unexpected character$/, /config path/],
    ['no JSON', '{"model": ', /rlm\.config\.json is not JSON/, /config path/],
    ['nothing', '', /is not JSON/, /config path/],
    ['JSON with a comment', '{} // x', /is not JSON/, /config path/],
  ])('%s', (_, project, message, hint) => {
    expect(failure({ project })).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it('is refused even if another layer overrides it', () => {
    expect(failure({ user: { budget: { maxCalls: -1 } }, flags: { 'budget.maxCalls': '5' } })).toMatchObject({
      message: expect.stringContaining('at least 1'),
    });
  });

  it.each([[{ modle: 'm' }], [{ 'budget.maxcall': 3 }]])('an unknown setting of a program: %j', (settings) => {
    expect(failure({ settings })).toMatchObject({
      code: 'config-invalid',
      hint: expect.stringMatching(/"(model|budget\.maxCalls)"/),
    });
  });

  it('a folder in place of the file', () => {
    const cwd = tempFolder({ 'rlm.config.json/x': '' });
    expect(() => loadConfiguration({ ...sources({}), cwd })).toThrow(/rlm\.config\.json cannot be read \(EISDIR\)/);
  });
});

describe('a project file', () => {
  const hostile = [
    [{ ollama: { host: 'http://evil' } }, 'ollama.host'],
    [{ log: { file: '/tmp/x' } }, 'log.file'],
    [{ trustedProjects: ['.'] }, 'trustedProjects'],
  ] as const;

  it.each(hostile)('may not set %j', (project, key) => {
    expect(failure({ project })).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(`a project file may not set "${key}"`),
      hint: expect.stringContaining('trustedProjects'),
    });
    expect(failure({ project, user: { trustedProjects: ['/elsewhere', '$project/..'] } })).toMatchObject({
      code: 'config-invalid',
    });
  });

  it.each(hostile)('may set %j if the user trusts the folder', (project, key) => {
    const { origins } = load({ project, user: { trustedProjects: ['$project'] } });
    expect(origins.get(key)).toMatch(/rlm\.config\.json$/);
  });

  it("may lower the user's limits of tokens and money, but not raise them", () => {
    const user = { budget: { maxCost: 1, maxTokens: 1_000 } };
    const lower = { budget: { maxCost: 0.5, maxTokens: 1_000 } };
    expect(load({ user, project: lower }).settings.budget).toMatchObject(lower.budget);
    for (const budget of [{ maxCost: 1.5 }, { maxCost: null }, { maxTokens: 2_000 }, { maxTokens: null }]) {
      const key = `budget.${Object.keys(budget)[0]}`;
      const message = expect.stringContaining(`a project file may not raise "${key}"`);
      expect(failure({ user, project: { budget } })).toMatchObject({ code: 'config-invalid', message });
      expect(load({ project: { budget } }).settings.budget).toMatchObject(budget);
      expect(load({ project: { budget }, user: { ...user, trustedProjects: ['$project'] } }).origins.get(key)).toMatch(
        /rlm\.config\.json$/,
      );
    }
  });

  it('is trusted through a link', () => {
    const given = sources({ project: { log: { file: 'x' } }, user: { trustedProjects: ['$project'] } });
    const link = join(tempFolder(), 'link');
    symlinkSync(given.cwd, link);
    expect(loadConfiguration({ ...given, cwd: link }).settings.log.file).toBe('x');
  });

  it.each([
    ['a path of its own', '/etc'],
    ['a way up', '..'],
    ['a link', 'link'],
    ['a linked file', 'mixed'],
  ])('may not take prompts from outside its folder: %s', (_, prompts) => {
    const given = sources({ project: { prompts }, user: { model: 'm' } });
    mkdirSync(join(given.cwd, 'mixed'));
    symlinkSync('/etc', join(given.cwd, 'link'));
    symlinkSync('/etc/passwd', join(given.cwd, 'mixed', 'answer.md'));
    expect(() => loadConfiguration(given)).toThrow(/a project file may not name "prompts" outside its folder/);
    writeFileSync(given.userPath, JSON.stringify({ trustedProjects: [given.cwd] }));
    expect(loadConfiguration(given).settings.prompts).toBe(prompts);
  });

  it.each([
    ['a path of its own', '/etc/role.md'],
    ['a way up', '../role.md'],
    ['a link', './link.md'],
    ['a role of the user, by its name', 'mine'],
    ['a way out of the shipped ones', '..'],
  ])('may not take a role from outside its folder: %s', (_, role) => {
    const given = sources({ project: { role }, user: { model: 'm' } });
    symlinkSync('/etc/passwd', join(given.cwd, 'link.md'));
    expect(() => loadConfiguration(given)).toThrow(
      /a project file may not name a "role" that is neither shipped nor in/,
    );
    writeFileSync(given.userPath, JSON.stringify({ trustedProjects: [given.cwd] }));
    expect(loadConfiguration(given).settings.role).toBe(role);
  });

  it('names the link that leads out of its folder', () => {
    const given = sources({ project: { role: 'link.md' } });
    symlinkSync('/etc/passwd', join(given.cwd, 'link.md'));
    expect(() => loadConfiguration(given)).toThrow(
      `${join(given.cwd, 'link.md')} is a link, and links out of the folder are not followed`,
    );
    const other = sources({ project: { prompts: 'mixed' } });
    mkdirSync(join(other.cwd, 'mixed'));
    symlinkSync('/etc/passwd', join(other.cwd, 'mixed', 'answer.md'));
    expect(() => loadConfiguration(other)).toThrow('answer.md is a link, and links out of the folder are not followed');
  });

  it.each(['debugger', './roles/mine.md', 'mine.md'])('may name a shipped role, or its own: %s', (role) => {
    expect(load({ project: { role } }).settings.role).toBe(role);
  });

  it('may have its own prompts, and the user others elsewhere', () => {
    const given = sources({ project: { prompts: './prompts' }, user: { prompts: '/etc' } });
    mkdirSync(join(given.cwd, 'prompts'));
    expect(loadConfiguration(given).settings.prompts).toBe('./prompts');
    expect(load({ user: { prompts: '/etc' } }).settings.prompts).toBe('/etc');
  });

  it('is known to have chosen a value in force, unless it is trusted', () => {
    const project = { model: 'm', budget: { maxCalls: 2 } };
    expect([...load({ project }).untrusted]).toEqual(['model', 'budget.maxCalls']);
    expect([...load({ project, env: { RLM_MODEL: 'm' } }).untrusted]).toEqual(['budget.maxCalls']);
    expect([...load({ project, user: { trustedProjects: ['$project'] } }).untrusted]).toEqual([]);
  });

  it('may be overridden by the user, but sets nothing for the user', () => {
    expect(load({ user: { ollama: { host: 'h' } }, project: { model: 'm' } }).settings.ollama.host).toBe('h');
  });
});

describe('a key in a setting', () => {
  const key = 'hush-0123456789abcdef';

  it.each([
    ['the user file', { user: { openai: { apiKey: key } } }],
    ['a program', { settings: { 'openai.apiKey': key } }],
    [
      'a layer that another overrides',
      { user: { openai: { apiKey: key } }, env: { OPENAI_API_KEY: 'another-0123456789' } },
    ],
  ])('of %s is known as a secret', (_, given) => {
    expect(load(given).redactor.text(`it is ${key}.`)).toBe('it is [secret].');
  });
});
