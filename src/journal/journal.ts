import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import { readOwnFile, stateBytes } from '../base/files/own-file.ts';
import type { Routes } from '../config/model-reference.ts';
import { RlmError } from '../errors.ts';
import type { PromptName } from '../prompts/index.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Result } from '../result.ts';
import type { CallSpending, KeptReply } from '../run/door/archive.ts';
import { type CallIdentity, callKey } from '../run/door/call-identity.ts';
import type { DocumentInfo, EarlierAnswer } from '../state.ts';

/** Version of the journal format. A journal of another version is refused. */
export const journalVersion = 1;

export interface RecordedDocument extends Omit<DocumentInfo, 'lines'> {
  /** First 32 hex digits of the SHA-256 of its text. */
  readonly hash: string;
}

/** The models of a run in addition to its main model. The first matching route decides. */
export interface RecordedRouting {
  readonly routes: readonly Routes[];
  readonly fallbacks: readonly string[];
  readonly models: Readonly<Record<string, Pick<RunRecord, 'provider' | 'model'>>>;
}

/** The first record of a run: its question, models and text. After a change, a resumed run adds a new record. */
export interface RunRecord {
  readonly type: 'run';
  readonly version: number;
  readonly runId: string;
  readonly at: string;
  readonly task: string;
  readonly earlier?: readonly EarlierAnswer[];
  readonly partOf?: 'evaluation' | 'checks' | undefined;
  /** Absolute path of the folder that `paths` start from. */
  readonly cwd: string;
  readonly paths: readonly string[];
  /** Files that the run wrote, which it therefore did not read. */
  readonly written: readonly string[];
  /** The index with the text; null or absent if the text came from files, a program or a pipe. */
  readonly index?: string | null;
  /** Number of documents from a program or a pipe. They come first, and their text is kept in the folder of the run. */
  readonly given: number;
  readonly documents: readonly RecordedDocument[];
  readonly provider: string;
  readonly model: ModelInfo;
  readonly routing?: RecordedRouting | null;
  /** Settings that shape requests, by dotted key. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings of this question, such as command-line flags, by dotted key. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Settings of the question that were not recorded because they hold secrets; absent if none. */
  readonly unrecorded?: readonly string[];
  /** Hashes of the prompt templates, and of the `role` if there is one. */
  readonly prompts: Readonly<Record<string, string>>;
  /** The parts that were redacted because they hold a secret; absent if none. */
  readonly withheld?: readonly string[];
}

/** The record of a process that works on the run: the process that began the run, or one that resumes it. */
export interface SessionRecord {
  readonly type: 'session';
  readonly at: string;
  /** Time that earlier sessions have used, in ms. */
  readonly usedMs: number;
}

export interface CallRecord extends Omit<CallIdentity, 'prompt'>, KeptReply {
  readonly type: 'call';
  readonly prompt: PromptName;
  /** Time that the run had used when the reply was recorded, in ms. */
  readonly usedMs: number;
}

/** The spending of a call without a recorded reply. A later record of the same call replaces it. */
interface SpendingRecord extends Pick<CallIdentity, 'place' | 'hash'>, CallSpending {
  readonly type: 'spending';
  readonly isOver: boolean;
}

export interface EndRecord {
  readonly type: 'end';
  readonly at: string;
  readonly usedMs: number;
  readonly result: Result;
}

export type JournalRecord = RunRecord | SessionRecord | CallRecord | SpendingRecord | EndRecord;

/** Encodes a record as a line of JSON, with a checksum of the other fields. */
export const encodeRecord = (record: JournalRecord, toText: (value: unknown) => string = JSON.stringify): string =>
  `${encodeChecked(toText(record))}\n`;

/** Decodes a line without its line feed; null when it is damaged. */
export const decodeRecord = (line: string): JournalRecord | null => decodeChecked(line) as JournalRecord | null;

export type JournalFile = Awaited<ReturnType<typeof openJournalFile>>;

/** Flushes a folder's new entries to the disk, if the system supports it. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Opens a journal, truncates it to `length` bytes (removing a torn line), and appends the `first` records. */
export async function openJournalFile(path: string, length: number, first: readonly JournalRecord[]) {
  const file = await open(path, 'a', 0o600);
  let lines = first.map((record) => encodeRecord(record));
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const batch = lines.join('');
    lines = [];
    await file.appendFile(batch);
    await file.datasync();
  }

  try {
    if ((await file.stat()).size > length) await file.truncate(length);
    if (length === 0) await syncFolder(dirname(path));
    if (first.length > 0) await write();
  } catch (error) {
    await file.close();
    throw error;
  }

  return {
    /** Resolves when the record is on the disk. If a write fails, this and all later calls reject with its error. */
    append(record: JournalRecord): Promise<void> {
      lines.push(encodeRecord(record));
      // Writes nothing after a failure, because a record after half a line would look like damage.
      if (lines.length === 1) writing = writing.then(write);
      return writing;
    },
    /** Waits for the current write. Never rejects. */
    async close(): Promise<void> {
      await writing.catch(() => {});
      await file.close().catch(() => {});
    },
  };
}

