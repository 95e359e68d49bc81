import { defineConfig } from 'vitest/config';
import LongestFirst from './tests/longest-first.ts';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/memory-folder.ts', 'tests/code-cache.ts'],
    setupFiles: ['tests/finish.ts'],
    testTimeout: 30_000,
    // A second, as is usual, is too short on a busy machine.
    expect: { poll: { interval: 10, timeout: 20_000 } },
    // More than processors: the tests of the program wait for its processes.
    maxWorkers: 3,
    // Styles of reports are read as text; without this they would be empty.
    css: true,
    // Loading the source anew for each file took a quarter of the time; no test leaves anything behind in a module.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './tests/summary-reporter.ts'],
    // Of these files alone: npm run types checks everything.
    typecheck: { enabled: true, include: ['tests/**/*.test-d.ts'], tsconfig: './tests/tsconfig.types.json' },
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
