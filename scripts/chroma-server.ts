/** Runs a real Chroma server from the npm registry in a temporary folder, on a port of the loopback address. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const chromaVersion = '3.5.0';
/** The newest build of the server that runs on glibc 2.36. */
const overrides = { 'chromadb-js-bindings-linux-x64-gnu': '1.0.5' };
const installMs = 300_000;
const startMs = 60_000;

export interface RealChroma {
  readonly url: string;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

async function install(folder: string): Promise<void> {
  const dependencies = { chromadb: chromaVersion };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: installMs }).catch((error: Error) => {
    throw new Error(`npm cannot install chromadb ${chromaVersion}, so nothing was tested: ${error.message}`);
  });
}

/** Returns a free port of the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilReady(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (const until = Date.now() + startMs; Date.now() < until; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`the Chroma server ended at once: ${said().slice(-500)}`);
    const answers = await fetch(`${url}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return;
  }
  throw new Error(`the Chroma server did not answer within ${startMs / 1000} s: ${said().slice(-500)}`);
}

/** Ends a process with a signal, and after 5 s with SIGKILL. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}

/** Installs and starts the server. Removes its files if that fails. */
export async function startRealChroma(): Promise<RealChroma> {
  const folder = mkdtempSync(join(tmpdir(), 'rlm-chroma-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    await install(folder);
    const port = await freePort();
    const cli = join(folder, 'node_modules', '.bin', 'chroma');
    const args = ['run', '--path', join(folder, 'data'), '--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill('SIGKILL'));
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url, child, () => said.join(''));
    const stop = async () => {
      await endProcess(child);
      remove();
    };
    return { url, stop };
  } catch (error) {
    remove();
    throw error;
  }
}
