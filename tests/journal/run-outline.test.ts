import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../src/base/files/lock.ts';
import { encodeRecord, type JournalRecord } from '../../src/journal/journal.ts';
import { outlineRun, outlineRuns } from '../../src/journal/runs.ts';
import { callRecord, endRecord, limited, runRecord, sessionRecord, writeRun } from '../support/journals.ts';
import { tempFolder } from '../support/temp-folder.ts';

const id = '20261121T010842-3f9a2c';
const begun = [runRecord(), sessionRecord(), callRecord('0 answer 1')] as const;

function outlineOf(records: readonly (JournalRecord | string)[]) {
  const folder = writeRun(tempFolder(), id, records);
  return outlineRun({ id, folder });
}

const damage = (record: JournalRecord) => encodeRecord(record).replace('2026', '2027');

describe('the outline of a journal', () => {
  it('has the question, the calls and the result', async () => {
    const seen = await outlineOf([...begun, callRecord('0 answer 2'), endRecord()]);
    expect(seen).toMatchObject({
      at: runRecord().at,
      partOf: null,
      run: runRecord(),
      calls: 2,
      end: endRecord(),
      isEnded: true,
    });
  });

  it('takes the newest record of the question, and the time of the first', async () => {
    const changed = runRecord({ at: '2026-11-22T00:00:00.000Z', provider: 'extractive' });
    expect(await outlineOf([...begun, endRecord(limited), changed, sessionRecord()])).toMatchObject({
      at: runRecord().at,
      run: { provider: 'extractive' },
      end: { result: { status: 'partial' } },
      isEnded: false,
    });
  });

  it('has not ended when calls were made after the last result', async () => {
    expect(await outlineOf([...begun, endRecord(limited), sessionRecord(), callRecord('0 answer 2')])).toMatchObject({
      isEnded: false,
    });
    expect(await outlineOf([...begun, endRecord(limited), sessionRecord(), endRecord()])).toMatchObject({
      isEnded: true,
      end: { result: { status: 'answered' } },
    });
  });

  it('does not trust a damaged record', async () => {
    expect(await outlineOf([...begun, endRecord(limited), sessionRecord(), damage(endRecord())])).toMatchObject({
      end: { result: { status: 'partial' } },
      isEnded: false,
    });
    expect(await outlineOf([damage(runRecord()), sessionRecord()])).toMatchObject({ run: null });
  });

  it('accepts a torn last line and foreign lines', async () => {
    const torn = encodeRecord(endRecord()).slice(0, -20);
    expect(await outlineOf([...begun, torn])).toMatchObject({ calls: 1, end: null });
    expect(await outlineOf([...begun, endRecord(), 'garbage\n\n'])).toMatchObject({ isEnded: true });
    expect(await outlineOf(['{"type":"run"}\n', ''])).toMatchObject({ run: null, calls: 0 });
  });

  it('does not read a reply as a record', async () => {
    const text = `\n${encodeRecord(endRecord())}`;
    expect(await outlineOf([...begun, callRecord('0 answer 2', { text })])).toMatchObject({ calls: 2, end: null });
  });
});

describe('the status of a run', () => {
  it.each([
    ['answered', [...begun, endRecord()], false],
    ['partial', [...begun, endRecord(limited)], true],
    ['stopped', begun, true],
    ['stopped', [...begun, endRecord(limited), sessionRecord()], true],
    ['damaged', ['garbage\n'], false],
    ['damaged', [runRecord({ version: 99 })], false],
    ['damaged', [], false],
  ] as const)('%s', async (status, records, resumable) => {
    expect(await outlineOf(records)).toMatchObject({ id, status, resumable });
  });

  it('is running while a process holds it, whatever is recorded', async () => {
    const folder = writeRun(tempFolder(), id, [...begun, endRecord(limited)]);
    const lock = takeLock(folder) as { release(): void };
    expect(await outlineRun({ id, folder })).toMatchObject({ status: 'running', resumable: false });
    lock.release();
    expect(await outlineRun({ id, folder })).toMatchObject({ status: 'partial', resumable: true });
  });

  it.each([
    ['another version of rlm', [runRecord({ version: 99 })]],
    ['the journal is damaged at its first record', [sessionRecord()]],
  ] as const)('says what is wrong: %s', async (why, records) => {
    expect((await outlineOf(records)).damage).toContain(why);
  });

  it('lists the newest first, and foreign folders last and as damaged', async () => {
    const state = tempFolder();
    for (const one of [id, '20261121T010843-000000', '20251121T010843-ffffff']) writeRun(state, one, begun);
    mkdirSync(join(state, 'runs', 'zoo'));
    mkdirSync(join(state, 'runs', 'odd', 'journal.jsonl'), { recursive: true });
    writeFileSync(join(state, 'runs', 'file'), 'x');
    const outlines = await outlineRuns(join(state, 'runs'));
    expect(outlines.map((outline) => [outline.id, outline.status, outline.damage])).toEqual([
      ['20261121T010843-000000', 'stopped', null],
      [id, 'stopped', null],
      ['20251121T010843-ffffff', 'stopped', null],
      ['zoo', 'damaged', 'run zoo ended before anything was recorded'],
      ['odd', 'damaged', 'the journal of run odd cannot be read (EISDIR)'],
    ]);
  });

  it('is an empty list when nothing was ever recorded', async () => {
    expect(await outlineRuns(join(tempFolder(), 'runs'))).toEqual([]);
  });
});
