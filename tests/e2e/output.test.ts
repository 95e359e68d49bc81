import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { warned } from '../support/warned.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, shell, startRlm } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const ask = ['ask', question, 'notes.md'];
const folder = (files: Record<string, string> = {}) => createFolder({ 'notes.md': goodText, ...files });
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

describe.concurrent('text', () => {
  it('has the answer and its sources on stdout, and everything else on stderr', async () => {
    const { env } = await startServer();
    const { code, stdout, stderr } = await rlm(ask, { cwd: folder(), env });
    expect(code).toBe(0);
    expect(stdout).toBe(
      'The pool was lowered to 4 connections [1].\n\nSources:\n[1] notes.md:2  "lowered from 40 to 4"\n',
    );
    // On a busy machine, the program may first say that it waits.
    expect(stderr).toMatch(
      /^(rlm: waiting for the input .* …\n)*rlm: ollama qwen2\.5-coder:14b · 1 document, [\d,]+ bytes/,
    );
    expect(stderr).toMatch(
      /answered · confidence \d+\/100 · 3 calls · [\d,]+ tokens · [\d.]+ s · ollama qwen2\.5-coder:14b\n$/,
    );
    expect(stdout + stderr).not.toMatch(control);
  });

  it('contains no workflow command in GitHub Actions, whatever the text says', async () => {
    const text = '::error file=x::the pool was lowered to 4 connections ##[debug]there\n';
    const args = ['ask', 'the pool was lowered to how many connections', 'hostile.md', '-p', 'extractive'];
    const asked = (format: string, env: Record<string, string> = { GITHUB_ACTIONS: 'true' }) =>
      rlm([...args, '--format', format], { cwd: folder({ 'hostile.md': text }), env });
    const runs = await Promise.all(['text', 'markdown', 'json', 'ndjson'].map((format) => asked(format)));
    for (const { stdout, stderr } of runs) {
      expect(stdout).toMatch(/(^> |"|\\n)::error file=x::the pool/m);
      expect(stdout + stderr).not.toMatch(/^\s*::|##\[/m);
    }
    expect(resultOf(runs[2]!).answer).toContain('::error file=x::the pool');
    expect((await asked('text', {})).stdout).toMatch(/^::error file=x::the pool/);
  });

  it('contains no workflow command in GitHub Actions in matched lines and in a report of a run', async () => {
    const cwd = folder({
      'hostile.md': 'The pool\n::error file=x::the pool was lowered to 4 ##[debug]\n  ::error::pool\n',
      '::error::x.md': 'pool\n',
    });
    const [asking, env] = [
      ['ask', 'the pool was lowered to how many', 'hostile.md'],
      { GITHUB_ACTIONS: 'true', RLM_HOME: createFolder() },
    ];
    expect(await rlm([...asking, '-p', 'extractive'], { cwd, env })).toMatchObject({ code: 0 });
    const shown = [
      await rlm(['search', 'pool', '.'], { cwd, env }),
      await rlm(['report', '--format', 'markdown'], { cwd, env }),
      await rlm(['report', '-o', '-'], { cwd, env }),
    ];
    for (const { code, stdout } of shown) {
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('the pool was lowered') });
      expect(stdout).not.toMatch(/^\s*::|##\[/m);
    }
  });

  it('mentions no calls if no language model is asked', async () => {
    const { code, stderr } = await rlm([...ask, '--provider', 'extractive'], { cwd: folder() });
    expect(code).toBe(0);
    expect(stderr).toMatch(/rlm: answered · match \d+\/100 · [\d.]+ s · extractive\n$/);
    expect(stderr).not.toMatch(/\bcalls?\b/);
  });

  it('names the outcome "not found" if the text has no answer, and exits with 0', async () => {
    const args = ['ask', 'Who sang in the opera?', 'notes.md', '--provider', 'extractive'];
    const { code, stdout, stderr } = await rlm(args, { cwd: folder() });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Not found: /) });
    expect(stderr).toMatch(/rlm: not found · match unknown, .* · [\d.]+ s · extractive\n$/);
  });

  it('is only errors with --quiet', async () => {
    const good = await rlm([...ask, '--quiet'], { cwd: folder() });
    expect(good).toMatchObject({ code: 0, stderr: '' });
    const bad = await rlm([...ask, '--quiet', 'nowhere.md'], { cwd: folder() });
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect(bad.stderr).toMatch(/^rlm: failed: .*'nowhere\.md'\n {5}\S.*\n$/);
  });

  it.each([
    ['--color always', { args: ['--color', 'always'], env: {} }, true],
    ['--color always wins over NO_COLOR', { args: ['--color', 'always'], env: { NO_COLOR: '1' } }, true],
    ['FORCE_COLOR', { args: [], env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0', { args: [], env: { FORCE_COLOR: '0' } }, false],
    ['NO_COLOR wins over FORCE_COLOR', { args: [], env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['--color never wins over FORCE_COLOR', { args: ['--color', 'never'], env: { FORCE_COLOR: '1' } }, false],
    ['a pipe', { args: [], env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' } }, false],
  ])('colour: %s', async (_, { args, env }, isColored) => {
    const run = await rlm([...ask, ...args], { cwd: folder(), env: env as Record<string, string> });
    expect(run.stdout.includes('\u001b[36mnotes.md:2\u001b[39m')).toBe(isColored);
    expect(run.stderr.includes('\u001b[32manswered\u001b[39m')).toBe(isColored);
    expect(run.stdout + run.stderr).not.toMatch(/\u001b\[\?25|\u001b\[\d*A/);
  });
});

describe.concurrent('--json and ndjson', () => {
  it('print one object, with every field of the schema', async () => {
    const { env, requests } = await startServer();
    const run = await rlm([...ask, '--json'], { cwd: folder(), env });
    const result = resultOf(run);
    expect(result).toMatchObject({ schemaVersion: 1, task: question, provider: 'ollama', warnings: [], error: null });
    expect(result.critique).toMatchObject({ score: 70, gaps: ['the date is missing'] });
    expect(result.recursionTree).toMatchObject({ path: '0', depth: 0, strategy: 'direct', calls: 1 });
    expect(result.usage).toMatchObject({ calls: requests.length, retries: 0, failedCalls: 0 });
  });

  it.each([
    ['an unknown flag', ['ask', 'q', '--json', '--frobnicate']],
    ['an unknown command', ['aks', 'q', '--json']],
    ['no question', ['ask', '--json']],
    ['a blank question', ['ask', '  ', '--json']],
    ['a wrong value', ['ask', 'q', '--format=json', '--color', 'blue']],
    ['flags that exclude each other', ['ask', 'q', '--json', '--quiet', '--verbose']],
  ])('is also JSON for %s', async (_, args) => {
    const run = await rlm(args);
    expect(run.code).toBe(2);
    expect(resultOf(run)).toMatchObject({ status: 'failed', error: { code: 'usage' }, stopReason: 'usage' });
    expect(run.stderr).toMatch(/^rlm: /);
  });

  it.each([
    ['an unwritable file', ['-o', 'nowhere/x'], {}],
    ['an unwritable log', ['--log-file', 'nowhere/x'], {}],
    ['a wrong variable', [], { RLM_TIMEOUT: 'soon' }],
    ['a wrong setting', ['--max-depth', '9'], {}],
    ['an unknown flag', ['--frobnicate'], {}],
    ['a path that is not there', ['nowhere.md'], {}],
  ])('contain the question if the run cannot begin: %s', async (_, args, env) => {
    const given = ['ask', question, 'notes.md', ...args];
    const options = { cwd: folder(), env: env as Record<string, string> };
    const [one, lines] = await Promise.all([
      rlm([...given, '--json'], options),
      rlm([...given, '--format', 'ndjson'], options),
    ]);
    expect(resultOf(one)).toMatchObject({ status: 'failed', task: question });
    expect(eventsOf(lines).last.result).toMatchObject({ status: 'failed', task: question });
  });

  it('a question that looks like a flag is accepted after --', async () => {
    const run = await rlm(['ask', '--', '--json', 'nowhere']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
  });

  it('ndjson: run.started first, the result last, numbered without a gap', async () => {
    const { env } = await startServer();
    const run = await rlm([...ask, '--format', 'ndjson'], { cwd: folder(), env });
    const { events, last } = eventsOf(run);
    expect(events[0]).toMatchObject({ type: 'run.started', task: question, documents: 1, fits: true });
    expect([...events, last].map(({ seq }) => seq)).toEqual([...events, last].map((_, index) => index + 1));
    expect(last).toMatchObject({ type: 'run.completed', runId: events[0]!.runId, result: { status: 'answered' } });
    expect(events.filter(({ type }) => type === 'call.completed')).toHaveLength(last.result.usage.calls);
  });

  it('ndjson is flushed after each event', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { env } = await startServer({ critic: () => gate.then(() => ({ confidenceScore: 1 })) });
    const run = startRlm([...ask, '--format', 'ndjson'], { cwd: folder(), env });
    await run.shows('stdout', '"type":"node.completed"');
    open();
    expect(eventsOf(await run.done).last.type).toBe('run.completed');
  });

  it.each([
    ['no such file', ['nowhere.md'], 2],
    ['no server', ['notes.md', '--provider', 'ollama'], 4],
    ['a wrong flag', ['notes.md', '--nope'], 2],
  ])('ndjson ends with run.failed: %s', async (_, args, code) => {
    const run = await rlm(['ask', 'q', '--format', 'ndjson', ...args], { cwd: folder() });
    expect(run.code).toBe(code);
    const { events, last } = eventsOf(run);
    expect(events).toEqual([]);
    expect(last).toMatchObject({ type: 'run.failed', seq: 1, result: { status: 'failed', answer: null } });
  });

  it.each([
    ['run.failed when every call fails', {}, faults.status(400), 5, 'run.failed', 'failed'],
    ['run.completed when a limit comes first', { RLM_TIMEOUT: '1' }, faults.stall(), 6, 'run.completed', 'partial'],
  ] as const)('ndjson without an answer ends with %s', async (_, limits, fault, code, type, status) => {
    const { env } = await startServer({ answer: fault });
    const run = await rlm([...ask, '--format', 'ndjson'], { cwd: folder(), env: { ...env, ...limits } });
    expect(run.code).toBe(code);
    const { events, last } = eventsOf(run);
    expect(last).toMatchObject({ type, seq: events.length + 1, result: { status, answer: null } });
    expect(last.result.stopReason).toBe(last.result.error?.code);
  });
});

describe.concurrent('a full disk', () => {
  it.each([['-o'], ['--log-file']])('with %s changes the exit status', async (flag) => {
    const cwd = createFolder({ 'notes.md': 'The pool holds forty connections.\n' });
    const run = await rlm(
      ['ask', 'How many connections does the pool hold?', 'notes.md', '--json', flag, '/dev/full'],
      { cwd },
    );
    expect(run.code, run.stderr).toBe(2);
    expect(resultOf(run)).toMatchObject({
      answer: expect.stringContaining('forty'),
      error: { code: 'output-unwritable', message: expect.stringContaining('/dev/full cannot be written (ENOSPC)') },
    });
  });

  it.each([
    ['checks', ['checks', 'c.yml', '--junit', '/dev/full', '--step-summary'], 'summary.md', '| '],
    ['eval', ['eval', 'q.jsonl', 'notes.md', '--report', 'notes.md/a.html', '--report', 'b.md'], 'b.md', '| '],
  ])('or another failed file leaves %s --json one object, and its other files', async (_, args, other, text) => {
    const cwd = createFolder({
      'notes.md': 'The pool holds forty connections.\n',
      'c.yml': 'paths: [notes.md]\nchecks:\n  - question: How many connections does the pool hold?\n',
      'q.jsonl': '{"question": "How many connections does the pool hold?", "target": "forty"}\n',
    });
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const run = await rlm([...args, '-p', 'extractive', '--json'], { cwd, env });
    expect(run.code, run.stderr).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ schemaVersion: 1 });
    expect(run.stderr).toMatch(/cannot be written/);
    expect(readFileSync(join(cwd, other), 'utf8')).toContain(text);
  });
});

describe.concurrent('-o FILE', () => {
  it('holds the answer, and stdout is empty', async () => {
    const cwd = folder({ 'answer.txt': 'old' });
    const run = await rlm([...ask, '-o', 'answer.txt', '--color', 'always'], { cwd });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    const text = readFileSync(join(cwd, 'answer.txt'), 'utf8');
    expect(text).toMatch(/40 to 4 connections.*\n\nSources:\n/s);
    expect(text).not.toMatch(control);
    expect(readdirSync(cwd).sort()).toEqual(['answer.txt', 'notes.md']);
  });

  it('keeps the old file until the new one is complete', async () => {
    const cwd = folder({ 'answer.json': 'old' });
    const seen: string[] = [];
    const look = () => {
      seen.push(readFileSync(join(cwd, 'answer.json'), 'utf8'));
      return { confidenceScore: 50 };
    };
    const { env } = await startServer({ critic: look });
    await rlm([...ask, '--json', '-o', 'answer.json'], { cwd, env });
    expect(seen).toEqual(['old']);
    expect(resultOf({ stdout: readFileSync(join(cwd, 'answer.json'), 'utf8') }).status).toBe('answered');
  });

  it('keeps the old answer if there is no new one', async () => {
    const cwd = folder({ 'answer.txt': 'old' });
    const run = await rlm([...ask, '-o', 'answer.txt', '--provider', 'ollama'], { cwd });
    expect(run.code).toBe(4);
    expect(readFileSync(join(cwd, 'answer.txt'), 'utf8')).toBe('old');
    expect(readdirSync(cwd).sort()).toEqual(['answer.txt', 'notes.md']);
  });

  it('also holds ndjson', async () => {
    const cwd = folder();
    const run = await rlm([...ask, '--format', 'ndjson', '-o', 'events'], { cwd });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(eventsOf({ stdout: readFileSync(join(cwd, 'events'), 'utf8') }).last.type).toBe('run.completed');
  });

  it.each([
    ['a folder', 'folder'],
    ['below a file', 'notes.md/x'],
    ['in no folder', 'nowhere/x'],
  ])('that cannot be written ends the run before any call: %s', async (_, path) => {
    const { env, paths } = await startServer();
    const cwd = folder();
    mkdirSync(join(cwd, 'folder'));
    const run = await rlm([...ask, '--json', '-o', path], { cwd, env });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toMatchObject({ code: 'output-unwritable', message: expect.stringContaining(path) });
    expect(paths).toEqual([]);
    expect(readdirSync(cwd).sort()).toEqual(['folder', 'notes.md']);
  });

  it("writes through a link, and keeps the file's permissions", async () => {
    const cwd = folder({ 'real.txt': 'old' });
    chmodSync(join(cwd, 'real.txt'), 0o664);
    symlinkSync('real.txt', join(cwd, 'link.txt'));
    await rlm([...ask, '-o', 'link.txt'], { cwd });
    expect(lstatSync(join(cwd, 'link.txt')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, 'real.txt'), 'utf8')).toContain('connections');
    expect(statSync(join(cwd, 'real.txt')).mode & 0o777).toBe(0o664);
  });

  it.each([
    ['named', ['notes.md'], 'notes.md'],
    ['named in another way', ['./sub/../notes.md'], 'notes.md'],
    ['behind a link', ['notes.md'], 'link.md'],
    ['linked to', ['link.md'], 'notes.md'],
    ['all that a glob matches', ['other.md', 'n*.md'], 'notes.md'],
    ['all that a folder holds', ['sub'], 'sub/only.md'],
  ])('is refused for an input, which keeps its text: %s', async (_, paths, output) => {
    const cwd = folder({ 'other.md': 'x', 'sub/only.md': goodText });
    symlinkSync('notes.md', join(cwd, 'link.md'));
    const run = await rlm(['ask', question, ...paths, '-o', output, '--json'], { cwd });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toMatchObject({ code: 'usage' });
    expect(readFileSync(join(cwd, output), 'utf8')).toBe(goodText);
    expect(readdirSync(cwd).sort()).toEqual(['link.md', 'notes.md', 'other.md', 'sub']);
  });

  it('means stdout if it is -', async () => {
    const cwd = folder();
    const written = await Promise.all([
      rlm(['ask', question, 'notes.md', '-o', '-'], { cwd }),
      rlm(['ask', question, 'notes.md', '--dry-run', '--output=-'], { cwd }),
    ]);
    for (const run of written) expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('notes.md') });
    expect(readdirSync(cwd)).not.toContain('-');
  });

  it('is refused for the file of stdin, which keeps its text', async () => {
    const cwd = folder();
    const run = await shell(`rlm ask '${question}' -o notes.md < notes.md`, { cwd });
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/would overwrite .*stdin/),
    });
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe(goodText);
  });

  it.each([['.'], ['*.{md,log}']])('is not read as an input the next time: %s', async (path) => {
    const cwd = folder();
    const args = ['ask', question, path, '-o', 'answer.md', '--log-file', 'run.log', '--format', 'ndjson'];
    await rlm(args, { cwd });
    const run = await rlm(args, { cwd });
    expect(run.code).toBe(0);
    const { events, last } = eventsOf({ stdout: readFileSync(join(cwd, 'answer.md'), 'utf8') });
    expect(events[0]).toMatchObject({ documents: 1 });
    for (const name of ["'answer.md' was not read", 'run.log']) expect(warned(last.result, 'input')).toContain(name);
  });

  it('is refused if it is a document of the index that the question is about', async () => {
    const home = createFolder();
    const run = { cwd: createFolder({ 'docs/a.md': goodText }), env: { HOME: home } };
    expect((await rlm(['index', 'add', 'docs', '--name', 'notes'], run)).code).toBe(0);
    const asked = ['ask', question, '--index', 'notes', '-p', 'extractive'];
    expect((await rlm([...asked, '-o', 'docs/a.md'], run)).code).toBe(2);
    const lock = readdirSync(home, { recursive: true, encoding: 'utf8' }).find((name) => /lock\.\d+$/.test(name));
    expect((await rlm([...asked, '-o', join(home, lock!)], run)).code).toBe(2);
    expect((await rlm([...asked, '-o', 'new.txt'], run)).code).toBe(0);
    expect((await rlm(['report', '-o', 'docs/a.md'], run)).code).toBe(2);
    expect(readFileSync(join(run.cwd, 'docs/a.md'), 'utf8')).toBe(goodText);
  });

  it.each<[string, readonly string[]]>([
    ['the answer', ['-o', 'docs/a.md']],
    ['the answer, through a link', ['-o', 'link.md']],
    ['a report', ['--report', 'docs/a.md']],
    ['a test case', ['--junit', 'link.md']],
    ['a dry run', ['--dry-run', '-o', 'docs/a.md']],
  ])('is refused before any work if it would replace an input in a folder: %s', async (_, args) => {
    const cwd = createFolder({ 'docs/a.md': goodText, 'docs/b.md': 'Other.\n' });
    symlinkSync(join(cwd, 'docs/a.md'), join(cwd, 'link.md'));
    for (const path of ['docs', 'docs/*.md']) {
      const { code, stdout, stderr } = await rlm(['ask', question, path, ...args], { cwd });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain("would overwrite the input 'docs/a.md'");
      expect(readFileSync(join(cwd, 'docs/a.md'), 'utf8')).toBe(goodText);
    }
    expect((await rlm(['ask', question, 'docs/b.md', ...args], { cwd })).code).toBe(0);
  });

  it('replaces an earlier output in a folder, but not a file of its name with other content', async () => {
    const cwd = createFolder({ 'docs/a.md': goodText, 'b.md': goodText, 'kept.md': 'My minutes.\n' });
    const env = { RLM_HOME: createFolder() };
    const write = (path: string, to: string) =>
      rlm(['ask', question, path, '-p', 'extractive', '-o', to], { cwd, env }).then(({ code }) => code);
    for (const path of ['b.md', 'docs', 'docs']) expect(await write(path, 'docs/c.md')).toBe(0);
    writeFileSync(join(cwd, 'docs/c.md'), 'My minutes.\n');
    expect(await write('docs', 'docs/c.md')).toBe(2);
    // A run without an answer leaves its output as it is, and does not take it for its own.
    expect((await rlm(['ask', question, 'no.md', '-p', 'extractive', '-o', 'kept.md'], { cwd, env })).code).not.toBe(0);
    copyFileSync(join(cwd, 'kept.md'), join(cwd, 'docs/d.md'));
    expect(await write('docs', 'docs/d.md')).toBe(2);
    // A log that was added to a text does not make the text an output.
    await rlm(['ask', question, 'b.md', '-p', 'extractive', '--log-file', 'docs/a.md'], { cwd, env });
    expect(await write('docs', 'docs/a.md')).toBe(2);
  });

  it('cannot be a log that would be added to an input in a folder, unless it is an earlier log', async () => {
    const cwd = createFolder({ 'docs/a.md': goodText, 'docs/b.md': 'Other.\n' });
    const env = { RLM_HOME: createFolder() };
    const to = (name: string) => ['--log-file', name, '-p', 'extractive'];
    for (const path of ['docs', 'docs/*.md']) {
      const { code, stderr } = await rlm(['ask', question, path, ...to('docs/a.md')], { cwd, env });
      expect([code, stderr]).toEqual([2, expect.stringContaining("the input 'docs/a.md', or append to it")]);
    }
    const chat = await rlm(['chat', 'docs', ...to('docs/a.md')], { cwd, env, stdin: `${question}\n` });
    expect(chat).toMatchObject({ code: 2, stderr: expect.stringContaining('append to it') });
    expect((await rlm(['ask', question, 'docs', '-p', 'extractive'], { cwd, env })).code).toBe(0);
    for (const args of [['ask', '-c', question], ['resume']])
      expect((await rlm([...args, ...to('docs/a.md')], { cwd, env })).code).toBe(2);
    expect(readFileSync(join(cwd, 'docs/a.md'), 'utf8')).toBe(goodText);
    for (const _ of ['new', 'added to'])
      expect((await rlm(['ask', question, 'docs', ...to('docs/run.log'), '--no-journal'], { cwd, env })).code).toBe(0);
  });

  it('replaces no input if another path is missing', async () => {
    const cwd = createFolder({ 'a.md': goodText });
    for (const option of [['--report'], ['--junit'], ['--sarif'], ['--json', '-o']]) {
      const run = await rlm(['ask', question, 'a.md', 'nosuch', ...option, 'a.md'], { cwd });
      expect([run.code, readFileSync(join(cwd, 'a.md'), 'utf8')], option[0]).toEqual([2, goodText]);
    }
  });

  it('cannot be a log that is appended to an input', async () => {
    const cwd = createFolder({ 'a.md': goodText });
    const { code } = await rlm(['ask', question, 'a.md', '--log-file', 'a.md'], { cwd });
    expect([code, readFileSync(join(cwd, 'a.md'), 'utf8')]).toEqual([2, goodText]);
  });

  it('cannot replace the schema of the answer', async () => {
    const form = JSON.stringify({ type: 'object', properties: { size: { type: 'number' } } });
    const cwd = createFolder({ 'a.md': goodText, 'form.json': form });
    const { code } = await rlm(['ask', question, 'a.md', '--schema', 'form.json', '-o', 'form.json'], { cwd });
    expect([code, readFileSync(join(cwd, 'form.json'), 'utf8')]).toEqual([2, form]);
  });

  it('cannot replace a role, a prompt or a configuration file that the command reads', async () => {
    const files = {
      'a.md': goodText,
      'role.md': '---\nname: brief\nabout: x\n---\nBe brief.\n',
      'prompts/critic.md': readFileSync(new URL('../../prompts/critic.md', import.meta.url), 'utf8'),
      'rlm.config.json': '{"budget": {"maxDepth": 2}}',
      'c.yml': `paths: [a.md]\nchecks:\n  - question: ${question}\n`,
    };
    const cwd = createFolder(files);
    const env = { RLM_HOME: createFolder() };
    const ask = ['ask', question, 'a.md', '-p', 'extractive'];
    const checks = ['checks', 'c.yml', '-p', 'extractive'];
    for (const args of [
      [...ask, '--role', './role.md', '-o', 'role.md'],
      [...ask, '--role', './role.md', '--dry-run', '-o', 'role.md'],
      [...ask, '--role', './role.md', '--log-file', 'role.md'],
      [...ask, '--prompts', 'prompts', '--report', 'prompts/critic.md'],
      [...ask, '-o', 'rlm.config.json'],
      [...checks, '--role', './role.md', '--junit', 'role.md'],
      [...checks, '--log-file', 'a.md'],
    ]) {
      expect((await rlm(args, { cwd, env })).code, args.join(' ')).toBe(2);
    }
    for (const command of [ask, checks]) {
      const summary = { ...env, GITHUB_STEP_SUMMARY: join(cwd, 'a.md') };
      expect((await rlm([...command, '--step-summary'], { cwd, env: summary })).code).toBe(2);
    }
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(cwd, name), 'utf8')).toBe(text);
  });

  it('of checks includes the log of their runs', async () => {
    const cwd = createFolder({ 'a.md': goodText, 'c.yml': `paths: [a.md]\nchecks:\n  - question: ${question}\n` });
    await rlm(['checks', 'c.yml', '-p', 'extractive', '--log-file', 'c.log'], { cwd });
    const events = readFileSync(join(cwd, 'c.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect([events[0], events.at(-1)]).toEqual(['run.started', 'stage.completed']);
  });

  it('of checks and evaluations cannot replace an input either', async () => {
    const sample = `${JSON.stringify({ id: 'a', question, target: 'x' })}\n`;
    const checks = `checks:\n  - question: ${question}\n    paths: [docs]\n`;
    const cwd = createFolder({ 'docs/a.md': goodText, 'q.jsonl': sample, 'c.yml': checks });
    for (const args of [
      ['checks', 'c.yml', '--junit', 'docs/a.md'],
      ['checks', 'c.yml', '--junit', 'c.yml'],
      ['eval', 'q.jsonl', 'docs', '--report', 'docs/a.md'],
    ])
      expect(await rlm(args, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('overwrite') });
    expect(readFileSync(join(cwd, 'docs/a.md'), 'utf8')).toBe(goodText);
  });

  it('has a draft that is never read from a folder', async () => {
    const cwd = folder();
    const seen: string[][] = [];
    const look = () => {
      seen.push(readdirSync(cwd).sort());
      return { confidenceScore: 50 };
    };
    const { env } = await startServer({ critic: look });
    await rlm(['ask', question, '.', '-o', 'answer.md'], { cwd, env });
    expect(seen).toEqual([[expect.stringMatching(/^\.answer\.md\.\d+\.tmp$/), 'notes.md']]);
  });

  it('may not be a named pipe that no process reads', async () => {
    const cwd = createFolder({ 'notes.md': goodText });
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const options = ['-o', '--report', '--log-file'];
    const asked = options.map((one) => rlm([...ask, '-p', 'extractive', one, 'pipe'], { cwd }));
    for (const run of await Promise.all(asked)) {
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('pipe cannot be written');
    }
  });

  it('may be a device or a named pipe, which is not replaced', async () => {
    const cwd = folder();
    const line = `mkfifo pipe; cat pipe > copy & rlm ask '${question}' notes.md -q -o pipe; wait; test -p pipe && cat copy`;
    const run = await shell(line, { cwd });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('40 to 4') });
  });
});

