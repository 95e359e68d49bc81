import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ChatCall } from '../servers/ollama-server.ts';
import { faults } from '../servers/ollama-server.ts';
import { answer, goodText, plan, startServer } from './replies.ts';
import { createFolder, type Finished, resultOf, rlm, rlmAlone, shell, startRlm } from './run-rlm.ts';

const question = 'How large was the pool, and who changed it?';
const asking = ['ask', question, '--provider', 'ollama', '--strategy', 'decompose', '--max-depth', '1', '--json'];

/** Replies with two parts. Each test determines the first answer of the second part. */
function handlers(second: (call: ChatCall) => object = () => good('by the deploy')) {
  return {
    planner: plan('decompose', ['How large was the pool?', 'Who changed the pool?']),
    answer: (call: ChatCall) =>
      /question:\s+Who changed/i.test(call.messages.at(-1)!.content) ? second(call) : good('4 connections'),
  };
}

const good = (text: string) => answer(`It was ${text} [P1].`, 'P1', 'from 40 to 4');

/** Answers the first request for the second part with a fault. */
function failOnce(fault: object) {
  let failed = false;
  return handlers(() => {
    if (failed) return good('by the deploy');
    failed = true;
    return fault;
  });
}

const stallOnce = () => failOnce(faults.stallMidStream());

const createInput = () => createFolder({ 'notes.md': goodText });

interface Place {
  readonly state: string;
  readonly cwd: string;
}

const createPlace = (): Place => ({ state: createFolder(), cwd: createInput() });

const runsIn = ({ state }: Pick<Place, 'state'>) => readdirSync(join(state, 'runs'));
const fileOf = (place: Pick<Place, 'state'>, name: string) => join(place.state, 'runs', runsIn(place)[0]!, name);
const journalOf = (place: Pick<Place, 'state'>) => readFileSync(fileOf(place, 'journal.jsonl'), 'utf8');
const firstCallIn = (place: Pick<Place, 'state'>) =>
  journalOf(place)
    .split('\n')
    .findIndex((line) => line.includes('"type":"call"'));
const callsIn = (place: Pick<Place, 'state'>) => journalOf(place).match(/"type":"call"/g)?.length ?? 0;

const envOf = ({ state }: Place, { url }: { url: string }, more: Record<string, string> = {}) => ({
  RLM_HOME: state,
  OLLAMA_HOST: url,
  RLM_PLANNER: 'always',
  RLM_CRITIC: 'always',
  ...more,
});

/** Starts a server that refuses the second part once. */
const startRefusing = (options = {}) => startServer(failOnce(faults.status(400)), options);

/** Makes a run whose second part gets no answer. Composing and the critic's call are recorded all the same. */
async function cutShort(place: Place, server: { url: string }, args: readonly string[] = [], env = {}) {
  const options = { cwd: place.cwd, env: envOf(place, server, env) };
  const finished = await rlm([...asking, 'notes.md', ...args], options);
  expect(finished.code, finished.stderr).toBe(5);
  expect(resultOf(finished)).toMatchObject({ status: 'partial', resumable: true });
  expect(callsIn(place)).toBe(4);
}

const resume = (
  place: Place,
  server: { url: string },
  args: readonly string[] = [],
  env = {},
  run = rlm,
): Promise<Finished> => run(['resume', '--json', ...args], { env: envOf(place, server, env) });

/** The plan and the first part are recorded already. */
const half = { calls: 5, replayedCalls: 2 };

function expectAnswered(finished: Finished) {
  expect(finished.code, finished.stderr).toBe(0);
  const result = resultOf(finished);
  expect(result).toMatchObject({ status: 'answered', error: null, resumable: false });
  return result;
}

function expectRefused(finished: Finished, ...said: readonly string[]) {
  expect(finished.code, finished.stderr).toBe(2);
  const { error } = resultOf(finished);
  expect(error).toMatchObject({ code: 'run-changed' });
  for (const words of said) expect(error!.message).toContain(words);
}

