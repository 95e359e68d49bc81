/**
 * Compares `rlm index watch` with `rlm index update` over many small files: seconds until changes are in the index, and
 * seconds of CPU. Runs only on Linux, because it reads /proc. Usage: npm run bench:watch [-- FILES]
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const files = Number(process.argv[2] ?? 100_000);
const perFolder = 100;
const many = 10_000;
const rounds = 5;
const restMs = 3_000;
const ticksPerSecond = 100;

const root = mkdtempSync(join(tmpdir(), 'rlm-bench-watch-'));
const folder = join(root, 'files');
const env = { ...process.env, RLM_HOME: join(root, 'home') };
const program = fileURLToPath(new URL('../bin/rlm.js', import.meta.url));

function write(name: string, count: number): void {
  mkdirSync(join(folder, name), { recursive: true });
  for (let file = 0; file < count; file++)
    writeFileSync(join(folder, name, `${file}.md`), `# Note ${file} of ${name}\nPump ${file} was serviced.\n`);
}

/** Returns the CPU seconds of a process; with `field` 15, those of its children that have ended. */
function cpuOf(pid: number | 'self', field: 13 | 15): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[field - 2]) + Number(fields[field - 1])) / ticksPerSecond;
}

async function measure(what: string, cpu: () => number, work: () => Promise<void> | void): Promise<void> {
  const [start, before] = [performance.now(), cpu()];
  await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  console.log(`${what}: ${seconds} s, ${(cpu() - before).toFixed(2)} s of CPU`);
}

function run(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [program, 'index', ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

async function bench(): Promise<void> {
  for (let at = 0; at < files / perFolder; at++) write(`${at % 20}/${at}`, perFolder);
  const ofChildren = () => cpuOf('self', 15);
  await measure(`add ${files} files`, ofChildren, () => run('add', folder, '--name', 'bench'));
  await sleep(restMs);
  run('update', 'bench');
  await measure('one update without a change', ofChildren, () => run('update', 'bench'));

  const watcher = spawn(process.execPath, [program, 'index', 'watch', 'bench', '--json'], { env });
  const ofWatcher = () => cpuOf(watcher.pid!, 13);
  const lines = createInterface({ input: watcher.stdout })[Symbol.asyncIterator]();
  async function until(what: 'added' | 'changed' | 'removed' | 'kept', count: number): Promise<void> {
    for (let seen = 0; seen < count; ) seen += JSON.parse((await lines.next()).value!).files[what];
  }
  await measure('the watcher is ready', ofWatcher, () => until('kept', files));
  for (let round = 0; round < rounds; round++) {
    await sleep(restMs);
    appendFileSync(join(folder, String(round), String(round), '0.md'), 'A line more.\n');
    await measure('one changed file', ofWatcher, () => until('changed', 1));
  }
  await measure(`${restMs / 1000} s without a change`, ofWatcher, () => sleep(restMs).then(() => {}));
  write('many', many);
  await measure(`${many} new files`, ofWatcher, () => until('added', many));
  await sleep(restMs);
  renameSync(join(folder, 'many'), join(folder, 'moved'));
  await measure(`${many} moved files`, ofWatcher, () => until('added', many));
  await sleep(restMs);
  rmSync(join(folder, 'moved'), { recursive: true });
  await measure(`${many} removed files`, ofWatcher, () => until('removed', many));
  console.log(/VmHWM.*/.exec(readFileSync(`/proc/${watcher.pid}/status`, 'utf8'))?.[0]);
  watcher.kill('SIGINT');
}

await bench().finally(() => rmSync(root, { recursive: true }));
