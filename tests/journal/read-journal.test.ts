import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRecord, type JournalRecord, readJournal, readRecords } from '../../src/journal/journal.ts';
import { callRecord, runRecord } from '../support/journals.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { anyRecord } from './arbitrary-records.ts';

const bytesOf = (records: readonly JournalRecord[]) =>
  Buffer.from(records.map((record) => encodeRecord(record)).join(''));

function journalOf(content: Buffer | string): string {
  const path = join(tempFolder(), 'journal.jsonl');
  writeFileSync(path, content);
  return path;
}

const asked = runRecord();
const calls = [callRecord('0.1 answer 1', { usedMs: 10 }), callRecord('0.2 answer 1', { usedMs: 30 })];
const lines = [asked, ...calls].map((record) => encodeRecord(record)) as [string, string, string];
const damage = (line: string) => line.replace('"call"', '"cell"').replace('"run"', '"ran"');

describe('readRecords', () => {
  it('returns the records before the cut of a journal that is cut anywhere', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 6 }), fc.nat(), (records, at) => {
        const bytes = bytesOf(records);
        const cut = at % (bytes.length + 1);
        const ends = records.map((_, index) => bytesOf(records.slice(0, index + 1)).length);
        const whole = ends.filter((end) => end <= cut).length;
        const read = readRecords(bytes.subarray(0, cut), 'journal.jsonl', false);
        expect(read.records).toEqual(records.slice(0, whole));
        expect(read.length).toBe(ends[whole - 1] ?? 0);
      }),
      { numRuns: 200 },
    );
  });

  it('drops a last record that is damaged, as after a power cut', () => {
    const bytes = Buffer.from(lines[0] + lines[1] + damage(lines[2]));
    expect(readRecords(bytes, 'journal.jsonl', false)).toEqual({
      records: [asked, calls[0]],
      damagedLines: 1,
      length: Buffer.byteLength(lines[0] + lines[1]),
    });
  });

  it('refuses a damaged one in the middle by its number, unless it is to be skipped', () => {
    const bytes = Buffer.from(lines[0] + damage(lines[1]) + lines[2]);
    expect(() => readRecords(bytes, '/x/journal.jsonl', false)).toThrow('record 2 of /x/journal.jsonl is damaged');
    expect(readRecords(bytes, '/x/journal.jsonl', true)).toEqual({
      records: [asked, calls[1]],
      damagedLines: 1,
      length: bytes.length,
    });
  });
});

describe('readJournal', () => {
  it('returns the question, the calls in their order, and the time used', async () => {
    const path = journalOf(lines.join(''));
    expect(await readJournal(path)).toMatchObject({ run: asked, calls, end: null, usedMs: 30 });
  });

  it('returns the spending of calls without a reply: failed ones, and those that a kill left open', async () => {
    const spending = (place: string, input: number, isOver: boolean) => {
      const spent = { provider: 'p', model: 'm', requests: 1, tokens: { input, output: 1 }, cost: null };
      return { type: 'spending', place, hash: callRecord(place).hash, ...spent, isOver } as const;
    };
    const session = { type: 'session', at: '', usedMs: 0 } as const;
    const [answered] = calls as [(typeof calls)[0], ...typeof calls];
    const path = journalOf(
      bytesOf([
        ...[asked, spending(answered.place, 900, false), answered],
        ...[spending('0.3 answer 1', 900, false), spending('0.3 answer 1', 20, true)],
        ...[spending('0.4 answer 1', 300, false), session, spending('0.4 answer 1', 400, false)],
        spending('0.5 answer 1', -1, true),
      ]),
    );
    expect((await readJournal(path)).lost.map(({ tokens }) => tokens.input)).toEqual([20, 300, -1, 400]);
  });

  it('uses the last description of the run', async () => {
    const changed = { ...asked, task: 'Why else?' };
    expect((await readJournal(journalOf(bytesOf([asked, ...calls, changed])))).run.task).toBe('Why else?');
  });

  it.each([
    ['is empty', '', 'nothing was recorded yet'],
    ['is cut within its first record', lines[0].slice(0, 40), 'damaged at its first record'],
    ['is no journal', 'hello\nworld\n', 'no record in it is whole'],
    ['has lost its first record', damage(lines[0]) + lines[1], '1 of its later records are whole'],
  ])('says so when it %s', async (_, content, message) => {
    for (const skipsDamage of [true, false]) {
      await expect(readJournal(journalOf(content), skipsDamage)).rejects.toMatchObject({
        code: 'journal-damaged',
        message: expect.stringContaining(message),
      });
    }
  });

  it('refuses a journal of another version for that reason', async () => {
    const other = { ...asked, version: 2 };
    await expect(readJournal(journalOf(bytesOf([other])))).rejects.toMatchObject({
      code: 'journal-damaged',
      message: expect.stringContaining('another version of rlm (format 2)'),
    });
  });

  it('reads as many records as the largest limit on calls allows', async () => {
    const many = Array.from({ length: 130_000 }, (_, at) => encodeRecord({ type: 'session', at: '', usedMs: at }));
    expect((await readJournal(journalOf(lines[0] + many.join('')))).usedMs).toBe(129_999);
  });
});