describe.concurrent('rlm resume continues', () => {
  it('after a limit was raised, and makes no recorded call again', async () => {
    const place = createPlace();
    const server = await startServer();
    const options = { cwd: place.cwd, env: envOf(place, server) };
    const first = await rlm(['ask', question, 'notes.md', '--json', '--max-calls', '1'], options);
    expect(first.code).toBe(6);
    expect(first.stderr).toContain(`To continue: rlm resume ${runsIn(place)[0]}`);
    const asked = server.requests.length;
    const { usage } = expectAnswered(await resume(place, server, ['--max-calls', '20']));
    expect(usage.replayedCalls).toBe(asked);
    expect(server.requests.length).toBe(usage.calls);
    expect(callsIn(place)).toBe(usage.calls);
  });

  it('within its limit, however often a reply breaks off', async () => {
    const place = createPlace();
    const server = await startServer({ answer: () => faults.cutMidLine() });
    const limit = ['--strategy', 'direct', '--max-tokens', '6000'];
    const options = { cwd: place.cwd, env: envOf(place, server, { RLM_PLANNER: 'never' }) };
    let last = await rlm(['ask', question, 'notes.md', '--json', ...limit], options);
    for (let times = 0; times < 20 && last.code !== 6; times++)
      last = await resume(place, server, [], { RLM_PLANNER: 'never' });
    expect(last.code, last.stderr).toBe(6);
    const { usage } = resultOf(last);
    expect(usage.tokens.input).toBeGreaterThan(0);
    expect(usage.tokens.input + usage.tokens.output).toBeLessThanOrEqual(6_000);
    expect(usage.tokens.input).toBeGreaterThan(100 * server.requests.length);
  });

  it.each([
    ['no time is left', ['--timeout', '0.01'], 'limit-time'],
    ['no request is left', ['--max-calls', '1'], 'limit-calls'],
  ])('with the earlier answer if %s', async (_, limit, code) => {
    const place = createPlace();
    const server = await startRefusing();
    const asked = await rlm([...asking, 'notes.md'], { cwd: place.cwd, env: envOf(place, server) });
    const { answer, citations } = resultOf(asked);
    const again = await resume(place, server, limit);
    expect(again.code, again.stderr).toBe(6);
    expect(resultOf(again)).toMatchObject({ answer, citations, status: 'partial', error: { code }, resumable: true });
    const shown = await rlm(['runs', 'show', runsIn(place)[0]!, '--json'], { env: envOf(place, server) });
    expect(JSON.parse(shown.stdout).result.answer).toBe(answer);
  });

  it('after a limit was raised in the configuration', async () => {
    const place = createPlace();
    const server = await startServer();
    const limit = (calls: number) =>
      writeFileSync(join(place.cwd, 'rlm.config.json'), JSON.stringify({ budget: { maxCalls: calls } }));
    limit(1);
    const options = { cwd: place.cwd, env: envOf(place, server) };
    expect((await rlm(['ask', question, 'notes.md', '--json'], options)).code).toBe(6);
    expect((await resume(place, server)).code).toBe(6);
    limit(20);
    const { usage } = expectAnswered(await resume(place, server));
    expect(server.requests.length).toBe(usage.calls);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', null],
  ] as const)('after %s', async (signal, code) => {
    const place = createPlace();
    const server = await startServer(stallOnce());
    const run = startRlm([...asking, 'notes.md'], { cwd: place.cwd, env: envOf(place, server) });
    await run.shows('stderr', '0.1 answered');
    await vi.waitFor(() => expect(callsIn(place)).toBe(2), { timeout: 20_000 });
    run.kill(signal);
    expect((await run.done).code).toBe(code);
    const asked = server.requests.length;
    const result = expectAnswered(await resume(place, server));
    expect(result.answer).toContain('It was lowered to 4');
    // The lost call counts as spent.
    expect(result.usage).toMatchObject({ ...half, calls: 6, failedCalls: 1 });
    expect(server.requests.length - asked).toBe(3);
  });

  it('after a lost server is back', async () => {
    const place = createPlace();
    const server = await startRefusing();
    await cutShort(place, server);
    const [run] = runsIn(place);
    const before = journalOf(place);
    const away = await resume(place, { url: 'http://127.0.0.1:1' });
    expect(away.code).toBe(4);
    expect(resultOf(away).error).toMatchObject({ code: 'provider-unreachable' });
    expect(journalOf(place)).toBe(before);
    expectAnswered(await resume(place, server));
    expect(runsIn(place)).toEqual([run]);
  });

  it('makes no more calls than the limit allows over all sessions, also where each failed', async () => {
    const place = createPlace();
    const server = await startServer({ answer: () => faults.status(500) });
    const options = { cwd: place.cwd, env: envOf(place, server) };
    const args = ['ask', question, 'notes.md', '--provider', 'ollama', '--strategy', 'direct', '--max-calls', '1'];
    const env = { RLM_PLANNER: 'never', RLM_CRITIC: 'never' };
    const first = await rlm(args, { ...options, env: { ...options.env, ...env } });
    expect(first.code, first.stderr).toBe(5);
    const calls = server.requests.length;
    const again = await resume(place, server, [], env);
    expect(again.code, again.stdout).toBe(6);
    expect(server.requests.length).toBe(calls);
  });

  it('from another folder, and with a relative state folder', async () => {
    const cwd = createInput();
    const server = await startRefusing();
    const env = { RLM_HOME: 'kept', ...server.env };
    expect((await rlm([...asking, 'notes.md'], { cwd, env })).code).toBe(5);
    const finished = await rlm(['resume', '--json'], {
      env: { ...env, RLM_HOME: join(cwd, 'kept') },
    });
    expectAnswered(finished);
  });

  it('with the piped text, and reads no pipe itself', async () => {
    const place = createPlace();
    const server = await startRefusing();
    const options = { cwd: place.cwd, env: envOf(place, server) };
    expect((await rlm(asking, { ...options, stdin: goodText })).code).toBe(5);
    expect(readFileSync(fileOf(place, 'text.1'), 'utf8')).toBe(goodText);
    const finished = await rlm(['resume', '--json'], { ...options, stdin: 'Something else.\n' });
    expect(expectAnswered(finished).citations).toMatchObject([{ source: 'stdin', quote: 'from 40 to 4' }]);
  });

  it('a complete run: the same answer, without a call', async () => {
    const place = createPlace();
    const server = await startServer(handlers());
    const options = { cwd: place.cwd, env: envOf(place, server) };
    const first = expectAnswered(await rlm([...asking, 'notes.md'], options));
    const asked = server.requests.length;
    const again = expectAnswered(await resume(place, server));
    expect(server.requests.length).toBe(asked);
    expect(again).toEqual(first);
  });

  it('a complete run with a lower limit: the same answer, because its calls are paid for', async () => {
    const place = createPlace();
    const server = await startServer();
    const options = { cwd: place.cwd, env: envOf(place, server, { RLM_PLANNER: 'never', RLM_CRITIC: 'never' }) };
    const first = resultOf(await rlm(['ask', question, 'notes.md', '--json', '--strategy', 'direct'], options));
    const asked = server.requests.length;
    const again = resultOf(await rlm(['resume', '--json', '--max-tokens', '1'], options));
    expect([again.answer, again.status]).toEqual([first.answer, 'answered']);
    expect(server.requests.length).toBe(asked);
  });

  it('an answered run whose critic failed: the same answer, without a call', async () => {
    const place = createPlace();
    const server = await startServer({ ...handlers(), critic: faults.status(400) });
    const first = expectAnswered(await rlm([...asking, 'notes.md'], { cwd: place.cwd, env: envOf(place, server) }));
    const asked = server.requests.length;
    expect(expectAnswered(await resume(place, server))).toEqual(first);
    const { stdout } = await rlm(['resume', '--format', 'ndjson'], { cwd: place.cwd, env: envOf(place, server) });
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(['run.started', 'run.completed']);
    expect(server.requests.length).toBe(asked);
  });
});

