/** Files that the program opens for itself must be regular files below a size limit; otherwise an error names them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { warned } from '../support/warned.ts';
import { goodText } from './replies.ts';
import { createFolder, resultOf, rlm, shell } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const json = ['--provider', 'extractive', '--json'];

/** Creates something else where a file is expected. */
const strangers = {
  'a link to /dev/zero': (path: string) => symlinkSync('/dev/zero', path),
  'a FIFO': (path: string) => void execFileSync('mkfifo', [path]),
  'a file of 3 GB': (path: string) => {
    writeFileSync(path, '');
    truncateSync(path, 3 * 1024 ** 3);
  },
};
const why = { 'a link to /dev/zero': 'not a regular', 'a FIFO': 'not a regular', 'a file of 3 GB': 'larger than' };

interface Place {
  readonly path: string;
  readonly args: readonly string[];
  readonly code: number;
}

const places: Readonly<Record<string, Place>> = {
  'the project configuration': { path: 'rlm.config.json', args: ['docs'], code: 3 },
  'a role': { path: 'my.md', args: ['docs', '--role', './my.md'], code: 3 },
  'a prompt': { path: 'prompts/answer.md', args: ['docs', '--prompts', 'prompts'], code: 3 },
  'an ignore file': { path: 'docs/.gitignore', args: ['docs'], code: 2 },
  'an ignore file in a folder below': { path: 'docs/inner/.rlmignore', args: ['docs'], code: 2 },
  'an ignore file above': { path: '.gitignore', args: ['docs/inner'], code: 2 },
  'a recording': { path: 'kept.jsonl', args: ['docs', '--replay', 'kept.jsonl'], code: 2 },
};

const cases = Object.keys(places).flatMap((place) => Object.keys(strangers).map((stranger) => [place, stranger]));

describe.concurrent('files that the program reads for itself', () => {
  it.each(cases)('%s that is %s is an error that names it', async (place, stranger) => {
    const { path, args, code } = places[place!]!;
    const cwd = createFolder({ 'docs/inner/notes.md': goodText });
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    strangers[stranger as keyof typeof strangers](join(cwd, path));
    const run = await rlm(['ask', question, ...args, ...json], { cwd });
    expect([run.code, resultOf(run).error?.message]).toEqual([code, expect.stringContaining(path.split('/').at(-1)!)]);
    expect(resultOf(run).error?.message).toContain(why[stranger as keyof typeof why]);
  });

  it('a user configuration that is a FIFO is an error that names it', async () => {
    const home = createFolder({ 'rlm/x': '' });
    const file = join(home, 'rlm', 'config.json');
    execFileSync('mkfifo', [file]);
    const run = await rlm(['config', 'list'], { env: { XDG_CONFIG_HOME: home } });
    expect(run.code).toBe(3);
    expect(run.stderr).toContain(`${file} cannot be read (`);
  });

  it('a link to a regular file is followed', async () => {
    const cwd = createFolder({ 'notes.md': goodText, 'other.json': '{"context": {"chunkTokens": 300}}' });
    symlinkSync('other.json', join(cwd, 'rlm.config.json'));
    const run = await rlm(['config', 'get', 'context.chunkTokens'], { cwd });
    expect([run.code, run.stdout.trim()]).toEqual([0, '300']);
  });

  it('a journal that is a FIFO does not block', async () => {
    const state = createFolder({ 'notes.md': goodText });
    const env = { RLM_HOME: state };
    await rlm(['ask', question, 'notes.md', '--provider', 'extractive'], { cwd: state, env });
    const [run = ''] = readdirSync(join(state, 'runs'));
    const journal = join(state, 'runs', run, 'journal.jsonl');
    execFileSync('sh', ['-c', `rm '${journal}'; mkfifo '${journal}'`]);
    const listed = await rlm(['runs', 'list', '--json'], { env });
    expect(listed.stdout).toContain('not a regular file');
    expect((await rlm(['resume', run], { env })).code).toBe(2);
  });
});

describe.concurrent('a system that refuses files', () => {
  it('a state folder that can never be created ends at once: an answer with a warning, an index with an error', async () => {
    const cwd = createFolder({ 'notes.md': goodText });
    const env = { RLM_HOME: '/proc/nope' };
    const run = await rlm(['ask', question, 'notes.md', ...json], { cwd, env });
    expect(run.code).toBe(0);
    expect(warned(resultOf(run), 'not-kept')).toMatch(/not recorded.*\/proc\/nope/);
    const index = await rlm(['index', 'add', 'notes.md', '--name', 'n'], { cwd, env });
    expect(index.code).toBe(2);
    expect(index.stderr).toMatch(/\/proc\/nope\S* cannot be made \(ENOENT\)[\s\S]*RLM_HOME/);
  });

  it.each([
    ['search pool notes.md', 0],
    ['describe notes.md', 0],
    ['index list', 0],
    ['index update', 0],
    ['runs list', 0],
    ['runs show --last', 2],
    ['runs prune --older-than 1d', 0],
    ['resume', 2],
    ['config list', 0],
    ['cache stats', 0],
    ['cache clear', 0],
    ['roles', 0],
    ['models list', 4],
    ['ask pool notes.md --provider extractive --cache', 0],
    ['eval questions.jsonl notes.md --provider extractive', 2],
    ['eval make oolong --tokens 1k --samples 1 -o /proc/nope/tasks', 2],
  ])('with such a state folder rlm %s ends with %i', async (line, code) => {
    const questions = '{"question": "Who owns the pool?", "target": "Ana"}\n';
    const cwd = createFolder({ 'notes.md': goodText, 'questions.jsonl': questions });
    const run = await rlm(line.split(' '), { cwd, env: { RLM_HOME: '/proc/nope' } });
    expect(run.code, run.stderr).toBe(code);
    expect(run.stderr).not.toMatch(/install rlm again|bug in rlm/);
  });

  it('rlm doctor reports such a state folder', async () => {
    const run = await rlm(['doctor'], { env: { RLM_HOME: '/proc/nope' } });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/! state folder +\/proc\/nope .*\(ENOENT\)/);
    expect(run.stdout).toContain('export RLM_HOME=');
    expect((await rlm(['doctor'], { env: { RLM_HOME: createFolder() } })).stdout).not.toContain('state folder');
  });

  const commands = [
    `ask '${question}' notes.md --provider extractive`,
    'search pool notes.md',
    'describe notes.md',
    'index add notes.md --name n',
    'index update',
    'runs list',
    'models list',
    'doctor',
    'config list',
  ];
  const cases = [18, 20, 24, 28, 32].flatMap((limit) => commands.map((command) => [limit, command] as const));

  it.each(cases)('with %i open files allowed rlm %s reports it, or does its work', async (limit, command) => {
    const cwd = createFolder({ 'notes.md': goodText });
    const run = await shell(`ulimit -n ${limit}; rlm ${command}`, { cwd, env: { RLM_HOME: createFolder() } });
    expect(run.stderr).not.toMatch(/install rlm again|bug in rlm|EMFILE \d/);
    const isReached = /does not answer|connection refused/.test(run.stderr);
    if (run.code !== 0 && !isReached) expect(run.stderr).toMatch(/too many files are open[\s\S]*ulimit -n/);
  });
});
