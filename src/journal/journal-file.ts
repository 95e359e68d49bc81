import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { encodeRecord, type JournalRecord } from './records.ts';

/** Appends records to a file. */
export interface JournalFile {
  /** Resolves when the record is on the disk. Rejects with the system's error, also for every later record. */
  append(record: JournalRecord): Promise<void>;
  /** Waits for the current write. Never rejects: appended records are on the disk already. */
  close(): Promise<void>;
}

/** Flushes a folder's new entries to the disk, where the system can. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * Opens a journal at its end and cuts off what follows `length` bytes, such as a torn line. Records that arrive during
 * a write go to the disk together.
 */
export async function openJournalFile(path: string, length: number): Promise<JournalFile> {
  const file: FileHandle = await open(path, 'a', 0o600);
  try {
    if ((await file.stat()).size > length) await file.truncate(length);
  } catch (error) {
    await file.close();
    throw error;
  }
  if (length === 0) await syncFolder(dirname(path));
  let lines: string[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const batch = lines.join('');
    lines = [];
    await file.appendFile(batch);
    await file.datasync();
  }

  return {
    append(record) {
      lines.push(encodeRecord(record));
      // After a failure nothing more is written: behind half a line it would read as damage.
      if (lines.length === 1) writing = writing.then(write);
      return writing;
    },
    async close() {
      await writing.catch(() => {});
      await file.close().catch(() => {});
    },
  };
}
