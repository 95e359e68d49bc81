import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, eventsOf, program, resultOf, rlm, shell, start, startRlm } from './run-rlm.ts';

const question = 'How many connections has the pool?';
const ask = ['ask', question, '--json'];
const notice = 'still reading stdin; if nothing is piped in, use --no-stdin';
const unread = 'piped text is not read, because the question has other text; to read it, too, add - to the paths';
const withNotes = () => createFolder({ 'notes.md': goodText });

/** Starts a process that holds the other end of the pipe open, and ends with the program. */
const startWithSilentPipe = (args: readonly string[], cwd: string) => {
  const line = `mkfifo pipe; sleep 600 > pipe & exec < pipe; "$0" "$@"; code=$?; kill $!; exit $code`;
  return start('sh', ['-c', line, process.execPath, program, ...args], { cwd });
};

describe.concurrent('stdin', () => {
  it.each([
    ['/dev/null', '< /dev/null'],
    ['a closed one', '<&-'],
    ['a folder', '< .'],
  ])('%s is empty', async (_, redirection) => {
    const run = await shell(`rlm ask '${question}' --json ${redirection}`, { cwd: withNotes() });
    expect(run.code).toBe(2);
    expect(resultOf(run).error?.code).toBe('no-text');
  });

  it.each([
    ['a file', 'rlm ask "$Q" < notes.md'],
    ['a pipe', 'cat notes.md | rlm ask "$Q"'],
    ['a pipe that is named -', 'cat notes.md | rlm ask "$Q" -'],
    ['a here-document', 'rlm ask "$Q" <<X\nThe pool has 4 connections.\nX'],
    ['a pipe that begins late', '(sleep 0.5; cat notes.md) | rlm ask "$Q"'],
  ])('%s is read', async (_, line) => {
    const run = await shell(line, { cwd: withNotes(), env: { Q: question } });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/\[\d\] stdin:\d/);
  });

  it('an empty pipe is an error if there is no other text', async () => {
    const run = await rlm(ask, { stdin: '' });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toMatchObject({ code: 'input-empty', hint: expect.stringContaining('--no-stdin') });
  });

  it('piped input that is not text is refused', async () => {
    const { env, requests } = await startServer();
    const stdin = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7) % 256));
    for (const run of await Promise.all([rlm(ask, { stdin }), rlm(ask, { stdin, env })])) {
      expect(run.code).toBe(2);
      expect(resultOf(run)).toMatchObject({ answer: null, error: { message: expect.stringContaining('binary') } });
    }
    expect(requests).toEqual([]);
  });

  it('a pipe that pauses is read to its end, with a notice', async () => {
    const pieces = ['The pool has', ' 4 connections.\nNobody knows why.\n'] as const;
    let stdin: Writable;
    const running = startRlm(['ask', question, '--format', 'ndjson'], {
      stdin: (opened) => {
        stdin = opened;
        stdin.write(pieces[0]);
      },
    });
    await running.shows('stderr', notice);
    stdin!.end(pieces[1]);
    const run = await running.done;
    expect(run.code).toBe(0);
    const { events, last } = eventsOf(run);
    expect(events[0]).toMatchObject({ type: 'run.started', documents: 1, bytes: pieces.join('').length });
    expect(last.result.answer).toContain('The pool has 4 connections.');
  });

  it('a pipe that stays open and silent: a notice, and Ctrl-C ends the run', async () => {
    const run = startRlm(ask, { stdin: 'open' });
    await run.shows('stderr', notice);
    run.kill('SIGINT');
    const finished = await run.done;
    expect(finished.code).toBe(130);
    expect(resultOf(finished)).toMatchObject({ status: 'cancelled', error: { code: 'interrupted' } });
  });

  it('--no-stdin ignores it, even where it would be read', async () => {
    const run = await rlm([...ask, '-', 'notes.md', '--no-stdin'], { stdin: 'open', cwd: withNotes() });
    expect(run.code).toBe(0);
    expect(resultOf(run).citations[0]?.source).toBe('notes.md');
  });

  it.each([
    ['a file that is missing', ['nowhere.md'], 2],
    ['a server that is missing', ['--provider', 'ollama'], 4],
    ['prompts that are missing', ['--prompts', 'nowhere'], 3],
  ])('an open one does not delay the error of %s', async (_, args, code) => {
    const run = await rlm([...ask, ...args], { stdin: 'open' });
    expect(run.code).toBe(code);
    expect(run.stderr).not.toContain(notice);
  });

  it('an error of stdin does not wait for a server that stalls', async () => {
    const { env } = await startServer({}, { elsewhere: () => faults.stall() });
    const run = await rlm([...ask, '--provider', 'ollama'], { stdin: '', env });
    expect(run.code).toBe(2);
    expect(resultOf(run).error?.code).toBe('input-empty');
  });

  it('10 MB are read completely', async () => {
    const filler = 'Nothing of interest happens here, as on any other day.\n'.repeat(100_000);
    const run = await rlm(ask, { stdin: `${filler}The pool has 4 connections.\n${filler}` });
    const { status, citations } = resultOf(run);
    expect(status).toBe('answered');
    expect(citations).toMatchObject([{ source: 'stdin', startLine: 100_001, quote: 'The pool has 4 connections.' }]);
  });
});

