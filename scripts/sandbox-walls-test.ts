/** Runs what must not get through the walls of the sandbox, prints how often it was tried, and fails where something did. */
import { sandboxChecks } from './walls/sandbox.ts';

for (const { name, run } of sandboxChecks) {
  const { figures, breaches } = await run();
  console.log(name);
  for (const [what, count] of figures) console.log(`  ${what.padEnd(46)}${String(count).padStart(8)}`);
  for (const breach of breaches.slice(0, 20)) console.error(`  BREACH ${breach}`);
  if (breaches.length > 0) process.exitCode = 1;
}
