import { readOwnFile, stateBytes } from '../base/files/own-file.ts';
import { RlmError } from '../errors.ts';
import {
  type CallRecord,
  decodeRecord,
  type EndRecord,
  type JournalRecord,
  journalVersion,
  type RunRecord,
} from './records.ts';

/** The content of a journal. */
export interface JournalContent {
  readonly run: RunRecord;
  /** Calls in the order in which they were made. */
  readonly calls: readonly CallRecord[];
  /** The last result, or null when the run has not come to an end. */
  readonly end: EndRecord | null;
  /** Number of damaged lines. */
  readonly damagedLines: number;
  /** Time that the run has used, in ms. */
  readonly usedMs: number;
  /** Bytes up to the end of the last whole record. */
  readonly length: number;
}

const lineFeed = 0x0a;

/** Yields each whole line with its end, the line feed included. A last line without one is torn. */
function* linesOf(bytes: Buffer): Generator<{ text: string; end: number }> {
  for (let start = 0, feed = 0; ; start = feed + 1) {
    feed = bytes.indexOf(lineFeed, start);
    if (feed < 0) return;
    yield { text: bytes.toString('utf8', start, feed), end: feed + 1 };
  }
}

const damaged = (path: string, line: number) =>
  new RlmError('journal-damaged', `record ${line} of ${path} is damaged`, {
    hint: 'rlm resume --force goes on without it: that call is made again. Or ask the question again.',
  });

/** The error for a journal without its first record. */
function unasked(path: string, bytes: number, records: number): RlmError {
  if (bytes === 0) {
    return new RlmError('journal-damaged', `${path} does not say what was asked: nothing was kept yet`, {
      hint: 'Ask the question again.',
    });
  }
  const rest = records === 0 ? 'no record in it is whole' : `${records} of its later records are whole`;
  return new RlmError('journal-damaged', `${path} is damaged at its first record, which says what was asked; ${rest}`, {
    hint: 'The run can be neither shown nor resumed. Ask the question again; rlm runs rm removes the run.',
  });
}

/**
 * Reads the records of a journal. Drops damage at the end, as a crash leaves it; damage before a whole record is an
 * error unless it is to be skipped.
 */
export function readRecords(bytes: Buffer, path: string, skipsDamage: boolean) {
  const records: JournalRecord[] = [];
  let length = 0;
  let firstBad: number | null = null;
  let isTorn = false;
  let number = 0;
  for (const { text, end } of linesOf(bytes)) {
    number += 1;
    const record = decodeRecord(text);
    if (record === null) {
      firstBad ??= number;
      continue;
    }
    isTorn ||= firstBad !== null;
    records.push(record);
    length = end;
  }
  const isAsked = records.some(({ type }) => type === 'run');
  if (isTorn && !skipsDamage) throw isAsked ? damaged(path, firstBad!) : unasked(path, bytes.length, records.length);
  return { records, length, damagedLines: number - records.length };
}

function checkVersion({ version, runId }: RunRecord): void {
  if (version === journalVersion) return;
  throw new RlmError('journal-damaged', `run ${runId} was kept by another version of rlm (form ${version})`, {
    hint: 'Resume it with that version, or ask the question again.',
  });
}

/**
 * Reads a journal.
 * @param skipsDamage whether damaged records are left out instead of refused.
 * @throws RlmError `journal-damaged`; the system's error when there is no file.
 */
export async function readJournal(path: string, skipsDamage = false): Promise<JournalContent> {
  const bytes = readOwnFile(path, stateBytes);
  const { records, length, damagedLines } = readRecords(bytes, path, skipsDamage);
  const run = records.findLast((record) => record.type === 'run');
  if (run === undefined) throw unasked(path, bytes.length, records.length);
  checkVersion(run);
  return {
    run,
    calls: records.filter((record) => record.type === 'call'),
    end: records.findLast((record) => record.type === 'end') ?? null,
    usedMs: records.reduce((most, record) => Math.max(most, 'usedMs' in record ? record.usedMs : 0), 0),
    damagedLines,
    length,
  };
}
