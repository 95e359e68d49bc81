/** Runs the built program for the crash test as a child process, killed or not, and reads its state. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Result, TreeNode } from '../src/index.ts';
import { journalName } from '../src/journal/recorder.ts';
import { type CountingModel, fileText, pipedText, recordedName, startCountingModel, task } from './crash-model.ts';

const program = fileURLToPath(new URL('../bin/rlm.js', import.meta.url));

/** The limit of concurrent calls of a run. */
export const callsAtOnce = 3;

const asking = ['ask', task, 'a.md', '--strategy', 'decompose', '--concurrency', String(callsAtOnce)];

/** One process that worked on a run. */
export interface Session {
  readonly wasKilled: boolean;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Calls in order of arrival. */
  readonly arrived: readonly string[];
  /** Calls that the model was working on when the process was killed. */
  readonly inFlight: ReadonlySet<string>;
  /** Calls whose replies may have been on their way to the disk at that time. */
  readonly justAnswered: ReadonlySet<string>;
  /** Calls in the journal after the process ended; null if it holds no run. */
  readonly recorded: ReadonlySet<string> | null;
}

/** The stored files of a run. */
export interface KeptRun {
  readonly id: string;
  readonly journal: Buffer;
  /** The other files, by name. */
  readonly texts: ReadonlyMap<string, Buffer>;
}

/** One run with its own model and state folder. */
export interface Lab {
  ask(killAfterMs?: number): Promise<Session>;
  resume(killAfterMs?: number): Promise<Session>;
  /** Returns the stored files of the run so far; null if there are none. */
  kept(): KeptRun | null;
  /** Writes a run's files into the state folder, as if the run had begun there. */
  restore(run: KeptRun): void;
  close(): Promise<void>;
}

/**
 * Returns the calls in the complete lines of a journal, without the program's reader; null if the first is incomplete.
 */
export function callsIn(journal: Buffer): Set<string> | null {
  const lines = journal.toString('utf8').split('\n').slice(0, -1);
  const records = lines.map((line) => JSON.parse(line));
  return lines.length === 0 ? null : new Set(records.filter(({ type }) => type === 'call').map(recordedName));
}

/**
 * Returns the part of a result that must be identical after a resume: everything except times, replay counts, and the
 * spending of calls that a killed process lost.
 */
export function essence(stdout: string): string {
  const { answer, citations, confidence, critique, plan, recursionTree, usage, status } = JSON.parse(stdout) as Result;
  const withoutTimes = ({ timeMs: _, children, ...node }: TreeNode): object => ({
    ...node,
    children: children.map(withoutTimes),
  });
  const calls = usage.calls - usage.failedCalls;
  const tree = recursionTree && withoutTimes(recursionTree);
  return JSON.stringify({ status, answer, citations, confidence, critique, plan, tree, calls });
}

async function untilQuiet(model: CountingModel): Promise<void> {
  while (model.openSockets() > 0) await sleep(2);
}

function cleanEnv(home: string, url: string): Record<string, string> {
  const stages = { RLM_PLANNER: 'always', RLM_CRITIC: 'always' };
  const own = { HOME: home, XDG_CONFIG_HOME: home, RLM_HOME: home, OLLAMA_HOST: url, OLLAMA_NUM_PARALLEL: '4' };
  return { PATH: process.env['PATH'] ?? '', ...own, ...stages };
}

/** Longer than even a busy disk takes to flush a record. */
const writingMs = 250;

/** A run takes less than a second. A run that hangs is ended, which its exit status shows. */
const hangsAfterMs = 30_000;

/** Runs the program. Kills it after `killAfterMs`, unless it has ended. */
async function runProgram(args: readonly string[], cwd: string, env: Record<string, string>, killAfterMs?: number) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args, '--json'], { cwd, env, timeout: hangsAfterMs });
  const output = { stdout: '', stderr: '' };
  let killedAt: number | null = null;
  const kill = () => {
    killedAt = performance.now();
    child.kill('SIGKILL');
  };
  const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', () => {}); // The child may be killed before it reads stdin.
  child.stdin.end(pipedText);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { ...output, code, killedAt: signal === 'SIGKILL' ? killedAt : null, ms: performance.now() - startedAt };
}

/** Creates a folder with the file that the question is about. */
export function createInputs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-crash-inputs-'));
  writeFileSync(join(folder, 'a.md'), fileText);
  return folder;
}

/** Creates a lab that asks in the folder `inputs`. `seed` determines how long each call of the model takes. */
export async function createLab(seed: number, inputs: string): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-crash-'));
  const runs = join(folder, 'runs');
  const model = await startCountingModel(seed);
  const env = cleanEnv(folder, model.url);

  function kept(): KeptRun | null {
    const id = existsSync(runs) ? readdirSync(runs)[0] : undefined;
    if (id === undefined || !existsSync(join(runs, id, journalName))) return null;
    const names = readdirSync(join(runs, id)).filter((name) => name.startsWith('text.'));
    const read = (name: string) => readFileSync(join(runs, id, name));
    return { id, journal: read(journalName), texts: new Map(names.map((name) => [name, read(name)])) };
  }

  async function session(args: readonly string[], killAfterMs?: number): Promise<Session> {
    const first = model.arrivals.length;
    const { killedAt, ...ended } = await runProgram(args, inputs, env, killAfterMs);
    await untilQuiet(model);
    const arrivals = model.arrivals.slice(first);
    const answeredBetween = (from: number, to: number) => {
      const isBetween = ({ answeredAt }: (typeof arrivals)[number]) =>
        (answeredAt ?? Number.MAX_VALUE) >= from && (answeredAt ?? Number.MAX_VALUE) < to;
      return new Set(arrivals.filter(isBetween).map(({ call }) => call));
    };
    const end = killedAt ?? performance.now();
    const journal = kept()?.journal;
    return {
      ...ended,
      wasKilled: killedAt !== null,
      arrived: arrivals.map(({ call }) => call),
      inFlight: answeredBetween(end, Number.POSITIVE_INFINITY),
      justAnswered: answeredBetween(end - writingMs, end),
      recorded: journal ? callsIn(journal) : null,
    };
  }

  return {
    ask: (killAfterMs) => session(asking, killAfterMs),
    resume: (killAfterMs) => session(['resume', '--concurrency', String(callsAtOnce)], killAfterMs),
    kept,
    restore({ id, journal, texts }) {
      mkdirSync(join(runs, id), { recursive: true });
      for (const [name, content] of [[journalName, journal] as const, ...texts])
        writeFileSync(join(runs, id, name), content);
    },
    async close() {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
