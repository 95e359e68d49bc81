/** Runs the built program as a user does: a child process with real pipes, files and signals. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Result, RunEvent } from '../../src/index.ts';
import { afterEvery } from '../support/afterwards.ts';
import { shaped } from '../support/shapes.ts';
import { runShared } from './shared-process.ts';

export const program = fileURLToPath(new URL('../../bin/rlm.js', import.meta.url));

export const compiledOnce = fileURLToPath(new URL('./compiled-once.cjs', import.meta.url));

/** Nothing listens there. */
const closedHost = 'http://127.0.0.1:1';

/** What a run came to. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunOptions {
  /** Text to pipe in; `open` is a pipe that stays open and silent; a function writes by itself. Default: /dev/null. */
  readonly stdin?: string | Buffer | 'open' | ((stdin: Writable) => void);
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Reads stdout in another way than as fast as it comes. */
  readonly reader?: (stdout: NodeJS.ReadableStream, keep: (chunk: Buffer) => void) => void;
}

/** A run in progress. */
export interface Running {
  readonly done: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the stream has shown the text, or what matches; rejects when the run ends without. */
  shows(stream: 'stdout' | 'stderr', text: string | RegExp): Promise<void>;
  /** What the stream has shown that matches; rejects when it has shown nothing such yet. */
  found(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>;
}

const folders: string[] = [];
const running = new Set<ChildProcess>();
let home: string | null = null;
afterEvery('file', () => {
  for (const child of running) child.kill('SIGKILL'); // Only when a test has failed.
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  home = null;
});

/** A temporary folder with these files, removed after the test file. */
export function createFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-e2e-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** An environment without the settings of the machine. */
export function cleanEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  home ??= createFolder();
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    OLLAMA_HOST: closedHost,
    TEST_CODE_CACHE: process.env['TEST_CODE_CACHE'] ?? '',
    NODE_DISABLE_COMPILE_CACHE: '1', // The folder above is for all tests, and folders of users stay as they are.
    ...extra,
  };
}

function feed(child: ChildProcessWithoutNullStreams, stdin: RunOptions['stdin']): void {
  child.stdin.on('error', () => {}); // The program may end, or be told not to read.
  if (typeof stdin === 'function') stdin(child.stdin);
  else if (stdin !== 'open' && stdin !== undefined) child.stdin.end(stdin);
}

/** Starts any command in a clean environment; see `startRlm`. */
export function start(command: string, args: readonly string[], options: RunOptions = {}): Running {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd ?? createFolder(),
    env: cleanEnv(options.env),
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  running.add(child);
  child.once('close', () => running.delete(child));
  if (child.stdin) feed(child, options.stdin);
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const text = (stream: 'stdout' | 'stderr') => Buffer.concat(parts[stream]).toString('utf8');
  const { reader = (stdout, keep) => void stdout.on('data', keep) } = options;
  reader(child.stdout, (chunk) => parts.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => parts.stderr.push(chunk));
  const done = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout: text('stdout'), stderr: text('stderr'), ms: performance.now() - startedAt }),
    );
  });
  return {
    done,
    kill: (signal) => void child.kill(signal),
    async found(stream, pattern) {
      const match = pattern.exec(text(stream));
      if (match === null) throw new Error(`not shown: ${pattern}\n${text(stream)}`);
      return match[0];
    },
    shows: (stream, wanted) =>
      new Promise((resolve, reject) => {
        const isShown = (all: string) => (typeof wanted === 'string' ? all.includes(wanted) : wanted.test(all));
        const look = () => void (isShown(text(stream)) && resolve());
        child[stream].on('data', look);
        look();
        child.once('close', () => reject(new Error(`never shown: ${wanted}\n${text('stderr')}`)));
      }),
  };
}

/** Starts `rlm` with these arguments. */
export const startRlm = (args: readonly string[], options?: RunOptions): Running =>
  start(process.execPath, ['--require', compiledOnce, program, ...args], options);

/** Runs `rlm` to its end, in a process of its own. */
export const rlmAlone = (args: readonly string[], options?: RunOptions): Promise<Finished> =>
  startRlm(args, options).done;

/** Runs `rlm` to its end. Where nothing is piped in, runs share a process, one after the other. */
export function rlm(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { stdin, reader, cwd = createFolder(), env } = options;
  if (stdin !== undefined || reader !== undefined) return rlmAlone(args, options);
  return runShared({ args, cwd, env: cleanEnv(env) });
}

/** A shell script that is the program. */
export const launcher = `#!/bin/sh\nexec '${process.execPath}' --require '${compiledOnce}' '${program}' "$@"\n`;

/** Runs a shell line in which `"$RLM"` is the program, for real pipes and redirections. */
export const shell = (line: string, options: RunOptions = {}): Promise<Finished> => {
  const wrapper = join(createFolder({ rlm: launcher }), 'rlm');
  return start('sh', ['-c', `rlm() { sh ${wrapper} "$@"; }\n${line}`], options).done;
};

const oneLineOf = (text: string): string => {
  const lines = text.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line of output: ${text.slice(0, 300)}`);
  return lines[0]!;
};

/** The one object that `--json` prints, held against its schema. */
export function resultOf({ stdout }: Pick<Finished, 'stdout'>): Result {
  return shaped<Result>('result', JSON.parse(oneLineOf(stdout)));
}

/** The last line of ndjson. */
export interface LastEvent {
  readonly type: 'run.completed' | 'run.failed';
  readonly seq: number;
  readonly runId: string | null;
  readonly result: Result;
}

/** Every line of ndjson, each held against its schema. */
export function eventsOf({ stdout }: Pick<Finished, 'stdout'>): { events: RunEvent[]; last: LastEvent } {
  if (!stdout.endsWith('\n')) throw new Error(`the last line is cut: ${stdout.slice(-100)}`);
  const all = stdout
    .trimEnd()
    .split('\n')
    .map((line) => shaped<unknown>('event', JSON.parse(line)));
  return { events: all.slice(0, -1) as RunEvent[], last: all.at(-1) as LastEvent };
}
