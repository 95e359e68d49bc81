import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPullDisplay } from '../../src/cli/render/models.ts';
import type { Output } from '../../src/cli/terminal.ts';
import type { PullProgress } from '../../src/providers/provider.ts';
import { screenOf } from '../support/screen.ts';

const step = (status: string): PullProgress => ({ status, digest: null, completedBytes: 0, totalBytes: null });
const part = (completedBytes: number, totalBytes = 9_000_000_000): PullProgress => ({
  status: 'pulling 6a0746a1ec1a',
  digest: 'sha256:6a0746a1ec1a',
  completedBytes,
  totalBytes,
});

function createDisplay(isTerminal: boolean, columns = 120) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const output = { isTerminal, columns, write } as unknown as Output;
  return { ...createPullDisplay(output), raw: () => written, written: () => written.replace(/\u001b\[\?7[hl]/g, '') };
}

/** Progress of 100 MB per second, starting where an earlier download stopped. */
function download({ onProgress }: ReturnType<typeof createDisplay>, from: number, seconds: number): void {
  for (let second = 0; second <= seconds; second++) {
    if (second > 0) vi.advanceTimersByTime(1000);
    onProgress(part(from + second * 100_000_000));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(process, 'uptime').mockImplementation(() => Date.now() / 1000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a download on a terminal', () => {
  it('is a line with share, rate and remaining time that is drawn over itself', () => {
    const display = createDisplay(true);
    display.onProgress(step('pulling manifest'));
    download(display, 4_000_000_000, 10);
    display.close();
    const [first, second, rest] = display.written().split('\n');
    expect(first).toMatch(/pulling manifest$/);
    expect(second!.split('\r\u001b[2K').at(-1)).toBe('pulling 6a0746a1ec1a   55% of 9.0 GB  100.0 MB/s, 40.0 s left');
    expect(rest).toBe('');
  });

  it('stays one line when its characters are wide', async () => {
    const display = createDisplay(true, 40);
    for (const nth of [1, 2, 3]) display.onProgress(step(`支払いプール支払いプール支払いプール支払いプール ${nth}`));
    display.close();
    vi.useRealTimers();
    expect(await screenOf(display.raw(), 40, 10)).toHaveLength(3);
  });

  it('shows the received size if the total is unknown', () => {
    const display = createDisplay(true);
    display.onProgress({ ...part(0), totalBytes: null });
    vi.advanceTimersByTime(1000);
    display.onProgress({ ...part(312_000_000), totalBytes: null });
    display.close();
    expect(display.written().split('\r\u001b[2K').at(-1)).toBe('pulling 6a0746a1ec1a  312 MB so far  312.0 MB/s\n');
  });

  it('is never wider than the terminal', () => {
    const display = createDisplay(true, 40);
    download(display, 0, 3);
    for (const line of display.written().split('\r\u001b[2K')) expect(line.length).toBeLessThan(40);
    display.close();
  });

  it('shows no control codes from the server', () => {
    const display = createDisplay(true);
    display.onProgress(step('pulling \u001b]0;owned\u0007x\nmanifest'));
    display.close();
    expect(display.written().split('\r\u001b[2K').at(-1)).toBe('pulling x manifest\n');
  });
});

describe('a download elsewhere', () => {
  it('is a line for each step and each tenth', () => {
    const display = createDisplay(false);
    display.onProgress(step('pulling manifest'));
    for (let done = 0; done <= 1000; done += 5) display.onProgress(part(done, 1000));
    for (const status of ['verifying sha256 digest', 'success']) display.onProgress(step(status));
    const lines = display.written().split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'rlm: pulling manifest',
      'rlm: pulling 6a0746a1ec1a    0% of 1,000 bytes',
      'rlm: pulling 6a0746a1ec1a   10% of 1,000 bytes',
    ]);
    expect(lines).toHaveLength(1 + 11 + 1 + 1);
    expect(display.written()).not.toMatch(/\u001b|\r|success/);
    display.close();
  });

  it('is a line for each 500 MB if the total is unknown', () => {
    const display = createDisplay(false);
    for (const bytes of [0, 300e6, 600e6, 900e6, 1100e6]) display.onProgress({ ...part(bytes), totalBytes: null });
    display.close();
    expect(display.written().match(/(?<= {2}).* so far/g)).toEqual([
      '0 bytes so far',
      '600 MB so far',
      '1.1 GB so far',
    ]);
  });

  it('says once that nothing new arrives, although the server repeats itself, and again after the next stall', () => {
    const display = createDisplay(false);
    const said = () => display.written().match(/no progress for 30\.0 s \(pulling 6a0746a1ec1a\)/g)?.length ?? 0;
    display.onProgress(part(100));
    for (let second = 0; second < 90; second++) {
      display.onProgress(part(100));
      vi.advanceTimersByTime(1000);
    }
    expect(said()).toBe(1);
    display.onProgress(part(200));
    vi.advanceTimersByTime(29_000);
    expect(said()).toBe(1);
    vi.advanceTimersByTime(2000);
    expect(said()).toBe(2);
    display.close();
  });

  it('reports that the server does not begin', () => {
    const display = createDisplay(false);
    vi.advanceTimersByTime(31_000);
    expect(display.written()).toContain('no progress for 30.0 s (waiting for the server)');
    display.close();
  });
});
