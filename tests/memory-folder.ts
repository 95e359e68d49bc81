import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const wantedBytes = 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= wantedBytes;
  } catch {
    return false; // Not Linux.
  }
}

/**
 * Keeps the temporary files of this test run in memory if the system has 1 GB for them. Journals and indexes are
 * flushed record by record, and a real disk takes several ms each time.
 */
export default function setUp(): (() => void) | undefined {
  if (!hasRoom()) return undefined;
  const folder = mkdtempSync(join(inMemory, 'rlm-tests-'));
  chmodSync(folder, 0o1777); // The permissions of the usual folder, because some tests read as another user.
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
