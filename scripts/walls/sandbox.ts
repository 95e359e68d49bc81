/** Tests programs that try to leave the sandbox, and programs that exceed its limits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapConcurrent } from '../../src/base/map-concurrent.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { exhaustionPrograms } from '../../tests/sandbox/escapes/exhaustion.ts';
import type { Canaries } from '../../tests/sandbox/escapes/payloads.ts';
import { escapePrograms } from '../../tests/sandbox/escapes/programs.ts';
import type { WallCheck, WallReport } from './check.ts';

const text = Buffer.from('alpha beta gamma\n'.repeat(100));
const secret = 'canary-7f3e9d';
const variable = 'RLM_WALL_CANARY';
/** The number of concurrent sandboxes: the processors of the smallest CI machine, so that none waits for another. */
const atOnce = 2;

const forEach = <T>(programs: readonly T[], work: (program: T) => Promise<void>): Promise<unknown> =>
  mapConcurrent(programs, atOnce, new AbortController().signal, work);

/** Creates a sandbox over a short text, and records the arguments of its calls. */
function openSandbox(turnMs: number, given: string[]): Sandbox {
  return createSandbox({
    source: {
      documents: [{ name: 'a.md', bytes: text.length }],
      read: (_document, start, end) => text.subarray(start, end),
    },
    limits: { turnMs, memoryMb: 64, calls: 100, outputCharacters: 1_000_000 },
    seed: 1,
    signal: new AbortController().signal,
    async answer({ args }) {
      given.push(...args);
      if (args[0] === 'fail') throw new Error('it failed');
      return 'a reply';
    },
  });
}

/** A file, a variable and a port that no program may reach. */
async function withCanaries<T>(use: (canaries: Canaries, connections: () => number) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-walls-'));
  const file = join(folder, 'canary.txt');
  writeFileSync(file, secret);
  process.env[variable] = secret;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { readonly port: number };
    return await use({ file, variable, port }, () => connections);
  } finally {
    server.close();
    delete process.env[variable];
    rmSync(folder, { recursive: true });
  }
}

/** Returns the changes that a program has made in this process; there should be none. */
const isChanged = (): boolean =>
  'polluted' in {} || 'kind' in {} || 'escaped' in globalThis || Object.getPrototypeOf(Object.prototype) !== null;

/** @param every runs every n-th program. */
export async function checkEscapes(every = 1): Promise<WallReport> {
  return withCanaries(async (canaries, connections) => {
    const programs = escapePrograms(canaries).filter((_, index) => index % every === 0);
    const breaches: string[] = [];
    let stopped = 0;
    await forEach(programs, async (program) => {
      const given: string[] = [];
      const sandbox = openSandbox(2_000, given);
      const before = connections();
      const { output, error, final, problems, variables } = await sandbox.run(program);
      sandbox.close();
      if (error !== null) stopped += 1;
      if ([output, error, problems, variables, JSON.stringify(final), ...given].some((said) => said?.includes(secret)))
        breaches.push(`read a secret: ${program}`);
      if (connections() > before) breaches.push(`reached the network, or another did meanwhile: ${program}`);
      if (isChanged()) breaches.push(`changed the other side: ${program}`);
    });
    return {
      figures: [
        ['programs', programs.length],
        ['programs that ended in an error', stopped],
        ['connections', connections()],
        ['breaches', breaches.length],
      ],
      breaches,
    };
  });
}

/** @param count the number of programs to run. */
export async function checkExhaustion(count: number, turnMs: number): Promise<WallReport> {
  const programs = exhaustionPrograms.slice(0, count);
  const breaches: string[] = [];
  let slowest = 0;
  await forEach(programs, async (program) => {
    const sandbox = openSandbox(turnMs, []);
    await sandbox.run('1');
    const startedAt = performance.now();
    const { error } = await sandbox.run(program);
    const ms = performance.now() - startedAt;
    slowest = Math.max(slowest, ms);
    if (error === null) breaches.push(`ended well: ${program}`);
    if (ms > turnMs + 1_000) breaches.push(`took ${Math.round(ms)} ms: ${program}`);
    const { output } = await sandbox.run('print(6 * 7)');
    if (output.trim() !== '42') breaches.push(`left nothing that runs: ${program}`);
    sandbox.close();
  });
  return {
    figures: [
      ['programs', programs.length],
      ['limit in ms', turnMs],
      ['slowest end in ms', Math.round(slowest)],
      ['breaches', breaches.length],
    ],
    breaches,
  };
}

/** The checks of the sandbox. */
export const sandboxChecks: readonly WallCheck[] = [
  { name: 'sandbox: programs that try to get out', run: () => checkEscapes() },
  { name: 'sandbox: programs that take too much', run: () => checkExhaustion(exhaustionPrograms.length, 500) },
];