describe.concurrent('rlm resume refuses and names each change', () => {
  const change = (cwd: string, name: string, text: string) => writeFileSync(join(cwd, name), text);

  it('a file: --force continues, and asks affected calls again', async () => {
    const place = createPlace();
    const server = await startRefusing();
    await cutShort(place, server);
    change(place.cwd, 'notes.md', `${goodText}It was reverted.\n`);
    expectRefused(await resume(place, server), 'notes.md has changed');
    const forced = expectAnswered(await resume(place, server, ['--force']));
    expect(forced.usage.replayedCalls).toBe(0);
    expect(expectAnswered(await resume(place, server)).answer).toBe(forced.answer);
  });

  it('a file: the calls that --force repeats are counted in addition to the recorded ones', async () => {
    const place = createPlace();
    const server = await startRefusing();
    await cutShort(place, server);
    const before = server.requests.length;
    change(place.cwd, 'notes.md', `${goodText}It was reverted.\n`);
    const forced = await resume(place, server, ['--force', '--max-calls', `${before + 2}`]);
    expect(forced.code).toBe(6);
    expect(server.requests.length).toBeLessThanOrEqual(before + 2);
  });

  it('a new file and a removed one', async () => {
    const place = { state: createFolder(), cwd: createFolder({ 'a/notes.md': goodText, 'a/old.md': 'Old.\n' }) };
    const server = await startRefusing();
    const options = { cwd: place.cwd, env: envOf(place, server) };
    expect((await rlm([...asking, 'a'], options)).code).toBe(5);
    await shell('mv a/old.md a/new.md', options);
    expectRefused(await resume(place, server), 'a/new.md is new', 'a/old.md is gone');
  });

  it('a prompt', async () => {
    const place = createPlace();
    const server = await startRefusing();
    const words = (text: string) =>
      `## System\n\n${text}\n\n## User\n\n{{task}} {{documents}} {{approaches}} {{format}}\n`;
    const prompts = createFolder({ 'planner.md': words('Plan.') });
    await cutShort(place, server, ['--prompts', prompts]);
    change(prompts, 'planner.md', words('Plan well.'));
    expectRefused(await resume(place, server), 'the planner prompt has changed');
  });

  it('a role', async () => {
    const place = createPlace();
    const server = await startRefusing();
    const words = (text: string) => `---\nname: mine\nabout: says little\n---\n${text}\n`;
    const roles = createFolder({ 'mine.md': words('Be brief.') });
    await cutShort(place, server, ['--role', `${roles}/mine.md`]);
    change(roles, 'mine.md', words('Be long.'));
    expectRefused(await resume(place, server), 'the role has changed');
    change(roles, 'mine.md', words('Be brief.'));
    expect(expectAnswered(await resume(place, server)).usage.replayedCalls).toBeGreaterThan(0);
  });

  it('a setting', async () => {
    const place = createPlace();
    const server = await startRefusing();
    await cutShort(place, server, [], { RLM_SEED: '1' });
    const env = { RLM_SEED: '2' };
    expectRefused(await resume(place, server, [], env), 'seed was 1 and is 2');
    expectAnswered(await resume(place, server, ['--force'], env));
  });

  it('a model of the same name with different content', async () => {
    const place = createPlace();
    const madeOf = (modelfile: string) => startRefusing({ models: [{ name: 'qwen2.5-coder:14b', modelfile }] });
    const [before, after] = await Promise.all(['FROM one', 'FROM two'].map(madeOf));
    await cutShort(place, before!);
    expectRefused(await resume(place, after!), 'the version of the model was ');
    expect(after!.requests).toEqual([]);
  });
});

