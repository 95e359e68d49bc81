/**
 * `npm run bench` prints each measurement with its reference, all from one run. Times are medians over whole processes.
 * The measured program and its reference take turns, so that a slower machine slows both.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureCalls } from './bench-calls.ts';
import { measurePlan } from './bench-plans.ts';
import { measureNeedles, measureSandbox } from './bench-sandbox.ts';
import { measureSearch, measureSearchCalls } from './bench-search.ts';
import { logBlocks, measureFolder, measurePipe, measureRetrievals } from './bench-text.ts';
import { measureTree } from './bench-tree.ts';

const program = fileURLToPath(new URL('../bin/rlm.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'rlm-bench-'));
// NODE_EXTRA_CA_CERTS adds 50 ms to every start of Node, on both sides, which would make ratios look better.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const environment = { ...inherited, HOME: folder, XDG_CONFIG_HOME: folder };

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, args, {
    env: { ...environment, ...env },
    cwd: folder,
    stdio: [stdin, 'ignore', 'ignore'],
  });
}

/** Returns the time of a whole process in ms. */
async function timeProcess(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = start(args);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - startedAt;
}

/** The arguments of Node for a question of `rlm ask`, and for the simplest script that sends a request. */
const asking = () => [program, 'ask', 'Why?', '--provider', 'ollama'];
const fetching = (port: number) => [
  '-e',
  `fetch('http://127.0.0.1:${port}/', { method: 'POST', body: 'Why?' }).catch(() => {})`,
];

/** Returns the time from the start of a process to its first byte on the provider's socket, in ms. */
async function timeToFirstByte(argsFor: (port: number) => readonly string[]): Promise<number> {
  let arrived: (at: number) => void = () => {};
  const first = new Promise<number>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((socket) => {
    socket.once('data', () => arrived(performance.now()));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const startedAt = performance.now();
  const child = start(argsFor(port), { OLLAMA_HOST: `127.0.0.1:${port}` });
  const at = await first;
  child.kill('SIGKILL');
  await once(child, 'exit');
  server.close();
  return at - startedAt;
}

const handshake = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** Returns the time from the start of `rlm mcp` to its first answer, in ms. */
async function timeToMcpAnswer(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: environment,
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.write(`${JSON.stringify(handshake)}\n`);
  await once(child.stdout, 'data');
  const time = performance.now() - startedAt;
  child.stdin.end();
  await once(child, 'exit');
  return time;
}

async function alternate(rounds: number, sides: readonly (() => Promise<number>)[]): Promise<number[]> {
  const times: number[][] = sides.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const time = await side();
      if (round >= 0) times[index]!.push(time);
    }
  }
  return times.map(median);
}

function row(what: string, figure: string, goal: string): void {
  console.log(`${what.padEnd(62)} ${figure.padEnd(34)} ${goal}`);
}

/** Runs each command once, so that it stores its compiled code as a user's first run does. A killed one stores none. */
async function runOnce(): Promise<void> {
  const closed = { OLLAMA_HOST: '127.0.0.1:1' };
  await once(start([program, 'ask', 'Why?', '--provider', 'ollama'], closed), 'exit');
  await timeToMcpAnswer();
}

