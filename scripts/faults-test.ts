/**
 * Tests thousands of server faults, broken replies and replies that would control a terminal. Prints figures; exits
 * with 1 if a check fails.
 *
 * npm run test:faults -- [--seed N] [--faults N]
 */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { terminalEscapes } from './faults/escapes.ts';
import { jsonSuite, mutatedReplies } from './faults/replies.ts';
import { serverFaults } from './faults/servers.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, faults: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const shown = 20;

const checks = [
  serverFaults(Number(values.faults ?? 5_000)),
  mutatedReplies(10_000),
  jsonSuite(fileURLToPath(new URL('../../shared/data/json-test-suite', import.meta.url))),
  terminalEscapes(10_000),
];

console.log(`seed ${seed}`);
for (const check of checks) {
  const startedAt = performance.now();
  const { figures, violations } = await check.run(seed);
  console.log(`\n${check.name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  for (const [name, value] of Object.entries({ ...figures, violations: violations.length }))
    console.log(`  ${name}: ${value}`);
  for (const violation of violations.slice(0, shown)) console.error(`  VIOLATION ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
}
