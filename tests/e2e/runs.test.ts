import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../src/base/files/lock.ts';
import { counted } from '../../src/base/text.ts';
import { decodeRecord, encodeRecord, type JournalRecord } from '../../src/journal/journal.ts';
import { faults } from '../servers/ollama-server.ts';
import { callRecord, endRecord, limited, runRecord, sessionRecord, writeRun } from '../support/journals.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, rlm, startRlm } from './run-rlm.ts';

const ids = ['20261121T010842-3f9a2c', '20261122T000000-bbbbbb', '20261123T000000-cccccc'] as const;
const [answered, partial, killed] = ids;
const calls = [callRecord('planner planner 1'), callRecord('0 answer 1', { tries: 3 })] as const;
const begun = [runRecord(), sessionRecord(), ...calls] as const;

/** Creates a state folder with three runs: an answered one, one that reached a limit, and a killed one. */
function someRuns() {
  const state = createFolder();
  writeRun(state, answered, [...begun, endRecord()]);
  writeRun(state, partial, [
    runRecord({ task: 'What broke?' }),
    sessionRecord(),
    ...calls,
    endRecord({ ...limited, task: 'What broke?' }),
  ]);
  writeRun(state, killed, begun);
  const runs = (...args: string[]) => rlm(['runs', ...args], { env: { RLM_HOME: state } });
  return { state, runs, there: () => readdirSync(join(state, 'runs')).sort() };
}

const holdRun = (state: string, id: string) => takeLock(join(state, 'runs', id)) as { release(): void };

/** Sets the age of a run's journal. */
function age(state: string, id: string, days: number): void {
  const then = new Date(Date.now() - days * 86_400_000);
  utimesSync(join(state, 'runs', id, 'journal.jsonl'), then, then);
}