async function coldStart(): Promise<void> {
  await runOnce();
  const [bare, version, socket, fetched, mcp] = await alternate(21, [
    () => timeProcess(['-e', '0']),
    () => timeProcess([program, '--version']),
    () => timeToFirstByte(asking),
    () => timeToFirstByte(fetching),
    timeToMcpAnswer,
  ]);
  row('cold start: node -e 0', `${bare!.toFixed(0)} ms`, '');
  row(
    'cold start: rlm --version',
    `${version!.toFixed(0)} ms = ${(version! / bare!).toFixed(2)} x`,
    'goal: at most 1.6 x',
  );
  row(
    'cold start: rlm ask to the first byte on the socket',
    `${socket!.toFixed(0)} ms = ${(socket! / bare!).toFixed(2)} x`,
    'goal: at most 2.0 x',
  );
  row('  compared: a script of one fetch', `${fetched!.toFixed(0)} ms = ${(fetched! / bare!).toFixed(2)} x`, '');
  row(
    'cold start: rlm mcp to its first answer',
    `${mcp!.toFixed(0)} ms = ${(mcp! - bare!).toFixed(0)} ms over node`,
    'goal: at most 100 ms over',
  );
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const place = { folder, env: environment };

async function piped(): Promise<void> {
  const file = join(folder, 'big.log');
  await writeFile(file, Buffer.concat([...logBlocks(10_000_000)]));
  const filter = `require('fs').readFileSync(${JSON.stringify(file)},'utf8').split('\\n').filter((l) => l.includes('ledger'))`;
  const [rlm, plain] = await alternate(5, [
    async () => (await measurePipe(10_000_000, place)).wholeMs,
    () => timeProcess(['-e', filter]),
  ]);
  row('10 MB piped in, extractive answer', seconds(rlm!), 'goal: at most 3 s');
  row('  compared: node reads the file and filters its lines', seconds(plain!), '');
}

async function large(): Promise<void> {
  const hundred = await measurePipe(100_000_000, place);
  row(
    '100 MB piped in, first passages after the last byte',
    `${seconds(hundred.afterLastByteMs)}, whole run ${seconds(hundred.wholeMs)}`,
    'goal: at most 3 s',
  );
  row('  peak memory', `${hundred.peakMb.toFixed(0)} MB`, 'goal: at most 500 MB');
  row('  20 further retrievals', seconds(await measureRetrievals(100_000_000)), 'goal: at most 1 s');
  const thousand = await measurePipe(1_000_000_000, place);
  row('1 GB piped in, whole run', seconds(thousand.wholeMs), '');
  row('  peak memory', `${thousand.peakMb.toFixed(0)} MB`, 'goal: at most 1200 MB');
  const many = await measureFolder(100_000, place);
  const ratio = (many.wholeMs / many.plainMs).toFixed(2);
  row('100,000 small files', `${seconds(many.wholeMs)} = ${ratio} x`, 'goal: at most 3 x');
  row(`  compared: ${many.plainProgram} | xargs cat`, seconds(many.plainMs), '');
  row('  peak memory', `${many.peakMb.toFixed(0)} MB`, '');
}

async function tree(): Promise<void> {
  const latencyMs = 50;
  const { calls, wallMs, criticalMs, maxInFlight, sequentialMs } = await measureTree(latencyMs);
  const ratio = (wallMs / criticalMs).toFixed(3);
  row(
    `tree of ${calls} calls at ${latencyMs} ms, at most ${maxInFlight} at once`,
    `${wallMs.toFixed(0)} ms = ${ratio} x critical path`,
    'goal: at most 1.1 x',
  );
  row('  critical path of the calls', `${criticalMs.toFixed(0)} ms`, '');
  row('  compared: the same calls one after the other', `${sequentialMs.toFixed(0)} ms`, '');
}

async function shapes(): Promise<void> {
  const latencyMs = 50;
  for (const { calls, shape, wallMs, criticalMs, plainMs, plainLoopMs, cpuPerCall } of await measureCalls(latencyMs)) {
    const times = (ms: number) => `${(ms / criticalMs).toFixed(3)} x`;
    row(
      `${shape} of ${calls} call${calls === 1 ? '' : 's'} at ${latencyMs} ms, critical path ${criticalMs} ms`,
      `${wallMs.toFixed(0)} ms = ${times(wallMs)}, ${cpuPerCall.toFixed(1)} ms CPU a call`,
      'goals: at most 1.05 x and 2 ms',
    );
    row(
      '  compared: plain fetch in the same shape; one after the other',
      `${plainMs.toFixed(0)} ms = ${times(plainMs)}; ${plainLoopMs.toFixed(0)} ms`,
      '',
    );
  }
}

async function searching(): Promise<void> {
  for (const { what, ms, plainMs, blockedMs } of await measureSearch(100_000_000)) {
    const ratio = plainMs === null ? '' : ` = ${(ms / plainMs).toFixed(2)} x a plain line loop`;
    row(
      `search 100 MB for ${what}`,
      `${ms.toFixed(0)} ms${ratio}`,
      plainMs === null ? `longest block ${blockedMs.toFixed(0)} ms, goal: at most 1000` : 'goal: at most 1 x',
    );
  }
}

async function looking(): Promise<void> {
  const times = await measureSearchCalls(100_000_000);
  const [middle, longest, all] = [median(times), times.at(-1)!, times.reduce((sum, time) => sum + time, 0)];
  const figure = `${middle.toFixed(0)} ms, at most ${longest.toFixed(0)} ms, all ${seconds(all)}`;
  row(`${times.length} calls of grep over 100 MB, median`, figure, '');
  for (const [strategy, what] of [
    ['explore', '12 steps of tools'],
    ['repl', '12 steps of code'],
  ] as const) {
    const { ms, processorMs } = await measurePlan(strategy, 100_000_000);
    row(
      `${what} over 100 MB, with a journal; the model takes no time`,
      `${seconds(ms)}, ${seconds(processorMs)} of the processor`,
      'goal: at most 1 s',
    );
  }
}

async function sandbox(): Promise<void> {
  const { startMs, callUs } = await measureSandbox();
  row('sandbox: start to the end of the first turn', `${startMs.toFixed(0)} ms`, 'goal: at most 150 ms');
  row('  a call of the host that does not wait', `${callUs.toFixed(1)} µs`, 'goal: at most 50 µs');
  for (const { tokens, isFound, calls, ms } of await measureNeedles([1e4, 1e5, 1e6, 1e7])) {
    const figure = `${isFound ? 'found' : 'NOT FOUND'}, ${calls} calls, ${seconds(ms)}`;
    row(`  a needle in ${tokens.toLocaleString('en')} tokens`, figure, 'goal: found, calls do not grow');
  }
}

console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'cpu'}\n`);
try {
  await coldStart();
  await tree();
  await shapes();
  await piped();
  await large();
  await searching();
  await looking();
  await sandbox();
} finally {
  await rm(folder, { recursive: true });
}
