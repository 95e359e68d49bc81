import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { now } from '../clock.ts';
import type { Result } from '../result.ts';
import type { Archive, KeptReply } from '../run/archive.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { type Lock, takeLock } from './lock.ts';
import type { CallRecord, JournalRecord, RunRecord } from './records.ts';

/** Records a run as it goes. */
export interface Recorder {
  readonly archive: Archive;
  /** Whether all that was to be recorded is. */
  isSound(): Promise<boolean>;
  /** Ends the record with the result and gives the run free. Never rejects. */
  end(result: Result): Promise<void>;
}

/** A journal that is being written: the file and the lock on its folder. */
interface Journal {
  readonly file: JournalFile;
  readonly lock: Lock;
}

interface RecorderParts {
  /** Opens the journal and brings it up to where calls can be recorded. */
  readonly start: () => Promise<Journal>;
  /** Calls that are recorded already. */
  readonly calls: readonly CallRecord[];
  /** Time that earlier sessions have used, in ms. */
  readonly usedMs: number;
  warn(message: string): void;
}

const keyOf = ({ place, hash }: { place: string; hash: string }) => `${place} ${hash}`;

const isLock = (taken: ReturnType<typeof takeLock>): taken is Lock => 'release' in taken;

/** A run goes on without its journal when that cannot be written: the answer matters more, and the user is told. */
function createRecorder({ start, calls, usedMs, warn }: RecorderParts): Recorder {
  const startedAt = now();
  const known = new Map(calls.map((call) => [keyOf(call), call]));
  const usedNow = () => Math.round(usedMs + now() - startedAt);
  let broken = false;

  function giveUp(error: unknown): void {
    if (!broken) warn(`this run is not recorded, so it cannot be resumed: ${(error as Error).message}`);
    broken = true;
  }

  const journal = start();
  journal.catch(giveUp);

  async function append(record: JournalRecord): Promise<void> {
    try {
      await (await journal).file.append(record);
    } catch (error) {
      giveUp(error);
    }
  }

  const replyOf = ({ text, tokens, finish, tries }: CallRecord): KeptReply => ({ text, tokens, finish, tries });
  const archive: Archive = {
    name: 'journal',
    replays: true,
    find: async (call) => {
      const record = known.get(keyOf(call));
      return record ? replyOf(record) : null;
    },
    keep: (call, reply) => append({ type: 'call', ...call, ...reply, usedMs: usedNow() }),
  };
  return {
    archive,
    async isSound() {
      await journal.catch(() => {});
      return !broken;
    },
    async end(result) {
      await append({ type: 'end', at: new Date().toISOString(), usedMs: usedNow(), result });
      const { file, lock } = await journal.catch(() => ({ file: null, lock: null }));
      await file?.close();
      lock?.release();
    },
  };
}

const session = (usedMs: number): JournalRecord => ({ type: 'session', at: new Date().toISOString(), usedMs });

/** The name of the file that keeps a given text, in the run's folder. */
export const textName = (index: number): string => `text.${index + 1}`;

/** Text that no file holds is kept with the run: a pipe can be read only once. */
async function keepTexts(folder: string, texts: readonly Uint8Array[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const file = await open(join(folder, textName(index)), 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await file.close();
  }
}

/** What a new run is recorded as, once there is time to look at its texts. */
export interface NewRun {
  readonly record: RunRecord;
  readonly texts: readonly Uint8Array[];
}

/** The journal's name in a run's folder. */
export const journalName = 'journal.jsonl';

/**
 * Records a new run in a folder of its own below `runs`. Nothing waits for it until the first reply is there.
 * @param describe called once the first request is on its way.
 */
export function recordNewRun(
  runs: string,
  runId: string,
  describe: () => Promise<NewRun>,
  warn: (message: string) => void,
): Recorder {
  const folder = join(runs, runId);
  const start = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = takeLock(folder);
    if (!isLock(lock)) throw new Error(`process ${lock.pid} works on it`);
    const { record, texts } = await describe();
    await keepTexts(folder, texts);
    const file = await openJournalFile(join(folder, journalName), 0);
    await Promise.all([file.append(record), file.append(session(0))]);
    return { file, lock };
  };
  return createRecorder({ start, calls: [], usedMs: 0, warn });
}

/** A run that this process has taken up again. */
export interface TakenRun {
  readonly folder: string;
  readonly lock: Lock;
  readonly calls: readonly CallRecord[];
  readonly usedMs: number;
  /** Bytes of the journal that are whole. */
  readonly length: number;
}

/**
 * Goes on with a recorded run.
 * @param changed what the run is from now on, when that was changed; else null.
 */
export function recordResumedRun(
  taken: TakenRun,
  changed: RunRecord | null,
  warn: (message: string) => void,
): Recorder {
  const { folder, lock, calls, usedMs, length } = taken;
  const start = async () => {
    const file = await openJournalFile(join(folder, journalName), length);
    await Promise.all([...(changed ? [file.append(changed)] : []), file.append(session(usedMs))]);
    return { file, lock };
  };
  return createRecorder({ start, calls, usedMs, warn });
}