const damaged = (path: string, line: number) =>
  new RlmError('journal-damaged', `record ${line} of ${path} is damaged`, {
    hint: 'rlm resume --force continues without this record and repeats its call. Or ask the question again.',
  });

function unasked(path: string, bytes: number, records: number): RlmError {
  const again = { hint: 'Ask the question again.' };
  if (bytes === 0) return new RlmError('journal-damaged', `nothing was recorded yet (${path} is empty)`, again);
  const rest = records === 0 ? 'no record in it is whole' : `${records} of its later records are whole`;
  const message = `the journal is damaged at its first record, which contains the question; ${rest} (${path})`;
  return new RlmError('journal-damaged', message, {
    hint: 'The run can be neither shown nor resumed. Ask the question again; rlm runs rm removes the run.',
  });
}

/** Reads the records of a journal. Damage before a whole record is an error; with `skipsDamage`, it is ignored. */
export function readRecords(bytes: Buffer, path: string, skipsDamage: boolean) {
  const records: JournalRecord[] = [];
  let length = 0;
  let firstBad: number | null = null;
  let hasGap = false;
  let number = 0;
  // A last line without a line feed is torn, so it is not read.
  for (let start = 0, end = 0; ; start = end) {
    end = bytes.indexOf('\n', start) + 1;
    if (end === 0) break;
    number += 1;
    const record = decodeRecord(bytes.toString('utf8', start, end - 1));
    if (record === null) {
      firstBad ??= number;
      continue;
    }
    hasGap ||= firstBad !== null;
    records.push(record);
    length = end;
  }
  const isAsked = records.some(({ type }) => type === 'run');
  if (hasGap && !skipsDamage) throw isAsked ? damaged(path, firstBad!) : unasked(path, bytes.length, records.length);
  return { records, length, damagedLines: number - records.length };
}

function checkVersion({ version, runId }: RunRecord): void {
  if (version === journalVersion) return;
  throw new RlmError('journal-damaged', `run ${runId} was recorded by another version of rlm (format ${version})`, {
    hint: 'Resume it with that version, or ask the question again.',
  });
}

/**
 * Returns the spending of calls without a reply (failed calls, and calls that a killed process left open), and that of
 * calls with a reply by key. The cost of the latter is the highest possible cost.
 */
function spendingIn(records: readonly JournalRecord[]) {
  const open = new Map<string, SpendingRecord>();
  const lost: SpendingRecord[] = [];
  const replied = new Map<string, CallSpending>();
  for (const record of records) {
    if (record.type === 'session') {
      lost.push(...open.values());
      open.clear();
    }
    if (record.type === 'call') {
      const spending = open.get(callKey(record));
      open.delete(callKey(record));
      const { tries: requests, tokens } = record;
      if (spending) replied.set(callKey(record), { ...spending, requests, tokens });
    }
    if (record.type !== 'spending') continue;
    open.delete(callKey(record));
    if (record.isOver) lost.push(record);
    else open.set(callKey(record), record);
  }
  const all = [...lost, ...open.values()];
  const spendingOf = ({ provider, model, requests, tokens, cost }: SpendingRecord): CallSpending => ({
    ...{ provider, model, requests, tokens, cost },
  });
  return { lost: all.map(spendingOf), replied };
}

/** Reads a journal. Throws `journal-damaged` (also for another version) or a system error (as for a missing file). */
export async function readJournal(path: string, skipsDamage = false) {
  const bytes = readOwnFile(path, stateBytes);
  const { records, length, damagedLines } = readRecords(bytes, path, skipsDamage);
  const asked = records.filter((record) => record.type === 'run');
  const [first, run] = [asked[0], asked.at(-1)];
  if (first === undefined || run === undefined) throw unasked(path, bytes.length, records.length);
  checkVersion(run);
  return {
    run,
    first,
    calls: records.filter((record) => record.type === 'call'),
    ...spendingIn(records),
    /** The last recorded end of the run; null if none is recorded. */
    end: records.findLast((record) => record.type === 'end') ?? null,
    isEnded: records.at(-1)!.type === 'end',
    usedMs: records.reduce((most, record) => Math.max(most, 'usedMs' in record ? record.usedMs : 0), 0),
    damagedLines,
    /** Bytes up to the end of the last whole record. */
    length,
  };
}

export type JournalContent = Readonly<Awaited<ReturnType<typeof readJournal>>>;
