/**
 * Tests servers with every kind of fault, chosen by a seed. No run may hang, crash, print a stray byte or retry more
 * than twice, and each must end with the right error code.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startLocalServer } from '../../tests/servers/local-server.ts';
import { createRandom } from '../random.ts';
import type { Job, Outcome } from './asking-process.ts';
import type { Check, Findings } from './check.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';
import { type Wire, wires } from './wires.ts';

/** A fault in a run: in each request, or only in the first. */
interface Case {
  readonly id: number;
  readonly wire: Wire;
  readonly kind: FaultKind;
  readonly isOnce: boolean;
  readonly seed: number;
  /** The number of chat requests so far. */
  requests: number;
}

const answer = 'Four, says the café log [P1].';

/** A reply for every prompt: each prompt reads its own fields. */
const reply = JSON.stringify({
  taskDecomposition: [],
  keyQuestions: [],
  requiredInformation: [],
  successCriteria: [],
  approach: 'direct',
  answer,
  citations: [{ passage: 'P1', quote: 'lowered from 40 to 4' }],
  assumptions: [],
  confidenceScore: 80,
  gaps: [],
  verdicts: [],
  conflicts: [],
  reasoning: 'it says so',
});

const atOnce = 64;
const longestMs = 60_000;
/**
 * A permanent fault ends the first call, after two retries. After a temporary fault, the run makes three calls, and one
 * of them has one retry.
 */
const mostRequests = { stays: 3, goes: 4 };
/** The call limit of a run, which bounds the tries if a server says when to try again. */
const mostCalls = 50;

function createCases(count: number, seed: number): Case[] {
  const random = createRandom(seed);
  const pairs = faultKinds.flatMap((kind) => wires.map((wire) => ({ wire, kind })));
  return Array.from({ length: count }, (_, id) => ({
    id,
    ...pairs[id % pairs.length]!,
    isOnce: random() < 0.3,
    seed: Math.floor(random() * 2 ** 31),
    requests: 0,
  }));
}

function strikes({ kind, isOnce, requests }: Case): boolean {
  return kind.strike !== undefined && (!isOnce || requests === 1);
}

/** The first part of the path is the number of the case. */
async function handle(cases: readonly Case[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url!.split('?')[0]!;
  const one = cases[Number(path.split('/')[1])]!;
  request.resume();
  await once(request, 'end');
  if (!one.wire.isChat(path)) {
    const about = one.wire.about(path);
    response
      .writeHead(about === null ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(about ?? {}));
    return;
  }
  one.requests += 1;
  const strike = { wire: one.wire, text: reply, random: createRandom(one.seed) };
  if (strikes(one)) return one.kind.strike!(response, strike);
  response.writeHead(200, { 'content-type': one.wire.contentType });
  response.end([...one.wire.begin(reply), ...one.wire.end].join(''));
}

function jobOf({ id, wire, kind }: Case, url: string): Job {
  const { settings, env } = wire.configure(kind.address?.(url) ?? `${url}/${id}`);
  const callTimeout = kind.callTimeout ?? 40;
  const budget = { timeout: 60, callTimeout };
  return { id, settings: { ...settings, strategy: 'direct', budget }, env: { HOME: '/nonexistent', ...env } };
}

/** Describes what is wrong with an outcome; null for a right outcome. */
function wrong(one: Case, { code, answer: said, retries, timeMs }: Outcome): string | null {
  const { codes, isTransient, strike } = one.kind;
  // The run must recover from a temporary fault. If the planner's only call fails, it continues without a plan.
  const expected = !one.isOnce || !strike ? codes : isTransient ? ['answered'] : [...codes, 'answered'];
  if (!expected.includes(code)) return `ended as ${code}, not ${expected.join(' or ')}`;
  if (code === 'answered' && !said?.startsWith('Four')) return `its answer was ${JSON.stringify(said)}`;
  if (retries > (one.kind.saysWhen ? mostCalls : 2)) return `${retries} retries`;
  if (timeMs > longestMs) return `took ${Math.round(timeMs)} ms`;
  return null;
}

/** Runs the jobs concurrently in a separate process. */
async function runJobs(jobs: readonly Job[]) {
  const child = fork(fileURLToPath(new URL('asking-process.ts', import.meta.url)), {
    silent: true,
    execArgv: ['--import', 'tsx'],
  });
  const outcomes = new Map<number, Outcome>();
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (bytes) => (stdout += bytes));
  child.stderr!.on('data', (bytes) => (stderr += bytes));
  const waiting = [...jobs];
  let running = 0;
  const next = () => {
    const job = waiting.shift();
    if (job === undefined) return;
    running += 1;
    child.send(job);
  };
  const finished = new Promise<void>((resolve) => {
    child.on('message', (outcome: Outcome) => {
      outcomes.set(outcome.id, outcome);
      if (outcomes.size === jobs.length) resolve();
      running -= 1;
      // The number of concurrent jobs grows step by step, because the first ones load code, which delays the others.
      for (let n = 0; n < 2 && running < atOnce; n++) next();
    });
    child.once('exit', () => resolve());
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), longestMs * 10);
  next();
  await finished;
  clearTimeout(deadline);
  child.kill();
  return { outcomes, stdout, stderr };
}

const countBy = (values: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([value, count]) => `${value} ${count}`)
    .join(', ');
};

/** @param count total number of faults, distributed evenly over protocols and kinds. */
export const serverFaults = (count: number): Check => ({
  name: 'servers that go wrong',
  async run(seed): Promise<Findings> {
    const cases = createCases(count, seed);
    const server = await startLocalServer((request, response) => handle(cases, request, response));
    const { outcomes, stdout, stderr } = await runJobs(cases.map((one) => jobOf(one, server.url)));
    await server.close();
    const of = (one: Case) => `${one.wire.name}, ${one.kind.name}${one.isOnce ? ' once' : ''}, case ${one.id}`;
    const hung = cases.filter(({ id }) => !outcomes.has(id));
    const overTried = cases.filter(({ requests, isOnce, kind }) => {
      const usual = kind.saysWhen ? mostCalls : mostRequests[isOnce ? 'goes' : 'stays'];
      const most = kind.mostRequests ?? usual;
      return requests > most;
    });
    const violations = [
      ...hung.map((one) => `${of(one)}: no end`),
      ...overTried.map((one) => `${of(one)}: asked ${one.requests} times`),
      ...cases.flatMap((one) => {
        const outcome = outcomes.get(one.id);
        const problem = outcome && wrong(one, outcome);
        return problem ? [`${of(one)}: ${problem}`] : [];
      }),
      ...(stdout === '' ? [] : [`on stdout: ${JSON.stringify(stdout.slice(0, 200))}`]),
      ...(stderr === '' ? [] : [`on stderr: ${JSON.stringify(stderr.slice(0, 200))}`]),
    ];
    const all = [...outcomes.values()];
    return {
      figures: {
        faults: cases.length,
        'kinds in each protocol': faultKinds.length,
        protocols: wires.map(({ name }) => name).join(', '),
        hangs: hung.length,
        crashes: all.filter(({ code }) => code.startsWith('thrown') || code === 'internal').length,
        'bytes on stdout': Buffer.byteLength(stdout),
        'most retries': Math.max(...all.map(({ retries }) => retries)),
        ended: countBy(all.map(({ code }) => code)),
      },
      violations,
    };
  },
});
