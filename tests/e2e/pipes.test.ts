import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, goodText, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm, shell, startRlm } from './run-rlm.ts';

const question = 'How many connections has the pool?';
/** The limit is large enough for the long reply; a reply above the limit is cut off. */
const config = JSON.stringify({ reply: { maxTokens: 12_000 } });
const cwd = () => createFolder({ 'notes.md': goodText, 'rlm.config.json': config });
const ask = ['ask', question, 'notes.md'];
/** More than 64 KB in few claims, because each is checked, and without repetitions, which would end the reply. */
const seenIn = (line: number) => Array.from({ length: 120 }, (_, n) => `p${line}x${n}`).join(' ');
const long = Array.from({ length: 100 }, (_, line) => `Connection ${line} was seen in ${seenIn(line)}.`).join('\n');
const status = '; echo "status $?" >&2';

describe.concurrent('a reader that closes its end is not an error', () => {
  it.each([
    ['text', `{ rlm ask "$Q" notes.md ${status}; } | true`],
    ['a line of text', `{ rlm ask "$Q" notes.md ${status}; } | head -1`],
    ['JSON', `{ rlm ask "$Q" notes.md --json ${status}; } | true`],
    ['help', `{ rlm ask --help ${status}; } | true`],
    ['a topic', `{ rlm help output ${status}; } | true`],
    ['the version', `{ rlm --version ${status}; } | true`],
    ['the settings', `{ rlm config list ${status}; } | true`],
    ['the doctor', `{ rlm doctor ${status}; } | true`],
    ['an error as JSON', `{ rlm ask --json ${status}; } | true`],
  ])('%s', async (_, line) => {
    const { stderr } = await shell(line, { cwd: cwd(), env: { Q: question } });
    expect(stderr).toMatch(/^status 0$/m);
    expect(stderr).not.toMatch(/EPIPE|\n\s+at /);
  });

  it('ndjson: the run also ends', async () => {
    let calls = 0;
    const slow = () => new Promise<object>((resolve) => setTimeout(() => resolve(answer(`part ${++calls}`)), 500));
    const { env } = await startServer({ answer: slow });
    const line = `{ rlm ask "$Q" notes.md --format ndjson ${status}; } | head -1`;
    const { stdout, stderr } = await shell(line, { cwd: cwd(), env: { Q: question, ...env } });
    expect(stdout).toContain('"type":"run.started"');
    expect(stderr).toMatch(/^status 0$/m);
    expect(stderr).not.toMatch(/EPIPE|stopped|\n\s+at /);
  });

  it('closed stderr is not an error either', async () => {
    const { stdout } = await shell(`{ rlm ask "$Q" notes.md 2>&1 >&3 | true; } 3>&1`, {
      cwd: cwd(),
      env: { Q: question },
    });
    expect(stdout).toContain('40 to 4 connections');
  });
});

/** Matches the program's own marks: of citations, and of unsupported claims. */
const withoutMarks = (text: string) => text.replace(/ \[(?:\d+|!)\]/g, '');

describe.concurrent('output is never lost', () => {
  it.each([
    ['text', []],
    ['json', ['--json']],
    ['ndjson', ['--format', 'ndjson']],
  ])('more than 64 KB of %s pass a slow reader', async (format, args) => {
    const { env } = await startServer({ answer: answer(long) }, { pieceLength: 4_096 });
    const run = await rlm([...ask, ...args], {
      cwd: cwd(),
      env,
      reader: (stdout, keep) => {
        stdout.on('data', (chunk: Buffer) => {
          keep(chunk);
          stdout.pause();
          setTimeout(() => stdout.resume(), 20);
        });
      },
    });
    expect(run.code).toBe(0);
    expect(run.stdout.length).toBeGreaterThan(64 * 1024);
    const { answer: whole } =
      format === 'json' ? resultOf(run) : format === 'text' ? { answer: run.stdout } : eventsOf(run).last.result;
    expect(withoutMarks(whole!).startsWith(long)).toBe(true);
  });

  it('the same pass a real pipe whose reader begins late', async () => {
    const { env } = await startServer({ answer: answer(long) }, { pieceLength: 4_096 });
    const line = `rlm ask "$Q" notes.md -q | (sleep 1; cat)`;
    const { stdout } = await shell(line, { cwd: cwd(), env: { Q: question, ...env } });
    expect(withoutMarks(stdout).startsWith(long)).toBe(true);
  });

  it.skipIf(!existsSync('/dev/full')).each([
    ['rlm ask', 'rlm ask "$Q" notes.md -q'],
    ['rlm ask --json', 'rlm ask "$Q" notes.md -q --json'],
    ['rlm --version', 'rlm --version'],
    ['rlm help', 'rlm help output'],
  ])('a full disk is an error: %s', async (_, command) => {
    const run = await shell(`${command} > /dev/full`, { cwd: cwd(), env: { Q: question } });
    expect(run.code).toBe(2);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  it('an answer that does not fit its file goes to stdout, and the old file stays', async () => {
    const folder = createFolder({ 'notes.md': goodText, 'answer.txt': 'old' });
    const line = 'ulimit -f 0; rlm ask "$Q" notes.md -o answer.txt';
    const run = await shell(line, { cwd: folder, env: { Q: question } });
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('40 to 4 connections');
    expect(run.stderr).toContain('answer.txt cannot be written (EFBIG)');
    expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toBe('old');
  });
});

describe.concurrent('the reader of a named pipe stops reading', () => {
  it.each([
    ['the answer', ['--json', '-o', 'pipe']],
    ['a report', ['--report', 'pipe']],
  ])('SIGTERM ends the run: %s', async (_, args) => {
    const folder = cwd();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const reader = openSync(join(folder, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
    const { env } = await startServer({ answer: answer(long) }, { pieceLength: 4_096 });
    const run = startRlm([...ask, ...args], { cwd: folder, env });
    const begins = () => {
      try {
        return readSync(reader, Buffer.alloc(1)) > 0;
      } catch {
        return false; // EAGAIN: nothing is written yet.
      }
    };
    while (!begins()) await new Promise((resolve) => setTimeout(resolve, 20));
    run.kill('SIGTERM');
    expect(await run.done).toMatchObject({ code: 143, signal: null });
    closeSync(reader);
  });
});
