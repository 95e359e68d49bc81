import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes the folder in which the processes of this test run share compiled code; see tests/e2e/compiled-once.cjs.
 */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-code-'));
  process.env['TEST_CODE_CACHE'] = folder;
  delete process.env['NODE_EXTRA_CA_CERTS']; // Each start of Node reads them for 50 ms, and no test leaves this machine.
  return () => rmSync(folder, { recursive: true, force: true });
}
