import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatCall, faults } from '../servers/ollama-server.ts';
import { everyStage, goodText, plan, startServer } from './replies.ts';
import { createFolder, resultOf, rlm, shell, startRlm } from './run-rlm.ts';

const question = 'How large was the pool?';
const ask = ['ask', question, 'a.md'];

/** Records a run, and closes its server. */
async function recorded(flags: readonly string[] = [], handlers: Parameters<typeof startServer>[0] = {}) {
  const server = await startServer(handlers);
  const cwd = createFolder({ 'a.md': goodText });
  const run = await rlm([...ask, ...flags, '--record', 'run.cassette'], { cwd, env: server.env });
  await server.close();
  const replay = (...more: string[]) =>
    rlm([...ask, ...flags, '--replay', 'run.cassette', ...more], { cwd, env: everyStage });
  return { run, cwd, server, replay };
}

describe.concurrent('--record and --replay', () => {
  it('give the same bytes with the server closed, as often as requested', async () => {
    const { run, replay, server } = await recorded();
    expect(run.code, run.stderr).toBe(0);
    const asked = server.requests.length;
    for (const again of [await replay(), await replay(), await replay('--max-calls', '4', '--concurrency', '1')]) {
      expect(again.code, again.stderr).toBe(0);
      expect(again.stdout).toBe(run.stdout);
    }
    expect(server.requests).toHaveLength(asked);
  });

  it('give the same tree for a split question, in another folder', async () => {
    const split = { planner: plan('decompose', ['How large?', ['Who changed it?', [1]]]) };
    const { run, cwd } = await recorded(['--strategy', 'decompose', '--json'], split);
    const elsewhere = createFolder({
      'a.md': goodText,
      'run.cassette': readFileSync(join(cwd, 'run.cassette')),
    });
    const flags = ['--strategy', 'decompose', '--json', '--replay', 'run.cassette'];
    const again = resultOf(await rlm([...ask, ...flags], { cwd: elsewhere, env: everyStage }));
    const first = resultOf(run);
    expect(again).toMatchObject({ status: 'answered', answer: first.answer, provider: 'ollama', resumable: false });
    expect(again.recursionTree?.children.map((child) => child.answer)).toEqual(
      first.recursionTree?.children.map((child) => child.answer),
    );
    expect(again.usage).toMatchObject({ calls: first.usage.calls, replayedCalls: first.usage.calls });
  });

  it('work with a whole folder that contains the recording', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText });
    const inFolder = ['ask', question, '.'];
    const run = await rlm([...inFolder, '--record', 'run.cassette'], { cwd, env: server.env });
    const again = await rlm([...inFolder, '--replay', 'run.cassette'], { cwd, env: everyStage });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toBe(run.stdout);
  });

  it('name a missing call, and the differences', async () => {
    const { cwd } = await recorded();
    const other = ['ask', 'Who changed the pool?', 'a.md', '--replay', 'run.cassette'];
    const { code, stdout, stderr } = await rlm(other, { cwd, env: everyStage });
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/run\.cassette .*"planner planner 1" \("Who changed the pool\?"\)/);
    expect(stderr).toContain(`"planner planner 1" ("${question}"), which differs in the question`);
    const json = resultOf(await rlm([...other, '--json'], { cwd, env: everyStage }));
    expect(json).toMatchObject({ status: 'failed', answer: null, error: { code: 'call-not-recorded' } });
  });

  it('refuse a file that is not a recording', async () => {
    const cwd = createFolder({ 'a.md': goodText, 'run.cassette': 'hello\n' });
    for (const file of ['run.cassette', 'missing.cassette']) {
      const run = await rlm([...ask, '--replay', file, '--json'], { cwd });
      expect(run.code).toBe(2);
      expect(resultOf(run)).toMatchObject({ status: 'failed', error: { code: 'cassette-invalid' } });
      expect(run.stderr).toContain('cannot be replayed');
    }
  });

  it('discover that the recording cannot be written before anything is asked', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText, file: '' });
    mkdirSync(join(cwd, 'folder'));
    for (const path of ['folder', 'file/run.cassette', '/dev/null']) {
      const run = await rlm([...ask, '--record', path], { cwd, env: server.env });
      expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
      expect(run.stderr).toContain('cannot be written');
    }
    expect(server.requests).toEqual([]);
    expect(readdirSync(join(cwd, 'folder'))).toEqual([]);
  });

  it('refuse an answer or a log in the same file, before anything is asked', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText });
    symlinkSync('.', join(cwd, 'same'));
    for (const flags of [
      ['--record', 'x', '-o', 'same/x'],
      ['--record', 'x', '--log-file', './x'],
      ['-o', 'x', '--log-file', 'x'],
    ]) {
      const { code, stderr } = await rlm([...ask, ...flags], { cwd, env: server.env });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Name different files.') });
    }
    expect(server.requests).toEqual([]);
    const { replay, cwd: folder } = await recorded();
    const before = readFileSync(join(folder, 'run.cassette'), 'utf8');
    expect((await replay('-o', 'run.cassette')).code).toBe(2);
    expect(readFileSync(join(folder, 'run.cassette'), 'utf8')).toBe(before);
  });

  it('keep the recording if the run gets no reply', async () => {
    const { cwd } = await recorded();
    const before = readFileSync(join(cwd, 'run.cassette'), 'utf8');
    const { env } = await startServer({ answer: faults.status(400, 'no') });
    const run = await rlm([...ask, '--record', 'run.cassette', '--max-tokens', '100'], { cwd, env });
    expect(run.code).toBe(6);
    expect(readFileSync(join(cwd, 'run.cassette'), 'utf8')).toBe(before);
  });

  it('replace another recording, and no other file', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText, 'notes.md': 'My notes.\n', empty: '' });
    const record = (file: string) => rlm([...ask, '--record', file], { cwd, env: server.env });
    const refused = await record('notes.md');
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('notes.md is not a recording');
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('My notes.\n');
    expect(server.requests).toEqual([]);
    for (const file of ['empty', 'new.cassette', 'new.cassette']) expect((await record(file)).code).toBe(0);
  });

  it('do not replace the journal of a run', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText });
    const state = join(cwd, 'state');
    const env = { ...server.env, RLM_HOME: state };
    const { runId } = resultOf(await rlm([...ask, '--json'], { cwd, env }));
    const journal = join(state, 'runs', runId!, 'journal.jsonl');
    const before = readFileSync(journal, 'utf8');
    const asked = server.requests.length;
    const refused = await rlm([...ask, '--record', journal], { cwd, env });
    expect(refused.code).toBe(2);
    expect(readFileSync(journal, 'utf8')).toBe(before);
    expect(server.requests).toHaveLength(asked);
  });

  it('change the exit status if they cannot be written at the end, and the answer arrives', async () => {
    const cwd = createFolder({ 'a.md': goodText });
    const critic = () => {
      rmSync(join(cwd, 'kept'), { recursive: true, force: true });
      writeFileSync(join(cwd, 'kept'), 'no folder any more');
      return { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: 'It holds.' };
    };
    const server = await startServer({ critic });
    const run = await rlm([...ask, '--json', '--record', 'kept/run.cassette'], { cwd, env: server.env });
    expect(run.code, run.stderr).toBe(2);
    expect(resultOf(run)).toMatchObject({
      status: 'answered',
      answer: expect.stringContaining('4 connections'),
      error: { code: 'output-unwritable', message: expect.stringContaining('run.cassette cannot be written') },
    });
    expect(run.stderr).toContain('run.cassette cannot be written');
  });

  it('keep the replies of a run that fails, and of an interrupted one', async () => {
    const refused = faults.status(400, { error: 'no' });
    const { run, cwd } = await recorded([], { answer: refused });
    expect(run.code).toBe(5);
    expect(readFileSync(join(cwd, 'run.cassette'), 'utf8')).toContain('"prompt":"planner"');

    const server = await startServer({ answer: faults.stallMidStream() });
    const folder = createFolder({ 'a.md': goodText });
    const running = startRlm([...ask, '--format', 'ndjson', '--record', 'new/run.cassette'], {
      cwd: folder,
      env: server.env,
    });
    await running.shows('stdout', '"type":"node.judged"');
    running.kill('SIGINT');
    expect((await running.done).code).toBe(130);
    expect(readFileSync(join(folder, 'new', 'run.cassette'), 'utf8')).toContain('"prompt":"planner"');
  });

  it('repeat the reply of each place if the same was asked twice', async () => {
    const sizes = ['It had 40 [P1].', 'It has 4 [P1].'];
    const asked = 'llm_query("Say how large.")';
    const twins = {
      repl: (call: ChatCall) =>
        call.messages.some(({ role }) => role === 'assistant')
          ? 'FINAL(Both.)'
          : `\`\`\`js\nprint(${asked}); print(${asked});\n\`\`\``,
      query: (_: unknown, index: number) => sizes[index]!,
    };
    const { run, replay } = await recorded(['--strategy', 'repl', '--json'], twins);
    const said = (result: ReturnType<typeof resultOf>) => result.recursionTree!.steps[0]!.calls[0]!.result;
    expect(said(resultOf(await replay()))).toBe(said(resultOf(run)));
    expect(said(resultOf(run))).toBe(sizes.join('\n'));
  });

  it('read the journal of a run in its exported form', async () => {
    const server = await startServer();
    const state = createFolder();
    const cwd = createFolder({ 'a.md': goodText });
    const run = await rlm(ask, { cwd, env: { ...server.env, RLM_HOME: state } });
    const [id] = readdirSync(join(state, 'runs')) as [string];
    const journal = readFileSync(join(state, 'runs', id, 'journal.jsonl'), 'utf8');
    expect(journal).toContain('"type":"end"');
    writeFileSync(join(cwd, 'run.jsonl'), journal);
    const again = await rlm([...ask, '--replay', 'run.jsonl'], { cwd, env: everyStage });
    expect(again.stdout).toBe(run.stdout);
  });

  it('leave no journal of a replay, and no key in a recording', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText });
    const secret = 'sk-live-0123456789';
    const host = server.url.replace('//', `//user:${secret}@`);
    const env = { OLLAMA_HOST: host, OLLAMA_API_KEY: secret };
    const run = await rlm([...ask, '--host', host, '--record', 'run.cassette'], { cwd, env });
    expect(run.code, run.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'run.cassette'), 'utf8')).not.toContain(secret);
    const state = join(createFolder(), 'state');
    await rlm([...ask, '--replay', 'run.cassette'], { cwd, env: { RLM_HOME: state } });
    expect(existsSync(state)).toBe(false);
  });

  it('cannot be combined, and do not lose piped text', async () => {
    const both = await rlm([...ask, '--record', 'a', '--replay', 'b']);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('cannot be used with');
    const cwd = createFolder({ 'notes.md': goodText });
    const lost = await shell(`rlm ask "${question}" --record notes.md < notes.md`, { cwd });
    expect(lost.code).toBe(2);
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe(goodText);
  });
});
