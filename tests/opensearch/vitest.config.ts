/** For `npm run test:opensearch`, which starts the server that these tests need. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['tests/opensearch/*.check.ts'], testTimeout: 60_000 },
});
