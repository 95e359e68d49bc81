/** For `npm run test:onnx`, which installs the packages that these tests need. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['tests/onnx/*.check.ts'], testTimeout: 120_000 },
});
