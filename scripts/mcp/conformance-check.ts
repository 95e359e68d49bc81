/** Runs the conformance suite: every scenario that a version of the protocol requires of a server. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type OfficialTools, type Report, root } from './official-tools.ts';

const versions = ['2025-11-25', '2026-07-28'];

/**
 * Features that rlm does not use (questions to its client, logging to it, subscriptions). They are tested with the
 * library alone.
 */
const asking: readonly RegExp[] = [
  /^input-required-result-/,
  /^elicitation-/,
  /^logging-set-level$/,
  /^tools-call-(with-logging|sampling|elicitation)$/,
  /^resources-(un)?subscribe$/,
];

const isAsking = (name: string): boolean => asking.some((pattern) => pattern.test(name));

/** The addresses of the server of rlm, and of a server that asks its client questions. */
async function startServers({ env }: OfficialTools) {
  const command = join(root, 'node_modules', '.bin', 'tsx');
  const child = spawn(command, ['scripts/mcp/conformance-server.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const addresses: string[] = [];
  for await (const address of createInterface({ input: child.stdout })) if (addresses.push(address) === 2) break;
  return { own: addresses[0]!, back: addresses[1]!, stop: () => child.kill() };
}

/** Returns the suite's list of scenarios that a version requires of a server. */
function requiredBy(version: string, { folder }: OfficialTools): string[] {
  const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'requirements');
  const text = readFileSync(join(suite, `${version}.yaml`), 'utf8');
  const [, list = ''] = /^server:\n((?: .*\n|#.*\n|\n)*)/m.exec(text) ?? [];
  return [...list.matchAll(/^ +- (\S+)$/gm)].map(([, name]) => name!);
}

/** Returns how many checks of each scenario passed and failed. */
async function runScenarios(tools: OfficialTools, address: string, version: string) {
  const { stdout } = await tools.run('conformance', ['server', '--url', address, '--requirements', version]);
  const lines = stdout.slice(stdout.indexOf('=== SUMMARY ===')).matchAll(/^. (\S+): (\d+) passed, (\d+) failed$/gm);
  return new Map(
    [...lines].map(([, name, passed, failed]) => [name!, { passed: Number(passed), failed: Number(failed) }]),
  );
}

/** Tests both servers with both versions. */
export async function checkConformance(tools: OfficialTools, report: Report): Promise<void> {
  const { own, back, stop } = await startServers(tools);
  try {
    for (const version of versions) {
      const ofOwn = await runScenarios(tools, own, version);
      const ofBack = await runScenarios(tools, back, version);
      const required = requiredBy(version, tools);
      report(`conformance, ${version}: scenarios of a server`, required.length >= 30, `${required.length}`);
      for (const name of required) {
        const { passed = 0, failed = 1 } = (isAsking(name) ? ofBack : ofOwn).get(name) ?? {};
        const whose = isAsking(name) ? ' (the library)' : '';
        report(`conformance, ${version}${whose}: ${name}`, failed === 0, `${passed} of ${passed + failed} checks`);
      }
    }
  } finally {
    stop();
  }
}