describe.concurrent('rlm runs list and show', () => {
  it('shows what rlm ask has recorded', async () => {
    const env = { RLM_HOME: createFolder() };
    const cwd = createFolder({
      'notes.md': 'The deploy went well.\nOrders failed because the payments pool ran out.\n',
    });
    const asked = await rlm(['ask', 'Why did the orders fail?', 'notes.md', '--json'], { cwd, env });
    const result = JSON.parse(asked.stdout);
    const [list, text, json] = await Promise.all([
      rlm(['runs', 'list'], { env }),
      rlm(['runs', 'show', '--last'], { env }),
      rlm(['runs', 'show', result.runId, '--json'], { env }),
    ]);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(new RegExp(`^${result.runId}  \\S+ \\S+  answered +Why did the orders fail\\?\n$`));
    expect(result.usage.calls).toBeGreaterThan(0);
    expect(text.stdout).toMatch(/Totals:\nno language model was called · /);
    expect(list.stdout + text.stdout).not.toMatch(/\d calls?\b/);
    for (const part of ['Why did the orders fail?', result.answer, 'notes.md:2', 'extractive', 'direct'])
      expect(text.stdout).toContain(part);
    expect(JSON.parse(json.stdout)).toMatchObject({ runId: result.runId, status: 'answered', result });
  });

  it('shows an active run, and its state after a kill', async () => {
    const server = await startServer({ answer: () => faults.stallMidStream() });
    const env = { RLM_HOME: createFolder(), ...server.env };
    const cwd = createFolder({ 'notes.md': goodText });
    const run = startRlm(['ask', 'How large was the pool?', 'notes.md', '--verbose'], { cwd, env });
    await run.shows('stderr', '"prompt":"answer"');
    const look = async () => JSON.parse((await rlm(['runs', 'show', '--last', '--json'], { env })).stdout);
    const atWork = await look();
    run.kill('SIGKILL');
    await run.done;
    expect(atWork).toMatchObject({ status: 'running', resumable: false, calls: [{ prompt: 'planner' }], result: null });
    expect(await look()).toEqual({ ...atWork, status: 'stopped', resumable: true });
  });

  it('says that a journal is damaged at its first record, in list, show and resume', async () => {
    const { state, runs } = someRuns();
    const path = join(state, 'runs', answered, 'journal.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Why did', 'Why dit'));
    const damage = 'is damaged at its first record, which contains the question; 4 of its later records are whole';
    const resumed = rlm(['resume', answered], { env: { RLM_HOME: state } });
    for (const run of [await runs('show', answered), await runs('export', answered), await resumed]) {
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(damage) });
      expect(run.stderr).toContain('rlm runs rm');
    }
    expect((await runs('list')).stdout).toContain('damaged at its first record');
  });

  it('list: nothing on stdout if there are no runs, and what to do', async () => {
    const env = { RLM_HOME: join(createFolder(), 'not-there') };
    const [text, json] = await Promise.all([rlm(['runs', 'list'], { env }), rlm(['runs', 'list', '--json'], { env })]);
    expect(text).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('rlm ask') });
    expect(json).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  it('list: the newest first, each with its status', async () => {
    const { state, runs } = someRuns();
    const lock = holdRun(state, answered);
    mkdirSync(join(state, 'runs', 'zoo\u001b[2J'));
    const [text, json] = await Promise.all([runs('list'), runs('list', '--json')]);
    lock.release();
    const lines = text.stdout.trimEnd().split('\n');
    const expected = [
      [killed, 'stopped'],
      [partial, 'partial'],
      [answered, 'running'],
      ['zoo', 'damaged'],
    ] as const;
    for (const [index, [id, status]] of expected.entries())
      expect(lines[index]).toMatch(new RegExp(`^${id} .* ${status} `));
    expect(lines).toHaveLength(4);
    expect(text.stdout).not.toContain('\u001b');
    expect(JSON.parse(json.stdout)[1]).toEqual({
      runId: partial,
      at: '2026-11-21T01:08:42.000Z',
      partOf: null,
      cwd: '/tmp',
      status: 'partial',
      task: 'What broke?',
      calls: 2,
      documents: 1,
      provider: 'ollama',
      model: 'llama',
      confidence: 70,
      resumable: true,
      damage: null,
      folder: join(state, 'runs', partial),
    });
    expect(JSON.parse(json.stdout)[3]).toMatchObject({ status: 'damaged', task: null, resumable: false });
  });

  it('show: why a run was cut short, and what to type', async () => {
    const { runs } = someRuns();
    const { code, stdout } = await runs('show', partial.slice(0, 10));
    expect(code).toBe(0);
    expect(stdout).toContain('partial: the limit of 3 calls is reached (limit-calls)');
    expect(stdout).toContain(`Raise --max-calls.\nrlm resume ${partial}\n`);
  });

  it('show: the calls of a killed run so far', async () => {
    const { runs } = someRuns();
    const [text, json] = await Promise.all([runs('show', '--last'), runs('show', '--last', '--json')]);
    expect(text.stdout).toContain('stopped before the end');
    expect(text.stdout).toMatch(/0 answer 1 +100 tokens in, 10 out +in 3 tries +the question at 0 answer 1/);
    expect(text.stdout).toContain('2 calls · 200 tokens in, 20 out · 1.5 s');
    expect(text.stdout).toContain(`rlm resume ${killed}`);
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'stopped', resumable: true, result: null });
  });

  it('show: JSON with every field that docs/runs.md names, and no reply', async () => {
    const { runs } = someRuns();
    const { stdout } = await runs('show', answered, '--json');
    const shown = JSON.parse(stdout);
    const about = readFileSync(new URL('../../docs/runs.md', import.meta.url), 'utf8');
    const listed = JSON.parse((await runs('list', '--json')).stdout)[0];
    const fields = [...about.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(fields).toEqual([...Object.keys(listed), ...Object.keys(shown), ...Object.keys(shown.calls[0])]);
    expect(shown).toMatchObject({ schemaVersion: 1, calls: [{ place: 'planner planner 1' }, { tries: 3 }] });
    expect(stdout).not.toContain('the reply at');
  });

  it.each([
    ['middle', 1, 'record 2 of '],
    ['last', 3, null],
  ])('show and resume: damage at the %s record', async (_, at, refusal) => {
    const state = createFolder();
    const records = [runRecord(), calls[0], calls[1], endRecord()];
    writeRun(state, answered, records);
    const path = join(state, 'runs', answered, 'journal.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[at] = lines[at]!.replace(/"type":"(\w)/, '"type":"x$1');
    writeFileSync(path, lines.join('\n'));
    // With a reachable server, only the text is missing.
    const env = { RLM_HOME: state, OLLAMA_HOST: (await startServer()).url };
    const shown = await rlm(['runs', 'show', answered], { env });
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain('1 record of the journal cannot be read.');
    expect(shown.stdout).toContain('Why did the orders fail?');
    const resumed = await rlm(['resume', answered], { env });
    expect(resumed.code).toBe(2);
    // A torn record at the end is dropped. Then only the run's folder is missing.
    if (refusal === null) expect(resumed.stderr).not.toContain('is damaged');
    else expect(resumed.stderr).toMatch(new RegExp(`${refusal}\\S+ is damaged`));
  });

  it('show: a damaged record is left out, and reported', async () => {
    const state = createFolder();
    const damaged = encodeRecord(calls[0]).replace('planner', 'plannee');
    writeRun(state, answered, [runRecord(), damaged, calls[1], endRecord()]);
    const { code, stdout } = await rlm(['runs', 'show', '--last'], { env: { RLM_HOME: state } });
    expect(code).toBe(0);
    expect(stdout).toContain('1 record of the journal cannot be read.');
  });
});