describe.concurrent('an incomplete journal', () => {
  const damageLine = (place: Place, at: number) => {
    const lines = journalOf(place).split('\n');
    lines[at] = lines[at]!.replace('"place"', '"plate"');
    writeFileSync(fileOf(place, 'journal.jsonl'), lines.join('\n'));
  };

  it('damage in the middle is refused with the number of the record; --force makes that call again', async () => {
    const place = createPlace();
    const server = await startRefusing();
    await cutShort(place, server);
    damageLine(place, firstCallIn(place));
    const refused = await resume(place, server);
    expect(refused.code).toBe(2);
    expect(resultOf(refused).error).toMatchObject({
      code: 'journal-damaged',
      message: expect.stringMatching(new RegExp(`record ${firstCallIn(place) + 1} of .*journal\\.jsonl is damaged`)),
    });
    const { usage } = expectAnswered(await resume(place, server, ['--force']));
    expect(usage).toMatchObject({ calls: 5 + 4, replayedCalls: 1, failedCalls: 2 });
    expect(server.requests.length).toBe(5 + 4);
  });

  it('a torn last line is dropped', async () => {
    const place = createPlace();
    const server = await startRefusing();
    await cutShort(place, server);
    const lines = journalOf(place).split('\n');
    const torn = firstCallIn(place) + 2;
    writeFileSync(fileOf(place, 'journal.jsonl'), `${lines.slice(0, torn).join('\n')}\n${lines[torn]!.slice(0, 50)}`);
    const { usage } = expectAnswered(await resume(place, server));
    expect(usage).toMatchObject({ calls: 6, replayedCalls: 1, failedCalls: 1 });
    expect(callsIn(place)).toBe(usage.calls - usage.failedCalls);
  });
});

