import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holderOf, takeLock } from '../../src/base/files/lock.ts';
import { findRun, readRun, removeRuns, runBytes } from '../../src/journal/runs.ts';
import { callRecord, runRecord, writeRun } from '../support/journals.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ids = ['20261121T010842-3f9a2c', '20261121T010843-aaaaaa', '20261122T000000-bbbbbb'] as const;

function stateWith(names: readonly string[] = ids) {
  const state = tempFolder();
  const runs = names.map((id) => ({ id, folder: writeRun(state, id, [runRecord()]) }));
  return { folder: join(state, 'runs'), runs };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );

describe('finding a run', () => {
  it('accepts an id, the beginning of one, or nothing for the newest', async () => {
    const { folder } = stateWith();
    expect((await findRun(folder, ids[0])).id).toBe(ids[0]);
    expect((await findRun(folder, '20261122')).id).toBe(ids[2]);
    expect((await findRun(folder, null)).id).toBe(ids[2]);
  });

  it('ignores runs of evaluations or checks for the newest, but finds them by id', async () => {
    const { folder } = stateWith([ids[0]]);
    writeRun(dirname(folder), ids[1], [runRecord({ partOf: 'evaluation' })]);
    writeRun(dirname(folder), ids[2], [runRecord({ partOf: 'checks' })]);
    expect((await findRun(folder, null)).id).toBe(ids[0]);
    expect((await findRun(folder, ids[2])).id).toBe(ids[2]);
  });

  it('ignores folders with other names', async () => {
    const { folder } = stateWith();
    mkdirSync(join(folder, 'zoo'));
    expect((await findRun(folder, null)).id).toBe(ids[2]);
    const other = tempFolder({ 'zoo/x': '' });
    await expect(findRun(other, null)).rejects.toThrow('no run is recorded');
  });

  it.each(['', '..', '2027', `${ids[0]}/`])('rejects the id %j, even if there is just one run', async (wanted) => {
    const { folder } = stateWith([ids[0]]);
    expect(await codeOf(findRun(folder, wanted))).toBe('run-missing');
  });

  it('refuses a beginning that several runs share', async () => {
    expect(await codeOf(findRun(stateWith().folder, '20261121'))).toBe('usage');
  });
});

describe('reading a run', () => {
  it('leaves damaged records out and counts them', async () => {
    const folder = writeRun(tempFolder(), ids[0], [runRecord(), 'garbage\n', callRecord('0 answer 1'), '{"sum":"half']);
    expect(await readRun({ id: ids[0], folder })).toMatchObject({ calls: [callRecord('0 answer 1')], damagedLines: 1 });
  });

  it('reports when there is nothing to read', async () => {
    expect(await codeOf(readRun({ id: ids[0], folder: tempFolder() }))).toBe('run-missing');
    expect(await codeOf(readRun({ id: ids[0], folder: tempFolder({ 'journal.jsonl/x': '' }) }))).toBe('run-missing');
    expect(await codeOf(readRun({ id: ids[0], folder: tempFolder({ 'journal.jsonl': 'x\n' }) }))).toBe(
      'journal-damaged',
    );
  });
});

describe('removing runs', () => {
  it('removes the whole folders', async () => {
    const { folder, runs } = stateWith();
    writeFileSync(join(runs[0]!.folder, 'text.1'), 'piped');
    await removeRuns(runs.slice(0, 2));
    expect(readdirSync(folder)).toEqual([ids[2]]);
  });

  it('removes none when a process uses one, and releases the others', async () => {
    const { runs } = stateWith();
    const lock = takeLock(runs[1]!.folder) as { release(): void };
    expect(await codeOf(removeRuns(runs))).toBe('run-busy');
    lock.release();
    for (const { folder } of runs) expect(holderOf(folder)).toBeNull();
    await removeRuns(runs);
    for (const { folder } of runs) expect(existsSync(folder)).toBe(false);
  });

  it('removes no folder whose name is not that of a run, and nothing else in the same command', async () => {
    const { folder, runs } = stateWith();
    const foreign = { id: 'experiment', folder: join(folder, 'experiment') };
    mkdirSync(foreign.folder);
    expect(await codeOf(removeRuns([...runs, foreign]))).toBe('run-missing');
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('reports when the system refuses', async () => {
    const file = join(tempFolder({ file: '' }), 'file');
    expect(await codeOf(removeRuns([{ id: ids[0], folder: file }]))).toBe('output-unwritable');
  });

  it('knows the size of a run on the disk', async () => {
    expect(await runBytes({ id: 'x', folder: tempFolder({ a: '123', b: '4567' }) })).toBe(7);
  });
});
