/**
 * Measures very large texts: one that is piped in, and a folder with very many files. Linux reports the peak memory.
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/rlm.js', import.meta.url));
const question = 'Why did the ledger writer stop?';
const cause = 'FATAL ledger writer stopped because the disk quota of volume archive-7 was exceeded';

/** The working folder of a measured program. */
interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Log lines, all different, about 1 MB at a time. */
export function* logBlocks(bytes: number): Generator<Buffer> {
  let index = 0;
  for (let size = 0; size < bytes; ) {
    const lines: string[] = [];
    for (let length = 0; length < 1_000_000; index++) {
      const line = `2026-03-17T12:${String(index % 60).padStart(2, '0')}:00Z INFO worker-${index % 97} handled request ${index} for tenant t${(index * 7919) % 1013} in ${(index * 31) % 400} ms\n`;
      lines.push(line);
      length += line.length;
    }
    if (size <= bytes / 3 && size + 1_000_000 > bytes / 3) lines.push(`2026-03-17T12:20:00Z ${cause}\n`);
    const block = Buffer.from(lines.join(''));
    size += block.length;
    yield block;
  }
}

function ask(args: readonly string[], { folder, env }: Place): ChildProcess {
  const flags = ['--provider', 'extractive', '--no-journal', '--format', 'ndjson', '--quiet'];
  return spawn(process.execPath, [program, 'ask', question, ...args, ...flags], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** The peak memory of a process so far, in MB; 0 if the system does not report it. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The times of the steps of a run, by the clock of this process, in ms. */
interface Followed {
  readonly firstPassagesAt: number;
  readonly endedAt: number;
  readonly peakMb: number;
  readonly answer: string;
}

async function follow(child: ChildProcess): Promise<Followed> {
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid!));
  }, 20);
  let firstPassagesAt = Number.NaN;
  let answer = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    const event = JSON.parse(line);
    if (event.type === 'stage.completed' && event.stage === 'retriever') firstPassagesAt = performance.now();
    if (event.type === 'run.completed') ({ answer } = event.result);
  }
  clearInterval(watch);
  const endedAt = performance.now();
  if (!answer.includes('disk quota')) throw new Error(`the answer is wrong: ${answer}`);
  return { firstPassagesAt, endedAt, peakMb, answer };
}

/** Measures a pipe into `rlm ask`. */
export async function measurePipe(bytes: number, place: Place) {
  const startedAt = performance.now();
  const child = ask([], place);
  const followed = follow(child);
  for (const block of logBlocks(bytes)) {
    if (!child.stdin!.write(block)) await once(child.stdin!, 'drain');
  }
  child.stdin!.end();
  await once(child.stdin!, 'finish');
  const lastByteAt = performance.now();
  const { firstPassagesAt, endedAt, peakMb } = await followed;
  return { afterLastByteMs: firstPassagesAt - lastByteAt, wholeMs: endedAt - startedAt, peakMb };
}

/** Returns the time of 20 retrievals from this many bytes with a finished index, in ms. */
export async function measureRetrievals(bytes: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('./bench-text-process.ts', import.meta.url)), [String(bytes)]);
  const [took] = (await once(child, 'message')) as [number];
  return took;
}

/** A folder of small files, and the times in which plain programs list and read them. */
export async function measureFolder(files: number, place: Place) {
  const root = join(place.folder, 'many');
  writeFolder(root, files);
  const hasRipgrep = isThere('rg');
  const list = hasRipgrep ? 'rg --files many' : 'find many -type f';
  const plain = () => {
    const startedAt = performance.now();
    execFileSync('sh', ['-c', `${list} | xargs cat > /dev/null`], { cwd: place.folder });
    return performance.now() - startedAt;
  };
  plain();
  const before = plain();
  const startedAt = performance.now();
  const child = ask(['many', '--no-stdin'], place);
  const { endedAt, peakMb } = await follow(child);
  const after = plain();
  return { wholeMs: endedAt - startedAt, peakMb, plainMs: (before + after) / 2, plainProgram: list };
}

function isThere(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes files of about 700 bytes, a hundred per folder. */
function writeFolder(root: string, files: number): void {
  const blocks = logBlocks(files * 1_000);
  let lines: string[] = [];
  for (let file = 0; file < files; file++) {
    const folder = join(root, `d${Math.floor(file / 100)}`);
    if (file % 100 === 0) mkdirSync(folder, { recursive: true });
    if (lines.length < 8) lines = [...lines, ...(blocks.next().value ?? Buffer.alloc(0)).toString().split('\n')];
    const text = file === Math.floor(files / 2) ? `2026-03-17T12:20:00Z ${cause}` : lines.splice(-8).join('\n');
    writeFileSync(join(folder, `f${file % 100}.log`), `${text}\n`);
  }
}
