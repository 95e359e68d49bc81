/** Runs everything that must not get through a wall, prints how often it was tried, and fails where something did. */
import type { WallCheck } from './walls/check.ts';
import { checkHostilePaths } from './walls/hostile-paths.ts';
import { sandboxChecks } from './walls/sandbox.ts';
import { checkSwapRaces } from './walls/swap-races.ts';

const checks: readonly WallCheck[] = [
  { name: 'files: hostile paths', run: () => checkHostilePaths(1_000) },
  { name: 'files: links swapped while they are read', run: () => checkSwapRaces(10_000) },
  ...sandboxChecks,
];

for (const { name, run } of checks) {
  const { figures, breaches } = await run();
  console.log(name);
  for (const [what, count] of figures) console.log(`  ${what.padEnd(46)}${String(count).padStart(8)}`);
  for (const breach of breaches.slice(0, 20)) console.error(`  BREACH ${breach}`);
  if (breaches.length > 0) process.exitCode = 1;
}
