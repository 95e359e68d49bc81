import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutput } from '../../src/cli/actions/help.ts';
import { commands } from '../../src/cli/commands/index.ts';
import { settingsByKey } from '../../src/config/settings.ts';
import { createFolder, program, resultOf, rlm } from './run-rlm.ts';

const shippedFile = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, `file://${program}`), 'utf8'));

describe.concurrent('help', () => {
  it.each([['--help'], ['-h'], ['help']])('rlm %s is the overview', async (...args: string[]) => {
    const run = await rlm(args);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const { name } of commands) expect(run.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(run.stdout).toContain('cat build.log | rlm ask');
  });

  it('rlm alone is the start page, even with wrong settings', async () => {
    const run = await rlm([], { env: { RLM_MAX_DEPTH: '77' } });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout.match(/^ {2}\$ .*rlm "/gm)).toHaveLength(3);
  });

  it.each(commands.map(({ name }) => name))('rlm %s --help --all has every flag and the examples', async (name) => {
    const spec = commands.find((command) => command.name === name)!;
    const run = await rlm([name, '--help', '--all']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    for (const { flags } of spec.options) expect(run.stdout).toContain(flags);
    for (const [line] of spec.examples) expect(run.stdout).toContain(`$ ${line}`);
    expect(run.stdout).not.toMatch(/choices:|undefined/);
    const [words] = run.stdout.split('\nExamples:');
    expect(words!.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('rlm ask --help fits a screen, with options of every group and a reference to the rest', async () => {
    const run = await rlm(['ask', '--help']);
    expect(run.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const titles = [...run.stdout.matchAll(/^(\w+):$/gm)].map(([, title]) => title);
    expect(titles).toEqual(['Arguments', 'Question', 'Text', 'Model', 'Limits', 'Output', 'Keeping', 'Examples']);
    for (const flag of ['--model', '--max-cost', '--json']) expect(run.stdout).toContain(flag);
    expect(run.stdout).not.toContain('--chunk-tokens');
    expect(run.stdout).toContain('rlm ask --help --all');
  });

  it('rlm help ask is rlm ask --help', async () => {
    const [a, b] = await Promise.all([rlm(['help', 'ask']), rlm(['ask', '--help'])]);
    expect(a.stdout).toBe(b.stdout);
  });

  it('topics come from the tables of the code', async () => {
    const [environment, output] = await Promise.all([rlm(['help', 'environment']), rlm(['help', 'output'])]);
    for (const { env } of settingsByKey.values())
      for (const name of env) expect(environment.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    const refused = environment.stdout.split('may set only if you trust')[1]!.split('Other variables')[0]!;
    for (const [key, { from }] of settingsByKey)
      expect(refused.split(/[\s,]+/).includes(key), key).toBe(from === 'user');
    const { fields, events } = await describeOutput();
    for (const [name, about] of [...fields, ...events]) {
      expect(about).not.toBe('');
      expect(output.stdout).toContain(`  ${name} `);
    }
  });

  it.each(['--version', '-V'])('rlm %s', async (flag) => {
    const { version } = shippedFile('package.json');
    expect(await rlm([flag])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe.concurrent('a wrong command line', () => {
  it.each([
    [['aks'], "unknown command 'aks'", 'Did you mean ask?'],
    [['What', 'failed', 'first?'], "unknown command 'What'", 'rlm ask "What failed first?"'],
    [['summarize', 'package.json'], "unknown command 'summarize'", 'rlm ask "summarize" package.json.'],
    [
      ['Who', 'is', 'it', 'package.json', '-p', 'extractive'],
      "unknown command 'Who'",
      'rlm ask "Who is it" package.json -p extractive.',
    ],
    [['ask', '-O2 or -O3?', 'Makefile'], "unknown option '-O2 or -O3?'", 'begins with -: rlm ask -- "-O2 or -O3?"'],
    [['--strict: what is it?'], "unknown option '--strict: what is it?'", 'rlm ask -- "--strict: what is it?"'],
    [['ask', '-output where?'], "missing required argument 'question'", 'rlm ask -- "-output where?"'],
    [['ask', 'q', '--modle', 'x'], "unknown option '--modle'", 'Did you mean --model?'],
    [['ask', 'q', '--format', 'xml'], "argument 'xml' is invalid", 'text, markdown, json, ndjson'],
    [['ask', 'q', '--quiet', '--verbose'], 'cannot be used with', 'rlm ask --help'],
    [['ask', 'q', '-o'], "'-o, --output <file>' argument missing", 'rlm ask --help'],
    [['ask'], "missing required argument 'question'", 'rlm ask --help'],
    [['ask', ''], 'there is no question', 'rlm ask "'],
    [['doctor', 'x'], 'too many arguments', 'rlm doctor --help'],
    [['config'], "missing required argument 'action'", 'rlm config --help'],
    [['config', 'lst'], 'has no action "lst"', 'Did you mean rlm config list?'],
    [['config', 'everything'], 'has no action "everything"', 'list, get, path, presets'],
    [['config', 'get'], 'rlm config get needs a setting', 'rlm config get model'],
    [['config', 'get', 'modle'], 'unknown setting "modle"', 'Did you mean "model"?'],
    [['help', 'exitcodes'], 'unknown help topic "exitcodes"', 'rlm help exit-codes'],
  ])('rlm %j', async (args, message, hint) => {
    const run = await rlm(args, { cwd: dirname(dirname(program)) });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain(hint);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });
});

describe.concurrent('a question without a command', () => {
  const text = 'The pool has 4 connections.\n';
  const folder = () => createFolder({ 'notes.md': text, search: text, '设置.md': '设置：连接池有四个连接。\n' });

  it.each([
    [['How many connections has the pool?', 'notes.md', '--json'], 'notes.md'],
    [['--json', 'How many connections has the pool?', 'notes.md'], 'notes.md'],
    [['--provider', 'extractive', 'How many connections has the pool?', 'search', '--json'], 'search'],
    [['connections?', 'notes.md', '--json'], 'notes.md'],
    [['连接池有几个连接', '设置.md', '--json'], '设置.md'],
    [['--json', '--', '- how many connections?', 'notes.md'], 'notes.md'],
  ])('%j is asked', async (args, source) => {
    const { status, citations } = resultOf(await rlm(args, { cwd: folder() }));
    expect({ status, source: citations[0]?.source }).toEqual({ status: 'answered', source });
  });
});
