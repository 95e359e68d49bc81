import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Finished } from './run-rlm.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const host = pathOf('./shared-process.cjs');
const program = pathOf('../../bin/rlm.js');
const entry = pathOf('../../dist/cli/main.cjs');

export interface SharedRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Process {
  readonly child: ChildProcessWithoutNullStreams;
  isBusy: boolean;
}

/** The processes of this worker, which all its test files share, and the runs that wait for a process. */
const shared = globalThis as { sharedProcesses?: { all: Process[]; waiting: (() => void)[] } };
shared.sharedProcesses ??= { all: [], waiting: [] };
const { all, waiting } = shared.sharedProcesses;
const most = 4;

function start(): Process {
  const child = spawn(process.execPath, [host], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const started = { child: child as unknown as ChildProcessWithoutNullStreams, isBusy: false };
  child.setMaxListeners(0);
  child.once('close', () => void all.splice(all.indexOf(started), 1));
  child.unref();
  child.channel?.unref();
  all.push(started);
  return started;
}

/** Resolves to an idle process, which is marked as busy. */
async function take(): Promise<Process> {
  for (;;) {
    const free = all.find(({ isBusy, child }) => !isBusy && child.connected) ?? (all.length < most ? start() : null);
    if (free) {
      free.isBusy = true;
      return free;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

/** Resolves to the text of a stream up to the mark. */
function upTo(mark: string, stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  return new Promise((resolve) => {
    const take = (part: Buffer) => {
      parts.push(part);
      if (!part.includes(mark.at(-1)!)) return;
      const text = Buffer.concat(parts).toString('utf8');
      if (!text.endsWith(mark)) return;
      stream.off('data', take);
      stream.off('close', cut);
      resolve(text.slice(0, -mark.length));
    };
    const cut = () => resolve(Buffer.concat(parts).toString('utf8'));
    stream.on('data', take);
    stream.once('close', cut);
  });
}

/** Runs the program to its end in a process that other runs also use, before and after. */
export async function runShared(run: SharedRun): Promise<Finished> {
  const used = await take();
  const { child } = used;
  const startedAt = performance.now();
  const mark = `\0${randomUUID()}\0`;
  const status = new Promise<number | null>((resolve) => {
    const ended = () => resolve(null);
    child.once('close', ended);
    child.once('message', ({ code }: { code: number }) => {
      child.off('close', ended);
      resolve(code);
    });
  });
  child.send({ program, entry, mark, ...run });
  const [code, stdout, stderr] = await Promise.all([status, upTo(mark, child.stdout), upTo(mark, child.stderr)]);
  used.isBusy = false;
  waiting.shift()?.();
  return { code, signal: null, stdout, stderr, ms: performance.now() - startedAt };
}
