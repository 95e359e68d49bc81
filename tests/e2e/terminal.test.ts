import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, goodText, plan, startServer } from './replies.ts';
import { compiledOnce, createFolder, program, type RunOptions, start } from './run-rlm.ts';

/** Whether `script` of util-linux exists, which runs a command on a pseudo-terminal; BSD's `script` has no -c. */
const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;
const hide = '\u001b[?25l';
const show = '\u001b[?25h';

/** Runs rlm on a new terminal. stdin, stdout and stderr are on the terminal unless they are redirected. */
function onTerminal(args: readonly string[], options: RunOptions = {}, redirected = '') {
  const quoted = [process.execPath, '--require', compiledOnce, program, ...args].map(
    (arg) => `'${arg.replaceAll("'", "'\\''")}'`,
  );
  const env = { TERM: 'xterm-256color', ...options.env };
  // With a shell in between, Ctrl-C would end the shell instead of the program.
  return start('script', ['-qec', `exec ${quoted.join(' ')} ${redirected}`, '/dev/null'], {
    stdin: 'open',
    ...options,
    env,
  });
}

const ask = ['ask', 'How large was the pool, and who changed it?', 'notes.md', '--strategy', 'decompose'];
const cwd = () => createFolder({ 'notes.md': goodText });
const slow = { latencyMs: 250 };
const parts = {
  planner: plan('decompose', ['How large was the pool?', 'Who changed the pool?']),
  compose: 'It was lowered to 4 [P1].',
};

