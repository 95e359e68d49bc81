import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { holderOf, type Lock, takeLock } from '../../src/base/files/lock.ts';
import { type AskOptions, RlmError } from '../../src/index.ts';
import { encodeRecord, openJournalFile, readJournal } from '../../src/journal/journal.ts';
import { journalName, recordNewRun, recordResumedRun } from '../../src/journal/recorder.ts';
import { failedResult } from '../../src/result.ts';
import { callRecord, runRecord } from '../support/journals.ts';
import { askScripted } from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { warned } from '../support/warned.ts';

const result = failedResult('Why?', new RlmError('interrupted', 'it was'));
const {
  type: _,
  usedMs: __,
  text,
  tokens,
  finish,
  tries,
  ...identity
} = callRecord('0 answer 1', { text: 'It ran out.' });
const reply = { text, tokens, finish, tries };

function startRun(runs: string, texts: readonly Iterable<Uint8Array>[] = []) {
  const warnings: string[] = [];
  const describeRun = async () => ({ record: runRecord(), texts });
  const recorder = recordNewRun(runs, 'one', describeRun, (message) => warnings.push(message));
  return { recorder, warnings, path: join(runs, 'one', journalName) };
}

function takeUp(folder: string, length: number) {
  const warnings: string[] = [];
  const lock = takeLock(folder) as Lock;
  const taken = { folder, lock, calls: [], lost: [], replied: new Map(), usedMs: 0, length };
  return { recorder: recordResumedRun(taken, null, (message) => warnings.push(message)), warnings };
}

describe('a recorded run', () => {
  it('is on the disk before the reply is used, with the text that no file holds', async () => {
    const runs = tempFolder();
    const { recorder, path } = startRun(runs, [[Buffer.from('pip'), Buffer.from('ed')]]);
    await recorder.archive.keep(identity, reply, true);
    expect((await readJournal(path)).calls).toMatchObject([{ place: '0 answer 1', text: 'It ran out.' }]);
    expect(readFileSync(join(runs, 'one', 'text.1'), 'utf8')).toBe('piped');
    expect(holderOf(join(runs, 'one'))).toMatchObject({ pid: process.pid });
    await recorder.end(result, null);
    await recorder.close();
    expect(holderOf(join(runs, 'one'))).toBeNull();
  });

  it('is free for other processes at the end, even if its journal cannot be opened', async () => {
    const folder = tempFolder({ [`${journalName}/x`]: '' });
    const { recorder, warnings } = takeUp(folder, 0);
    await recorder.end(result, null);
    await recorder.close();
    expect(warnings).toEqual([expect.stringContaining('is not recorded')]);
    expect(holderOf(folder)).toBeNull();
  });

  it('leaves another run of the same name unchanged', async () => {
    const runs = tempFolder();
    mkdirSync(join(runs, 'one'));
    writeFileSync(join(runs, 'one', journalName), 'its own');
    const { recorder, warnings, path } = startRun(runs);
    await recorder.end(result, null);
    await recorder.close();
    expect(warnings).toEqual([expect.stringContaining('this run is not recorded, so it cannot be resumed: EEXIST')]);
    expect(readFileSync(path, 'utf8')).toBe('its own');
  });

  it('leaves nothing when its beginning cannot be written', async () => {
    const runs = tempFolder();
    const { recorder, warnings } = startRun(runs, ['not bytes' as never, 7 as never]);
    await recorder.archive.keep(identity, reply, true);
    expect(await recorder.isSound()).toBe(false);
    await recorder.end(result, null);
    await recorder.close();
    expect(warnings).toHaveLength(1);
    expect(readdirSync(runs)).toEqual([]);
  });
});

describe('a secret in the description of a run', () => {
  const secret = 'sk-test-51f0c2a9d1e84b7f';

  it.each<[string, string, AskOptions & { question?: string }]>([
    ['the question', 'the question', { question: `Is it ${secret}?` }],
    ['an earlier question', 'an earlier question or answer', { earlier: [{ question: secret, answer: 'No.' }] }],
    ['an earlier answer', 'an earlier question or answer', { earlier: [{ question: 'Which?', answer: secret }] }],
    ['a name', 'a name or a setting', { documents: [{ name: `${secret}.md`, text: 'It is long.' }] }],
    [
      'two of them',
      'an earlier question or answer and a name or a setting',
      { earlier: [{ question: secret, answer: 'No.' }], documents: [{ name: `${secret}.md`, text: 'It is long.' }] },
    ],
  ])('is reported with its place: %s', async (_, place, { question, ...options }) => {
    const env = { HOME: tempFolder(), OPENAI_API_KEY: secret };
    const { result } = await askScripted({}, { env, resumable: true, ...options }, question);
    expect(warned(result, 'not-kept')).toBe(
      `this run cannot be resumed: there is a secret in ${place}, and secrets are not recorded`,
    );
  });
});

describe('a full disk', () => {
  it('ends the recording with one warning, and the run continues', async () => {
    const folder = tempFolder();
    symlinkSync('/dev/full', join(folder, journalName));
    const { recorder, warnings } = takeUp(folder, 0);
    await Promise.all([1, 2, 3].map(() => recorder.archive.keep(identity, reply, true)));
    expect(warnings).toEqual([expect.stringMatching(/the rest of this run is not recorded.*ENOSPC/)]);
    expect(await recorder.isSound()).toBe(false);
    await recorder.end(result, null);
    await recorder.close();
  });

  it('lets nothing follow half a record', async () => {
    const folder = tempFolder();
    const path = join(folder, 'full');
    symlinkSync('/dev/full', path);
    await expect(openJournalFile(path, 0, [runRecord()])).rejects.toMatchObject({ code: 'ENOSPC' });
    const file = await openJournalFile(path, 0, []);
    await expect(file.append(runRecord())).rejects.toMatchObject({ code: 'ENOSPC' });
    rmSync(path);
    await expect(file.append(runRecord())).rejects.toMatchObject({ code: 'ENOSPC' });
    await file.close();
  });
});

describe('openJournalFile', () => {
  it('cuts off a torn record, and continues after the last whole one', async () => {
    const path = join(tempFolder(), journalName);
    const whole = encodeRecord(runRecord());
    writeFileSync(path, `${whole}{"sum":"12`);
    const file = await openJournalFile(path, Buffer.byteLength(whole), []);
    const calls = [callRecord('0.1 answer 1'), callRecord('0.2 answer 1')];
    await Promise.all(calls.map((call) => file.append(call)));
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe(whole + calls.map((record) => encodeRecord(record)).join(''));
  });
});

describe('a clock that jumps', () => {
  afterEach(() => void vi.useRealTimers());

  it('changes no time that the run is charged for', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') });
    const { recorder, path } = startRun(tempFolder());
    await recorder.archive.keep(identity, reply, true);
    vi.setSystemTime(new Date('1999-01-01T00:00:00Z'));
    await recorder.archive.keep({ ...identity, place: '0 answer 2' }, reply, true);
    vi.setSystemTime(new Date('2099-01-01T00:00:00Z'));
    await recorder.end(result, null);
    await recorder.close();
    const { calls, end, usedMs } = await readJournal(path);
    const times = [...calls, end!].map((record) => record.usedMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(usedMs).toBeLessThan(60_000);
    expect(times[0]).toBeGreaterThanOrEqual(0);
  });
});