describe.concurrent('rlm runs search', () => {
  it('shows the run, its question and the line', async () => {
    const { runs } = someRuns();
    const [text, json] = await Promise.all([runs('search', 'POOL', 'out'), runs('search', 'broke', '--json')]);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toBe(`${answered}  Why did the orders fail?\n    answer: pool ran out [1].\n`);
    expect(JSON.parse(json.stdout)).toMatchObject([{ runId: partial, match: { in: 'question', line: 'What broke?' } }]);
  });

  it('is no error if none is found', async () => {
    const { runs } = someRuns();
    const [text, json] = await Promise.all([runs('search', 'zebra'), runs('search', 'zebra', '--json')]);
    expect(text).toMatchObject({ code: 0, stdout: '', stderr: 'rlm: no run contains zebra\n' });
    expect(json).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});

describe.concurrent('rlm runs export', () => {
  const recordsOf = (text: string) => text.trimEnd().split('\n').map(decodeRecord) as JournalRecord[];

  it('prints run, calls and end, each call once and no damaged record', async () => {
    const state = createFolder();
    const again = callRecord('0 answer 1', { text: 'the newer reply' });
    const newer = runRecord({ provider: 'extractive' });
    const damaged = encodeRecord(callRecord('0 answer 2')).replace('0 answer 2', '0 answer 3');
    writeRun(state, answered, [...begun, damaged, endRecord(limited), newer, sessionRecord(), again, endRecord()]);
    const { code, stdout, stderr } = await rlm(['runs', 'export', answered], { env: { RLM_HOME: state } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(recordsOf(stdout)).toEqual([newer, calls[0], again, endRecord()]);
  });

  it('has no end if the run has none', async () => {
    const { state, runs } = someRuns();
    writeRun(state, answered, [...begun, endRecord(limited), sessionRecord()]);
    expect(recordsOf((await runs('export', answered)).stdout).map(({ type }) => type)).toEqual(['run', 'call', 'call']);
  });

  it('prints no control code, and the checksums hold', async () => {
    const state = createFolder();
    const hostile = callRecord('0 answer 1', { text: 'a\u009b2Jb\u007f\u2028\u001b[2J' });
    writeRun(state, answered, [runRecord(), hostile]);
    const { stdout } = await rlm(['runs', 'export', '--last'], { env: { RLM_HOME: state } });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
    expect(recordsOf(stdout)[1]).toEqual(hostile);
  });

  it('replaces no text that the run has read, and neither does its report', async () => {
    const cwd = createFolder({ 'notes.md': 'The harbour was opened in 1887.\n' });
    const env = { RLM_HOME: join(cwd, 'home') };
    await rlm(['ask', 'When was the harbour opened?', 'notes.md', '-p', 'extractive'], { cwd, env });
    for (const args of [
      ['runs', 'export', '--last', '-o', 'notes.md'],
      ['report', '-o', 'notes.md'],
    ])
      expect(await rlm(args, { cwd, env })).toMatchObject({ code: 2, stderr: expect.stringContaining("'notes.md'") });
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('The harbour was opened in 1887.\n');
    expect(await rlm(['report', '-o', 'run.html'], { cwd, env })).toMatchObject({ code: 0 });
  });

  it('-o writes a file, or fails if that is impossible', async () => {
    const { runs } = someRuns();
    const file = join(createFolder(), 'run.jsonl');
    const [good, bad] = await Promise.all([
      runs('export', answered, '-o', file),
      runs('export', answered, '-o', '/not/there/run.jsonl'),
    ]);
    expect(good).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
    expect(bad).toMatchObject({ code: 2, stdout: '' });
  });
});

describe.concurrent('rlm runs rm and prune', () => {
  it('rm: removes the named ones', async () => {
    const { runs, there } = someRuns();
    expect(await runs('rm', answered, killed.slice(0, 8), answered)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'rlm: removed 2 runs\n',
    });
    expect(there()).toEqual([partial]);
  });

  it('rm: removes nothing when a name is wrong, and says which', async () => {
    const { runs, there } = someRuns();
    const run = await runs('rm', answered, 'nope', '2026', '');
    expect(run.code).toBe(2);
    for (const part of ['"nope"', '3 runs begin with "2026"', '""', 'Nothing was removed'])
      expect(run.stderr).toContain(part);
    expect(there()).toEqual(ids);
  });

  it('rm: removes nothing while a process uses one', async () => {
    const { state, runs, there } = someRuns();
    const lock = holdRun(state, partial);
    const run = await runs('rm', answered, partial);
    lock.release();
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(`process ${process.pid} `) });
    expect(there()).toEqual(ids);
  });

  it('prune: removes old evaluations, too', async () => {
    const { state, runs, there } = someRuns();
    const id = '20250101T101010-abcdef';
    const folder = join(state, 'evaluations', id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'journal.jsonl'), 'old');
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    utimesSync(join(folder, 'journal.jsonl'), longAgo, longAgo);
    const dry = await runs('prune', '--older-than', '30d', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: `${id} evaluation\n` });
    expect(dry.stderr).toMatch(/^rlm: would .*0 runs and 1 evaluation, 3 bytes\n$/);
    expect((await runs('prune', '--older-than', '30d')).stderr).toContain('removed 0 runs and 1 evaluation');
    expect(existsSync(folder)).toBe(false);
    expect(there()).toEqual(ids);
  });

  it('prune: removes old runs, but neither active ones nor foreign files', async () => {
    const { state, runs, there } = someRuns();
    for (const id of [answered, partial]) age(state, id, 31);
    age(state, killed, 29);
    const foreign = join(state, 'runs', 'experiment');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'journal.jsonl'), 'mine');
    age(state, 'experiment', 99);
    const bytes = readFileSync(join(state, 'runs', answered, 'journal.jsonl')).length;
    const lock = holdRun(state, partial);
    const dry = await runs('prune', '--older-than', '30d', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^${answered} .*\n$`)) });
    expect(dry.stderr).toBe(`rlm: would remove 1 run, ${counted(bytes, 'byte')}\n`);
    expect(there()).toHaveLength(4);
    expect(await runs('prune', '--older-than', '30d')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `rlm: removed 1 run, ${counted(bytes, 'byte')}\n`,
    });
    lock.release();
    expect(there()).toEqual([partial, killed, 'experiment']);
    expect(existsSync(foreign)).toBe(true);
  });
});

describe.concurrent('a wrong command line', () => {
  it.each([
    [['lst'], 'has no action "lst"', 'Did you mean rlm runs list?'],
    [['toString'], 'has no action "toString"', 'list'],
    [['list', 'x'], 'does not take "x"', 'rlm runs list'],
    [['show'], 'needs a run', 'rlm runs show --last'],
    [['show', 'a', 'b'], 'does not take "b"', 'rlm runs show'],
    [['show', answered, '--last'], `does not take "${answered}"`, 'rlm runs show'],
    [['show', 'nope'], 'no recorded run "nope"', 'rlm runs list'],
    [['search'], 'needs words', 'rlm runs search'],
    [['search', ' '], 'no words', 'Give words'],
    [['rm'], 'needs a run', 'rlm runs rm'],
    [['rm', '--last'], 'does not take --last', 'rlm runs rm'],
    [['rm', answered, '--dry-run'], 'does not take --dry-run', 'rlm runs rm'],
    [['list', '--older-than', '3d'], 'does not take --older-than', 'For example: rlm runs list\n'],
    [['prune'], '--older-than is missing', 'prune --older-than 30d'],
    [['prune', '--older-than', 'soon'], '--older-than cannot be "soon"', 'prune --older-than 30d'],
  ])('rlm runs %j', async (args, message, hint) => {
    const { runs, there } = someRuns();
    const run = await runs(...args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain(hint);
    expect(there()).toEqual(ids);
  });

  it('--json: the error is JSON', async () => {
    const { code, stdout } = await someRuns().runs('show', 'nope', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'run-missing' });
  });
});
