import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { encodeRecord, type JournalRecord } from './records.ts';

/** Appends records to a file. */
export interface JournalFile {
  /** Resolves when the record is on the disk. Rejects with the system's error, also for every later record. */
  append(record: JournalRecord): Promise<void>;
  /** Waits for what is being written. Never rejects: what was appended is on the disk already. */
  close(): Promise<void>;
}

/** Makes a folder's new entries last, too. Not every system can. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * Opens a journal at its end; what stands behind `length` bytes, such as a torn line, is cut off. Records that come
 * while others are written go to the disk together.
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
      // After a failure nothing may follow: behind half a line it would read as damage.
      if (lines.length === 1) writing = writing.then(write);
      return writing;
    },
    async close() {
      await writing.catch(() => {});
      await file.close().catch(() => {});
    },
  };
}
