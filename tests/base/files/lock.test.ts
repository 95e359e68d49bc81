import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { holderOf, type Lock, takeLock } from '../../../src/base/files/lock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** The script is built once, because ten processes that each load tsx take four seconds. */
let taker = '';
beforeAll(async () => {
  const built = mkdtempSync(join(tmpdir(), 'rlm-lock-'));
  taker = join(built, 'lock-taker.mjs');
  const input = fileURLToPath(new URL('lock-taker.ts', import.meta.url));
  await build({ input, platform: 'node', logLevel: 'silent', output: { file: taker } });
  return () => rmSync(built, { recursive: true });
});

async function startTaker(folder: string): Promise<ChildProcess> {
  const child = fork(taker, [folder], { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

async function tellToTake(child: ChildProcess): Promise<string> {
  const said = once(child, 'message');
  child.send('take');
  return (await said)[0];
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const isTaken = (taken: ReturnType<typeof takeLock>): taken is Lock => 'release' in taken;

function hold(folder: string, holder: object): void {
  writeFileSync(join(folder, 'lock.1'), JSON.stringify(holder));
}

describe('takeLock', () => {
  it('goes to one taker, and names the holder to the other until it is released', () => {
    const folder = tempFolder();
    const lock = takeLock(folder) as Lock;
    expect(takeLock(folder)).toMatchObject({ pid: process.pid, host: hostname() });
    expect(holderOf(folder)).toMatchObject({ pid: process.pid });
    lock.release();
    expect(holderOf(folder)).toBeNull();
    expect(isTaken(takeLock(folder))).toBe(true);
  });

  it('releases only its own lock: a second release frees no other one', () => {
    const folder = tempFolder();
    const first = takeLock(folder) as Lock;
    first.release();
    const second = takeLock(folder) as Lock;
    first.release();
    expect(isTaken(takeLock(folder))).toBe(false);
    second.release();
  });

  it('creates files that only the user can read, and leaves no draft', () => {
    const folder = tempFolder();
    takeLock(folder);
    expect(readdirSync(folder)).toEqual(['lock.1']);
    expect(statSync(join(folder, 'lock.1')).mode & 0o777).toBe(0o600);
  });

  it('leaves one file, however often it is taken', () => {
    const folder = tempFolder();
    for (let times = 0; times < 4; times++) {
      const lock = takeLock(folder);
      expect(isTaken(lock)).toBe(true);
      if ('release' in lock) lock.release();
    }
    expect(readdirSync(folder)).toEqual(['lock.4']);
  });

  it('takes over from a killed process', async () => {
    const folder = tempFolder();
    const child = await startTaker(folder);
    expect(await tellToTake(child)).toBe('taken');
    expect(takeLock(folder)).toMatchObject({ pid: child.pid });
    await kill(child);
    expect(isTaken(takeLock(folder))).toBe(true);
  });

  it('takes over from a killed process that is still a zombie', async () => {
    const folder = tempFolder();
    const child = await startTaker(folder);
    await tellToTake(child);
    const holder = JSON.parse(readFileSync(join(folder, 'lock.1'), 'utf8'));
    // A shell that becomes `sleep` never waits for its child, which stays a zombie.
    const shell = fork('-e', [], {
      execPath: '/bin/sh',
      execArgv: ['-c', 'sleep 0.1 & echo $! >"$0"/pid; exec sleep 60', folder],
    });
    onTestFinished(() => void shell.kill('SIGKILL'));
    const stateOf = (pid: string) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0];
    const zombie = () => {
      try {
        const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
        return pid !== '' && stateOf(pid) === 'Z' ? Number(pid) : null;
      } catch {
        return null;
      }
    };
    await expect.poll(zombie, { timeout: 20_000 }).not.toBeNull();
    hold(folder, { ...holder, pid: zombie(), started: null });
    expect(isTaken(takeLock(folder))).toBe(true);
  });

  it('takes over from a process whose id now belongs to another one', () => {
    const folder = tempFolder();
    hold(folder, { pid: process.pid, host: hostname(), started: '1' });
    expect(isTaken(takeLock(folder))).toBe(true);
  });

  it('does not judge processes of another machine', () => {
    const folder = tempFolder();
    hold(folder, { pid: 999_999_999, host: 'elsewhere', started: '1' });
    expect(takeLock(folder)).toMatchObject({ host: 'elsewhere' });
  });

  it('takes over a lock that a power cut left half written', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'lock.1'), '{"pid":12');
    expect(isTaken(takeLock(folder))).toBe(true);
  });

  it('reports that the folder cannot be written', () => {
    expect(() => takeLock('/proc/self')).toThrow(/the folder \/proc\/self cannot be written \(E[A-Z]+\)/);
  });

  it('goes to exactly one of eight concurrent takers each time that the holder is killed', async () => {
    const folder = tempFolder();
    let takers = await Promise.all(Array.from({ length: 8 }, () => startTaker(folder)));
    while (takers.length > 0) {
      const said = await Promise.all(takers.map(tellToTake));
      expect(said.filter((word) => word === 'taken')).toHaveLength(1);
      await kill(takers[said.indexOf('taken')]!);
      takers = takers.filter((_, index) => said[index] !== 'taken');
    }
  }, 60_000);
});
