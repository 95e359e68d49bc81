/** Direction controls (such as U+202E) in names, text and arguments must not reach the terminal, for any command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, rlm } from './run-rlm.ts';

const turned = '\u202eevil\u202c \u2066a\u2069\u200f\u061c';
const name = `no\u202etes\u2066.md`;
const question = `How many ${turned} connections has the pool?`;
const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Creates a folder with such a name and such files, a run and an index of them, and the environment to see them. */
async function createPlace() {
  const cwd = join(createFolder(), `fol\u202eder`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, name), `The pool has 4 ${turned} connections.\n`);
  writeFileSync(join(cwd, 'mine.md'), `---\nname: mi\u202ene\n---\n${turned}\n`);
  const place = { cwd, env: { RLM_HOME: createFolder() } };
  for (const args of [
    ['ask', question, name, '--provider', 'extractive'],
    ['index', 'add', name, '--name', 'n'],
  ]) {
    const run = await rlm(args, place);
    expect([run.code, controls.test(run.stdout + run.stderr)], run.stderr).toEqual([0, false]);
  }
  return place;
}

/** Not recorded, so that the first run stays the newest. */
const ask = (...more: readonly string[]) => ['ask', question, ...more, '--provider', 'extractive', '--no-journal'];
const shared = createPlace();

const lines: readonly (readonly string[])[] = [
  ask(name),
  ask('.', '--json'),
  ask('.', '--format', 'ndjson'),
  ask('.', '--verbose'),
  ask('.', '--dry-run'),
  ask('.', '--strategy', 'scan'),
  ask('--index', 'n'),
  ['runs', 'list'],
  ['runs', 'list', '--json'],
  ['runs', 'show', '--last'],
  ['runs', 'show', '--last', '--json'],
  ['runs', 'search', 'connections'],
  ['runs', 'export', '--last'],
  ['search', 'pool', name],
  ['search', 'pool', '.', '--json'],
  ['describe', name],
  ['describe', '.', '--json'],
  ['index', 'list'],
  ['index', 'list', '--json'],
  ['index', 'update'],
  ['config', 'path'],
  ['doctor'],
  ['doctor', '--json'],
];

const mistakes: readonly (readonly string[])[] = [
  ask(`${name}.gone`),
  ask('.', '--role', name),
  ask('.', '--role', 'mine.md'),
  ask('.', '--prompts', name),
  ask('.', '--replay', name),
  ask('.', '-o', `gone/${name}`),
  ask('.', '--strategy', name),
  ask('.', `--${name}`),
  ask('--index', name),
  ['ask', question, '.', '--model', `${name}.gguf`],
  ['search', 'pool', `${name}.gone`],
  ['describe', `${name}.gone`],
  ['index', 'add', `${name}.gone`, '--name', 'm'],
  ['index', 'add', '.', '--name', name],
  ['index', 'rm', name],
  ['runs', 'show', name],
  ['runs', 'rm', name],
  ['resume', name],
  ['config', 'get', name],
  ['models', 'show', name],
  [name],
  [`${question}`, `${name}.gone`],
];

describe.concurrent('direction controls', () => {
  it.each(lines)('rlm %s %s %s shows none', async (...args) => {
    const { code, stdout, stderr } = await rlm(args, await shared);
    expect(stderr).not.toMatch(controls);
    expect(stdout).not.toMatch(controls);
    expect(code, stderr).toBe(0);
  });

  it.each(mistakes)('an error of rlm %s %s %s shows none', async (...args) => {
    const { code, stdout, stderr } = await rlm(args, await shared);
    expect(stderr + stdout).not.toMatch(controls);
    expect([2, 3, 4]).toContain(code);
  });

  it.each([
    ['a variable', { 'RLM_MO\u202eDEL': 'x' }, ['config', 'list']],
    ['a model', { RLM_MODEL: name }, ['doctor']],
    ['a state folder', { RLM_HOME: `/proc/${name}` }, ['doctor']],
    ['prompts', { RLM_PROMPTS: name }, ['doctor']],
  ])('%s in the environment shows none', async (_, env, args) => {
    const { stdout, stderr } = await rlm(args, { ...(await shared), env });
    expect(stdout + stderr).not.toMatch(controls);
  });

  it('a configuration with such a key shows none', async () => {
    const cwd = createFolder({ 'rlm.config.json': JSON.stringify({ [`mod\u202eel`]: turned }) });
    for (const args of [['doctor'], ask(), ['config', 'list']]) {
      const { code, stdout, stderr } = await rlm(args, { cwd });
      expect([code, controls.test(stdout + stderr)]).toEqual([3, false]);
    }
  });
});
