/** Clients of `rlm mcp`: the protocol's own client, and one that can write any line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEvery } from '../support/afterwards.ts';
import { cleanEnv, compiledOnce, createFolder, program } from './run-rlm.ts';

/** Options for the start of the server. */
export interface ServerStart {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the server serves all tests of the file, not only this one. */
  readonly isShared?: boolean;
}

const closers: (() => unknown)[] = [];
const lastClosers: (() => unknown)[] = [];
const closeAll = async (all: (() => unknown)[]) => void (await Promise.all(all.splice(0).map((close) => close())));
afterEvery('test', () => closeAll(closers));
afterEvery('file', () => closeAll(lastClosers));

/** The outcome of a tool call. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a result has no type until it is checked.
  readonly data: any;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/** Starts a server and connects the protocol's own client to it. */
export async function connect({ args = [], cwd = createFolder(), env = {}, isShared = false }: ServerStart = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--require', compiledOnce, program, 'mcp', ...args],
    cwd,
    env: cleanEnv(env),
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  (isShared ? lastClosers : closers).push(() => client.close());
  async function call(name: string, given: object = {}, { signal, onProgress }: CallOptions = {}): Promise<Called> {
    const result = await client.callTool(
      { name, arguments: { ...given } },
      {
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onprogress: ({ message }) => onProgress(message ?? '') } : {}),
      },
    );
    const [first] = result.content as { text?: string }[];
    return { isError: result.isError === true, text: first?.text ?? '', data: result.structuredContent };
  }
  return { client, call, cwd, pid: transport.pid!, close: () => client.close() };
}

/** Starts a process that communicates by lines. */
export function startRaw({ args = [], cwd = createFolder(), env = {} }: ServerStart = {}) {
  const child: ChildProcess = spawn(process.execPath, ['--require', compiledOnce, program, 'mcp', ...args], {
    cwd,
    env: cleanEnv(env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  closers.push(() => child.kill('SIGKILL'));
  child.stdin!.on('error', () => {});
  const replies = new Map<number, (reply: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const message = JSON.parse(line) as { id?: number };
    if (typeof message.id === 'number') replies.get(message.id)?.(message as Record<string, unknown>);
  });
  let id = 0;
  return {
    child,
    write: (line: string) => void child.stdin!.write(`${line}\n`),
    /** Resolves to the reply; never resolves without one. */
    request(method: string, params: unknown): Promise<Record<string, unknown>> {
      id += 1;
      const mine = id;
      const reply = new Promise<Record<string, unknown>>((resolve) => replies.set(mine, resolve));
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: mine, method, params })}\n`);
      return reply;
    },
    exited: new Promise<number | null>((resolve) => child.once('close', resolve)),
  };
}
