/**
 * Tests `rlm mcp` with the protocol's own tools, installed into a temporary folder with a separate Node 22. The
 * inspector lists and calls every tool with and without a handshake. The conformance suite runs all scenarios that
 * 2025-11-25 and 2026-07-28 require. A client makes 200 concurrent calls. Exits with 1 if a check fails.
 *
 * npm run test:mcp
 */
import { checkConformance } from './mcp/conformance-check.ts';
import { checkInspector } from './mcp/inspector-check.ts';
import { checkManyCalls } from './mcp/many-calls.ts';
import { installTools } from './mcp/official-tools.ts';

let failures = 0;

function report(name: string, isGood: boolean, detail: string): void {
  if (!isGood) failures += 1;
  console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`);
}

const tools = await installTools();
try {
  for (const check of [checkInspector, checkConformance, checkManyCalls]) {
    const startedAt = performance.now();
    await check(tools, report);
    console.log(`        ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
} finally {
  tools.remove();
}
console.log(failures === 0 ? 'all passed' : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