// Without `script` of util-linux, these tests cannot run a program on a terminal.
describe.skipIf(!hasScript).concurrent('on a terminal', () => {
  it('a live tree with the words of the answer, replaced by a short summary, and the cursor restored', async () => {
    const { env } = await startServer(parts, slow);
    const { code, stdout } = await onTerminal(ask, { cwd: cwd(), env }).done;
    expect(code).toBe(0);
    expect(stdout).toContain(hide);
    expect(stdout.lastIndexOf(show)).toBeGreaterThan(stdout.lastIndexOf(hide));
    expect(stdout).toMatch(/Who changed the pool\?.*answering\u00a0· 2\u00a0calls/);
    const after = stdout.slice(stdout.lastIndexOf(show));
    expect(stdout.slice(0, stdout.lastIndexOf(show))).toMatch(/It was lowered to 4 (?:\[P1\]|\[1\])/);
    expect(after).toContain('It was lowered to 4');
    expect(after.replace(/\s+/g, ' ')).toMatch(
      /answered.* · confidence \d+\/100 · 3 questions · 7 calls · [\d,]+ tokens · /,
    );
    expect(after).not.toMatch(/Who changed the pool\?|\u001b\[\d+A/);
  });

  it('rows as CSV have no control characters, which a pipe gets unchanged', async () => {
    const row = 'x \u001b[31mRED\u001b]0;own\u0007 \u009b1m';
    const query = ['query', 'select text from lines', 'a.md', '--csv'];
    const folder = createFolder({ 'a.md': `${row}\n` });
    const [shown, piped] = await Promise.all([
      onTerminal(query, { cwd: folder }).done,
      onTerminal(query, { cwd: folder }, '> rows.csv').done,
    ]);
    expect(shown.stdout).not.toMatch(/[\u001b\u0007\u009b]/);
    expect(shown.stdout).toContain('x RED');
    expect([piped.code, readFileSync(join(folder, 'rows.csv'), 'utf8')]).toEqual([0, `text\n${row}\n`]);
  });

  it('Ctrl-C restores the cursor', async () => {
    const { env } = await startServer({ ...parts, answer: () => new Promise(() => {}) });
    let stdin: { write(text: string): void } | undefined;
    const run = onTerminal(ask, {
      cwd: cwd(),
      env,
      stdin: (stream) => {
        stdin = stream;
      },
    });
    await run.shows('stdout', 'Who changed the pool?');
    stdin!.write('\u0003');
    const { code, stdout } = await run.done;
    expect(code).toBe(130);
    expect(stdout.lastIndexOf(show)).toBeGreaterThan(stdout.lastIndexOf(hide));
    expect(stdout).toContain('stopped');
  });

  it.each([
    ['TERM=dumb', { TERM: 'dumb' }, []],
    ['--quiet and --color never', {}, ['--quiet', '--color', 'never']],
    ['NO_COLOR and --verbose', { NO_COLOR: '1' }, ['--verbose']],
  ])('no control codes with %s', async (_, extra, args) => {
    const { env } = await startServer(parts);
    const { code, stdout } = await onTerminal([...ask, ...args], { cwd: cwd(), env: { ...env, ...extra } }).done;
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('It was lowered to 4');
  });

  it('rlm chat: several lines, Ctrl-C for an answer, earlier questions, Ctrl-D to leave', async () => {
    let hangs = false;
    const one = answer('The pool was lowered to 4 connections [P1].', 'P1', 'lowered from 40 to 4');
    const { env } = await startServer({ answer: () => (hangs ? new Promise(() => {}) : one) });
    let keyboard: { write(text: string): void } | undefined;
    const run = onTerminal(['chat', 'notes.md', '--color', 'never'], {
      cwd: cwd(),
      env: { ...env, RLM_PLANNER: 'never' },
      stdin: (stream) => {
        keyboard = stream;
      },
    });
    await run.shows('stdout', 'rlm> ');
    keyboard!.write('How large \\\r');
    await run.shows('stdout', '...> ');
    keyboard!.write('was the pool?\r');
    await run.shows('stdout', /rlm: answered[\s\S]*rlm> /);
    hangs = true;
    keyboard!.write('And why was that?\r');
    await run.shows('stdout', 'And why was that?  answering\u00a0· 1\u00a0call');
    keyboard!.write('\u0003');
    await run.shows('stdout', /interrupted by Ctrl-C[\s\S]*rlm> /);
    hangs = false;
    keyboard!.write('\u001b[A\u001b[A\r');
    await run.shows('stdout', /interrupted[\s\S]*How large was the pool\?[\s\S]*rlm: answered[\s\S]*rlm> /);
    // Each key counts once, even at the fourth question.
    keyboard!.write('zqx');
    await run.shows('stdout', 'zqx');
    keyboard!.write('\u0015/quit\r');
    expect((await run.done).code).toBe(0);
  });

  it('rlm chat answers if the history cannot be written, and says so', async () => {
    const env = { RLM_HOME: `${createFolder({ file: '' })}/file/state`, RLM_PROVIDER: 'extractive' };
    let keyboard: { write(text: string): void } | undefined;
    const stdin = (stream: { write(text: string): void }) => {
      keyboard = stream;
    };
    const run = onTerminal(['chat', 'notes.md', '--color', 'never'], { cwd: cwd(), env, stdin });
    await run.shows('stdout', 'rlm> ');
    keyboard!.write('How large was the pool?\r');
    await run.shows('stdout', /history\.json cannot be written[\s\S]*rlm: answered[\s\S]*rlm> /);
    keyboard!.write('/quit\r');
    expect((await run.done).code).toBe(0);
  });

  it('errors and hints wrap at words, aligned with the text', async () => {
    const path = `${'long-'.repeat(8)}name.md`;
    const { code, stdout } = await onTerminal(['chat', '-c', path], { cwd: cwd() }).done;
    expect(code).toBe(2);
    expect(stdout).toMatch(/^rlm: .*\r\n {5}\S.*name\.md/);
    expect(Math.max(...stdout.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('NO_COLOR keeps the live tree without colour, and --no-stream shows the answer only at the end', async () => {
    const { env } = await startServer(parts, slow);
    const { stdout } = await onTerminal([...ask, '--no-stream'], { cwd: cwd(), env: { ...env, NO_COLOR: '1' } }).done;
    expect(stdout.match(/It was lowered to 4/g)).toHaveLength(1);
    expect(stdout).toContain(hide);
    expect(stdout).not.toMatch(/\u001b\[\d+m/);
  });

  it('control codes of questions, files and answers do not reach it', async () => {
    const nasty = '\u001b]0;owned\u0007\u001b[2J\u009b5m';
    const { env } = await startServer(
      {
        planner: plan('decompose', [`How large${nasty}?`, `Who changed it${nasty}?`]),
        answer: answer(`Four${nasty} [P1] [P77${nasty}].`, 'P1', `nowhere${nasty}`),
        compose: { finalAnswer: `Four${nasty}.`, assumptions: [nasty] },
      },
      slow,
    );
    const name = `x${nasty.replace(/\//g, '')}.md`;
    const { code, stdout } = await onTerminal([...ask, name], {
      cwd: createFolder({ 'notes.md': goodText, [name]: goodText }),
      env,
    }).done;
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/\u001b\]|\u0007|\u001b\[2J|\u009b/);
  });

  it('the notice for a slow pipe does not damage the tree', async () => {
    const go = join(cwd(), 'go');
    const late = `until [ -e '${go}' ]; do sleep 0.1; done; echo 'The pool has 4 connections.'`;
    const line = `(${late}) | '${process.execPath}' --require '${compiledOnce}' '${program}' ask 'How many connections has the pool?'`;
    const run = start('script', ['-qec', line, '/dev/null'], { stdin: 'open', env: { TERM: 'xterm' } });
    await run.shows('stdout', 'still reading stdin');
    writeFileSync(go, '');
    const { code, stdout } = await run.done;
    expect(code).toBe(0);
    expect(stdout).toMatch(/\u001b\[1A\u001b\[0J\u001b\[\?7hrlm: still reading stdin/);
  });

  it('a question without other text does not wait for the keyboard', async () => {
    const { code, stdout } = await onTerminal(['ask', 'What is the capital of France?'], { cwd: cwd() }).done;
    expect(code).toBe(2);
    expect(stdout).toContain('there is no text to search');
  });
});