describe.concurrent('stdin with other text', () => {
  const lines = { 'questions.txt': 'How many connections has the pool?\nWho set it?\n' };
  const folder = () => createFolder({ 'notes.md': goodText, ...lines });

  it.each([
    ['ask', 'rlm ask "$q" notes.md'],
    ['search', 'rlm search pool notes.md'],
    ['describe', 'rlm describe notes.md'],
  ])('a loop over the lines of a file runs for each: %s', async (_, command) => {
    const loop = `while read -r q; do ${command} > /dev/null; echo "asked: $q"; done < questions.txt`;
    const run = await shell(loop, { cwd: folder() });
    expect(run.stdout.match(/^asked: .*$/gm)).toHaveLength(2);
    expect(run.stderr).not.toContain(unread);
  });

  it('a script that bash reads from a pipe continues after the call', async () => {
    const script = '"$NODE" "$PROGRAM" ask "How many connections?" notes.md -q > answer.txt\necho behind\n';
    const env = { SCRIPT: script, NODE: process.execPath, PROGRAM: program };
    const cwd = folder();
    const run = await shell(`printf '%s' "$SCRIPT" | bash -s`, { cwd, env });
    expect(run).toMatchObject({ code: 0, stdout: 'behind\n' });
    expect(readFileSync(join(cwd, 'answer.txt'), 'utf8')).toContain('notes.md');
  });

  it.each([
    ['a socket', (args: readonly string[], cwd: string) => startRlm(args, { stdin: 'open', cwd })],
    ['a pipe', (args: readonly string[], cwd: string) => startWithSilentPipe(args, cwd)],
  ])('%s that stays open and silent is not waited for', async (_, run) => {
    const finished = await run([...ask, 'notes.md'], withNotes()).done;
    expect(finished.code).toBe(0);
    expect(resultOf(finished).citations[0]?.source).toBe('notes.md');
    expect(finished.stderr).not.toContain('stdin');
    expect(finished.stderr).not.toContain(unread);
  });

  it.each([
    ['paths', 'echo The pool has 9 connections. | rlm ask "$Q" notes.md --json'],
    ['paths, late', '(sleep 0.3; echo The pool has 9 connections.) | rlm ask "$Q" notes.md --json'],
    ['search', 'echo The pool has 9 connections. | rlm search pool notes.md'],
    ['a dry run', 'echo The pool has 9 connections. | rlm ask "$Q" notes.md --dry-run'],
  ])('a pipe that is not read is mentioned once: %s', async (_, line) => {
    const run = await shell(line, { cwd: withNotes(), env: { Q: question } });
    expect(run.code).toBe(0);
    expect(run.stdout).not.toContain('9 connections');
    expect(run.stderr.split(unread)).toHaveLength(2);
  });

  it.each([
    ['an empty pipe', ': | rlm ask "$Q" notes.md'],
    ['a file', 'rlm ask "$Q" notes.md < questions.txt'],
    ['with --no-stdin', 'echo x | rlm ask "$Q" notes.md --no-stdin'],
    ['with --quiet', 'echo x | rlm ask "$Q" notes.md --quiet'],
    ['with -', 'echo The pool is blue. | rlm ask "$Q" - notes.md'],
  ])('nothing is said about %s', async (_, line) => {
    const run = await shell(line, { cwd: folder(), env: { Q: question } });
    expect(run.code).toBe(0);
    expect(run.stderr).not.toContain(unread);
  });

  it('an empty - is reported', async () => {
    const run = await shell(': | rlm ask "$Q" - notes.md', { cwd: withNotes(), env: { Q: question } });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('stdin is empty') });
  });
});
