import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder in which the processes of this test run share compiled code; see tests/e2e/compiled-once.cjs. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-code-'));
  process.env['TEST_CODE_CACHE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