describe.concurrent('two processes', () => {
  it('that resume one run: one continues, the other names the holder', async () => {
    const place = createPlace();
    const server = await startRefusing({ latencyMs: 300 });
    await cutShort(place, server);
    const both = await Promise.all([1, 2].map(() => resume(place, server, [], {}, rlmAlone)));
    const [won, lost] = both.sort((a, b) => a.code! - b.code!) as [Finished, Finished];
    const { usage } = expectAnswered(won);
    expect(lost.code).toBe(2);
    expect(resultOf(lost).error).toMatchObject({
      code: 'run-busy',
      message: expect.stringMatching(/^process \d+ on \S+ .*run \d{8}T\d{6}-/),
    });
    // The refused call of the first session counts, and so do the calls for its partial answer.
    expect(usage).toMatchObject({ ...half, calls: 5 + 3, failedCalls: 1 });
    expect(server.requests.length).toBe(5 + 3);
  });

  it('cannot resume a run that is still running', async () => {
    const place = createPlace();
    const server = await startServer(stallOnce());
    const run = startRlm([...asking, 'notes.md'], { cwd: place.cwd, env: envOf(place, server) });
    await run.shows('stderr', '0.1 answered');
    const refused = await resume(place, server);
    expect(refused.code).toBe(2);
    expect(resultOf(refused).error).toMatchObject({ code: 'run-busy' });
    run.kill('SIGINT');
    expect((await run.done).code).toBe(130);
  });

  it('run concurrently in one state folder, each with its own journal', async () => {
    const place = createPlace();
    const server = await startServer(handlers());
    const options = { cwd: place.cwd, env: envOf(place, server) };
    const both = await Promise.all([1, 2].map(() => rlmAlone([...asking, 'notes.md'], options)));
    const ids = both.map((finished) => expectAnswered(finished).runId);
    expect(new Set(ids).size).toBe(2);
    expect(runsIn(place).sort()).toEqual(ids.sort());
  });

  it('leave the run unlocked if a second Ctrl-C ends the first at once', async () => {
    const place = createPlace();
    const server = await startServer(stallOnce());
    const run = startRlm([...asking, 'notes.md'], { cwd: place.cwd, env: envOf(place, server) });
    await run.shows('stderr', '0.1 answered');
    run.kill('SIGINT');
    run.kill('SIGTERM');
    await run.done;
    expectAnswered(await resume(place, server));
  });
});

describe.concurrent('the place of a run', () => {
  it('only the user can read it', async () => {
    const home = createFolder();
    const server = await startServer(handlers());
    const env = { XDG_STATE_HOME: join(home, 'state'), ...server.env };
    expectAnswered(await rlm(asking, { cwd: home, env, stdin: goodText }));
    const runs = join(home, 'state', 'rlm', 'runs');
    const [id] = readdirSync(runs) as [string];
    const folders = [join(home, 'state', 'rlm'), runs, join(runs, id)];
    const files = readdirSync(join(runs, id)).map((name) => join(runs, id, name));
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(folders.map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    expect(files.length).toBeGreaterThan(1);
    expect(new Set(files.map(modeOf))).toEqual(new Set([0o600]));
  });

  it('has nothing with --no-journal', async () => {
    const place = createPlace();
    const server = await startServer(handlers());
    const options = { cwd: place.cwd, env: envOf(place, server) };
    expectAnswered(await rlm([...asking, 'notes.md', '--no-journal'], options));
    expect(readdirSync(place.state)).toEqual([]);
    const refused = await resume(place, server);
    expect(refused.code).toBe(2);
    expect(resultOf(refused).error).toMatchObject({ code: 'run-missing', message: 'no run is recorded' });
  });

  it('costs only the recording if it cannot be written, not the answer', async () => {
    const cwd = createFolder({ 'notes.md': goodText, file: '' });
    const server = await startServer(handlers());
    const env = { RLM_HOME: join(cwd, 'file', 'x'), ...server.env };
    const finished = await rlm([...asking, 'notes.md'], { cwd, env });
    expect(expectAnswered(finished)).toMatchObject({
      warningCodes: ['not-kept'],
      warnings: [expect.stringMatching(/^this run .*ENOTDIR/)],
    });
    expect(finished.stderr).toContain('this run is not recorded');
  });

  it('ends the recording when the disk is full; the earlier records can be resumed', async () => {
    const place = createPlace();
    const server = await startServer(
      handlers(() => good(`by ${Array.from({ length: 1_000 }, (_, at) => `very ${at}`).join(' ')} long hands`)),
    );
    const env = envOf(place, server, { QUESTION: question });
    // The limit allows only the journal's first records. Node turns the signal into EFBIG, similar to ENOSPC of a full
    // disk.
    const line = 'ulimit -f 8; rlm ask "$QUESTION" notes.md --strategy decompose --max-depth 1 --json';
    const finished = await shell(line, { cwd: place.cwd, env });
    expect(expectAnswered(finished)).toMatchObject({
      warningCodes: ['not-kept'],
      warnings: [expect.stringMatching(/^the rest .*EFBIG/)],
    });
    const kept = callsIn(place);
    const asked = server.requests.length;
    const result = expectAnswered(await resume(place, server));
    expect(kept).toBeGreaterThan(0);
    expect(result.usage.replayedCalls).toBeGreaterThan(0);
    const { calls, replayedCalls, failedCalls } = result.usage;
    expect(server.requests.length - asked).toBe(calls - replayedCalls - failedCalls);
    expect(existsSync(fileOf(place, 'journal.jsonl'))).toBe(true);
  });
});
