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

/** An address where no server listens. */
const closedHost = 'http://127.0.0.1:1';

/** The outcome of a run. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunOptions {
  /** Text to pipe in; `open`: a pipe that stays open and silent; a function writes to it. Default: /dev/null. */
  readonly stdin?: string | Buffer | 'open' | ((stdin: Writable) => void);
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Reads stdout; default: as fast as it arrives. */
  readonly reader?: (stdout: NodeJS.ReadableStream, keep: (chunk: Buffer) => void) => void;
}

/** A run in progress. */
export interface Running {
  readonly done: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the stream has shown the text, or a match. Rejects if the run ends without it. */
  shows(stream: 'stdout' | 'stderr', text: string | RegExp): Promise<void>;
  /** Resolves to the match in the stream's text so far. Rejects without a match. */
  found(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>;
}

const folders: string[] = [];
const running = new Set<ChildProcess>();
let home: string | null = null;
afterEvery('file', () => {
  for (const child of running) child.kill('SIGKILL'); // Processes are left only if a test has failed.
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  home = null;
});

/** Creates a temporary folder with these files, which is removed after the test file. */
export function createFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-e2e-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Creates an environment without the machine's settings. */
export function cleanEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  home ??= createFolder();
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    OLLAMA_HOST: closedHost,
    TEST_CODE_CACHE: process.env['TEST_CODE_CACHE'] ?? '',
    NODE_DISABLE_COMPILE_CACHE: '1', // Tests use the folder above, and leave the users' folders unchanged.
    ...extra,
  };
}

function feed(child: ChildProcessWithoutNullStreams, stdin: RunOptions['stdin']): void {
  child.stdin.on('error', () => {}); // The program may end without reading stdin.
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

/** Runs `rlm` to its end, in a separate process. */
export const rlmAlone = (args: readonly string[], options?: RunOptions): Promise<Finished> =>
  startRlm(args, options).done;

/** Runs `rlm` to its end. Runs without piped text share a process, one after the other. */
export function rlm(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { stdin, reader, cwd = createFolder(), env } = options;
  if (stdin !== undefined || reader !== undefined) return rlmAlone(args, options);
  return runShared({ args, cwd, env: cleanEnv(env) });
}

/** A shell script that runs the program. */
export const launcher = `#!/bin/sh\nexec '${process.execPath}' --require '${compiledOnce}' '${program}' "$@"\n`;

/** Runs a shell line, for real pipes and redirections. `"$RLM"` is the program. */
export const shell = (line: string, options: RunOptions = {}): Promise<Finished> => {
  const wrapper = join(createFolder({ rlm: launcher }), 'rlm');
  return start('sh', ['-c', `rlm() { sh ${wrapper} "$@"; }\n${line}`], options).done;
};

const oneLineOf = (text: string): string => {
  const lines = text.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line of output: ${text.slice(0, 300)}`);
  return lines[0]!;
};

/** Returns the object that `--json` prints, validated against its schema. */
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

/** Returns every line of ndjson, each validated against its schema. */
export function eventsOf({ stdout }: Pick<Finished, 'stdout'>): { events: RunEvent[]; last: LastEvent } {
  if (!stdout.endsWith('\n')) throw new Error(`the last line is cut: ${stdout.slice(-100)}`);
  const all = stdout
    .trimEnd()
    .split('\n')
    .map((line) => shaped<unknown>('event', JSON.parse(line)));
  return { events: all.slice(0, -1) as RunEvent[], last: all.at(-1) as LastEvent };
}
