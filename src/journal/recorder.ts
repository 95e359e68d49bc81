import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Lock, takeLock } from '../base/files/lock.ts';
import { makeFolder } from '../base/files/system.ts';
import { now } from '../base/time.ts';
import type { Result } from '../result.ts';
import { type Archive, keptReplyOf } from '../run/door/archive.ts';
import { callKey } from '../run/door/call-identity.ts';
import {
  type CallRecord,
  type JournalContent,
  type JournalFile,
  type JournalRecord,
  openJournalFile,
  type RunRecord,
  syncFolder,
} from './journal.ts';
import { keepTrajectory, type Trajectory } from './trajectory.ts';

export type Recorder = ReturnType<typeof createRecorder>;

interface Journal {
  readonly file: JournalFile;
  readonly lock: Lock;
}

interface RecorderParts {
  readonly folder: string;
  readonly start: () => Promise<Journal>;
  readonly calls: readonly CallRecord[];
  /** Time that earlier sessions have used, in ms. */
  readonly usedMs: number;
  /** The text of the warning if the journal cannot be opened: it states the consequence. */
  readonly unopened: string;
  warn(message: string): void;
}

const restIsLost = 'the rest of this run is not recorded, so a resumed run repeats it';

/** Creates a recorder. If it cannot write the journal, it warns, and the run continues without a journal. */
function createRecorder({ folder, start, calls, usedMs, unopened, warn }: RecorderParts) {
  const startedAt = now();
  const known = new Map(calls.map((call) => [callKey(call), call]));
  const usedNow = () => Math.round(usedMs + now() - startedAt);
  let broken = false;

  function giveUp(consequence: string, error: unknown): void {
    if (!broken) warn(`${consequence}: ${(error as Error).message}`);
    broken = true;
  }

  const journal = start().catch((error: unknown) => {
    giveUp(unopened, error);
    return null;
  });

  async function append(record: JournalRecord): Promise<void> {
    const opened = await journal;
    await opened?.file.append(record).catch((error: unknown) => giveUp(restIsLost, error));
  }

  const archive: Archive = {
    name: 'journal',
    replays: true,
    find: async (call) => {
      const record = known.get(callKey(call));
      return record ? keptReplyOf(record) : null;
    },
    keep: (call, reply) => append({ type: 'call', ...call, ...reply, usedMs: usedNow() }),
    spend: ({ place, hash }, spending, isOver) => void append({ type: 'spending', place, hash, ...spending, isOver }),
  };
  return {
    archive,
    async isSound(): Promise<boolean> {
      await journal;
      return !broken;
    },
    /** Ends the record with the result, and writes the trajectory beside it. Never rejects. */
    async end(result: Result, trajectory: Trajectory | null): Promise<void> {
      await append({ type: 'end', at: new Date().toISOString(), usedMs: usedNow(), result });
      if (trajectory !== null && (await journal) !== null) await keepTrajectory(folder, trajectory);
    },
    /** Closes the journal and releases the lock, also after a failed run. Must be called once. */
    async close(): Promise<void> {
      const opened = await journal;
      await opened?.file.close();
      opened?.lock.release();
    },
  };
}

const session = (usedMs: number): JournalRecord => ({ type: 'session', at: new Date().toISOString(), usedMs });

export const textName = (index: number): string => `text.${index + 1}`;

/** Stores texts, because a pipe can be read only once. */
async function keepTexts(folder: string, texts: readonly Iterable<Uint8Array>[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    await writeFile(join(folder, textName(index)), text, { mode: 0o600, flush: true });
  }
}

/** The first record of a new run, and its texts from programs and pipes. */
export interface NewRun {
  readonly record: RunRecord;
  /** Each text in pieces. */
  readonly texts: readonly Iterable<Uint8Array>[];
}

export const journalName = 'journal.jsonl';

/** Locks a new folder and writes its first files. `entered` resolves when the folder's entry is on the disk. */
async function begin(folder: string, describe: () => Promise<NewRun>, entered: Promise<void>): Promise<Journal> {
  const lock = takeLock(folder);
  if (!('release' in lock)) throw new Error(`process ${lock.pid} has locked the folder of the run`);
  const { record, texts } = await describe();
  await Promise.all([keepTexts(folder, texts), entered]);
  return { file: await openJournalFile(join(folder, journalName), 0, [record, session(0)]), lock };
}

/** Records a new run in a new folder below `runs`. Calls `describe` after it has made the folder. */
export function recordNewRun(
  runs: string,
  runId: string,
  describe: () => Promise<NewRun>,
  warn: (message: string) => void,
): Recorder {
  const folder = join(runs, runId);
  const start = async () => {
    makeFolder(runs);
    await mkdir(folder, { mode: 0o700 }); // Fails if the folder exists, because it belongs to another run.
    try {
      return await begin(folder, describe, syncFolder(runs));
    } catch (error) {
      await rm(folder, { recursive: true, force: true }); // Without its first record, the run could not be resumed.
      throw error;
    }
  };
  const unopened = 'this run is not recorded, so it cannot be resumed';
  return createRecorder({ folder, start, calls: [], usedMs: 0, unopened, warn });
}

/** A run that this process has locked in order to continue it. */
export interface TakenRun extends Pick<JournalContent, 'calls' | 'lost' | 'replied' | 'usedMs' | 'length'> {
  readonly folder: string;
  readonly lock: Lock;
}

/** Continues the record of a run. `changed`: the new description of the run; null if it is unchanged. */
export function recordResumedRun(
  taken: TakenRun,
  changed: RunRecord | null,
  warn: (message: string) => void,
): Recorder {
  const { folder, lock, calls, usedMs, length } = taken;
  const start = async () => {
    const first = [...(changed ? [changed] : []), session(usedMs)];
    return { file: await openJournalFile(join(folder, journalName), length, first), lock };
  };
  const recorder = createRecorder({ folder, start, calls, usedMs, unopened: restIsLost, warn });
  // Releases the lock also if the journal could not be opened.
  return { ...recorder, close: () => recorder.close().finally(lock.release) };
}
