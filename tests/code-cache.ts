import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates the folder in which the processes of this test run share compiled code; see tests/e2e/compiled-once.cjs.
 */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-code-'));
  process.env['TEST_CODE_CACHE'] = folder;
  delete process.env['NODE_EXTRA_CA_CERTS']; // Reading them takes 50 ms at each start, and tests need no other machine.
  return () => rmSync(folder, { recursive: true, force: true });
}
