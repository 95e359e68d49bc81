/**
 * Attacks the walls in many ways, prints the number of attempts, and fails if an attempt succeeds.
 *
 * npm run test:walls -- [--paths N] [--races N]
 */
import { parseArgs } from 'node:util';
import type { WallCheck } from './walls/check.ts';
import { checkHostilePaths } from './walls/hostile-paths.ts';
import { checkKnownInjections } from './walls/injection.ts';
import { queryChecks } from './walls/query.ts';
import { sandboxChecks } from './walls/sandbox.ts';
import { checkSwapRaces } from './walls/swap-races.ts';

const { values } = parseArgs({
  options: { paths: { type: 'string', default: '1000' }, races: { type: 'string', default: '10000' } },
});

const checks: readonly WallCheck[] = [
  // First, because they measure the memory of this process, and the other checks leave memory allocated.
  ...queryChecks,
  { name: 'files: hostile paths', run: () => checkHostilePaths(Number(values.paths)) },
  { name: 'files: links swapped while they are read', run: () => checkSwapRaces(Number(values.races)) },
  ...sandboxChecks,
  { name: 'injection: orders in e-mails, to a model that obeys', run: checkKnownInjections },
];

for (const { name, run } of checks) {
  const { figures, breaches } = await run();
  console.log(name);
  for (const [what, count] of figures) console.log(`  ${what.padEnd(52)}${String(count).padStart(8)}`);
  for (const breach of breaches.slice(0, 20)) console.error(`  BREACH ${breach}`);
  if (breaches.length > 0) process.exitCode = 1;
}
