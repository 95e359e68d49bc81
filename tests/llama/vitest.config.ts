/** For `npm run test:llama`, which installs the package that these tests need. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['tests/llama/*.check.ts'], testTimeout: 120_000 },
});