describe.concurrent('logs', () => {
  const secrets = { OLLAMA_API_KEY: 'sk-planted-key' };
  const withLogin = (url: string) => url.replace('//', '//user:planted-password@');

  it('--verbose: every line but the summary is JSON, without credentials', async () => {
    const server = await startServer();
    const env = { ...secrets, OLLAMA_HOST: withLogin(server.url) };
    const run = await rlm([...ask, '--verbose'], { cwd: folder(), env });
    expect(run.code).toBe(0);
    const lines = run.stderr.trimEnd().split('\n');
    const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(lines.length - logged.length).toBe(1);
    expect(logged[0]).toMatchObject({ msg: 'run.started', level: 30, documents: 1 });
    expect(server.requests[0]!.headers.authorization).toMatch(/^Basic /);
    expect(run.stderr + run.stdout).not.toMatch(/planted|lowered from 40.*Orders/s);
  });

  it.each(['ask', 'doctor', 'config list'])('no password in the errors and lists of rlm %s', async (command) => {
    const env = { ...secrets, OLLAMA_HOST: 'http://user:planted-password@127.0.0.1:1' };
    const args = command === 'ask' ? [...ask, '--json', '--verbose'] : command.split(' ');
    const run = await rlm(args, { cwd: folder(), env });
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain('planted');
    expect(run.stdout + run.stderr).toContain('127.0.0.1:1');
  });

  it('--log-file: lines are added to it, for its owner only', async () => {
    const cwd = folder();
    await rlm([...ask, '--log-file', 'run.log'], { cwd });
    await rlm([...ask, '--log-file', 'run.log', '--quiet'], { cwd });
    const lines = readFileSync(join(cwd, 'run.log'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg).filter((message) => message === 'run.started')).toHaveLength(2);
    expect(statSync(join(cwd, 'run.log')).mode & 0o777).toBe(0o600);
  });

  it('--log-file that cannot be written ends the run before any call', async () => {
    const { env, paths } = await startServer();
    const run = await rlm([...ask, '--json', '--log-file', 'nowhere/run.log'], { cwd: folder(), env });
    expect(run.code).toBe(2);
    expect(resultOf(run).error?.message).toContain('nowhere/run.log');
    expect(paths).toEqual([]);
  });

  it("no audit, journal or other file is left in the input's folder", async () => {
    const cwd = folder();
    await rlm(ask, { cwd });
    expect(readdirSync(cwd)).toEqual(['notes.md']);
    expect(existsSync(join(cwd, 'telemetry'))).toBe(false);
  });
});
