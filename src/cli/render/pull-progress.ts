import { now } from '../../base/clock.ts';
import { duration } from '../../base/duration.ts';
import type { PullProgress } from '../../index.ts';
import { type Output, oneLine } from '../terminal.ts';
import { modelSize } from './model-list.ts';

/** Shows the progress of a download until it is closed. */
interface PullDisplay {
  readonly onProgress: (progress: PullProgress) => void;
  close(): void;
}

/** The period over which the rate is measured, in ms. */
const rateMs = 5_000;
const drawEveryMs = 100;
const barCells = 24;
const clearLine = '\r\u001b[2K';

/** Measures the rate of one part of a download. Bytes from before its first report do not count. */
function createTransfer() {
  const seen: { at: number; bytes: number }[] = [];
  return {
    add(bytes: number): void {
      seen.push({ at: now(), bytes });
      while (seen.length > 2 && seen[1]!.at < now() - rateMs) seen.shift();
    },
    /** Returns the rate in bytes per second. Null when too little is known. */
    rate(): number | null {
      const [first, last] = [seen[0], seen.at(-1)];
      const ms = first && last ? now() - first.at : 0;
      return ms < 500 ? null : ((last!.bytes - first!.bytes) / ms) * 1000;
    },
  };
}

type Transfer = ReturnType<typeof createTransfer>;

/** Returns a text such as `56.2 MB/s, 1 min 27 s left`. */
function paceOf({ completedBytes, totalBytes }: PullProgress, transfer: Transfer): string {
  const rate = transfer.rate();
  if (rate === null || rate <= 0 || totalBytes === null || completedBytes >= totalBytes) return '';
  const left = duration(((totalBytes - completedBytes) / rate) * 1000);
  return `  ${(rate / 1e6).toFixed(1)} MB/s, ${left} left`;
}

const shareOf = ({ completedBytes, totalBytes }: PullProgress): number =>
  totalBytes ? Math.min(1, completedBytes / totalBytes) : 0;

const isTransfer = ({ digest }: PullProgress): boolean => digest !== null;

const percent = (share: number) => `${Math.floor(share * 100)}%`.padStart(6);

/** Returns a text such as `3.1 GB so far  56.2 MB/s`, for a download of unknown size. */
function soFar({ completedBytes }: PullProgress, transfer: Transfer): string {
  const rate = transfer.rate();
  return `  ${modelSize(completedBytes)} so far${rate ? `  ${(rate / 1e6).toFixed(1)} MB/s` : ''}`;
}

function bar(progress: PullProgress, transfer: Transfer): string {
  if (progress.totalBytes === null) return soFar(progress, transfer);
  const share = shareOf(progress);
  const full = Math.round(share * barCells);
  const sizes = `${modelSize(progress.completedBytes)} of ${modelSize(progress.totalBytes)}`;
  return `${percent(share)} ${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${sizes}${paceOf(progress, transfer)}`;
}

const statusOf = ({ status }: PullProgress) => oneLine(status, 60);

/** Creates a display for terminals. It redraws one line, and each finished part keeps its line. */
function createBar(stderr: Output): PullDisplay & { say(line: string): void } {
  let shown: PullProgress | null = null;
  let transfer = createTransfer();
  let drawnAt = 0;
  function draw(): void {
    if (shown === null) return;
    drawnAt = now();
    const line = `${statusOf(shown)}${isTransfer(shown) ? bar(shown, transfer) : ''}`;
    stderr.write(`${clearLine}${[...line].slice(0, stderr.columns - 1).join('')}`);
  }
  function endLine(): void {
    if (shown === null) return;
    draw();
    stderr.write('\n');
    shown = null;
  }
  return {
    onProgress(progress) {
      const isNew = shown?.status !== progress.status || shown?.digest !== progress.digest;
      if (isNew) {
        endLine();
        transfer = createTransfer();
      }
      shown = progress;
      transfer.add(progress.completedBytes);
      if (isNew || now() - drawnAt >= drawEveryMs) draw();
    },
    say(line) {
      endLine();
      stderr.write(`rlm: ${line}\n`);
    },
    close: endLine,
  };
}

/** The number of bytes for each line, for a download of unknown size. */
const lineBytes = 500_000_000;

/** Returns how many lines are due so far: one for each tenth, or one for each `lineBytes`. */
const linesUpTo = (progress: PullProgress): number =>
  Math.floor(progress.totalBytes === null ? progress.completedBytes / lineBytes : shareOf(progress) * 10);

function transferText(progress: PullProgress, transfer: Transfer): string {
  const { totalBytes } = progress;
  if (totalBytes === null) return soFar(progress, transfer);
  return `${percent(shareOf(progress))} of ${modelSize(totalBytes)}${paceOf(progress, transfer)}`;
}

/** Creates a display for other outputs, with a line for each step and each tenth of a part. */
function createLines(stderr: Output): PullDisplay & { say(line: string): void } {
  let shown: PullProgress | null = null;
  let transfer = createTransfer();
  let reported = 0;
  const say = (line: string) => stderr.write(`rlm: ${line}\n`);
  return {
    onProgress(progress) {
      const isNew = shown?.status !== progress.status || shown?.digest !== progress.digest;
      if (isNew) transfer = createTransfer();
      transfer.add(progress.completedBytes);
      const reached = linesUpTo(progress);
      if (isNew || reached > reported)
        say(`${statusOf(progress)}${isTransfer(progress) ? transferText(progress, transfer) : ''}`);
      reported = reached;
      shown = progress;
    },
    say,
    close: () => {},
  };
}

/**
 * Shows a download on stderr: a bar on a terminal, lines otherwise. Reports a download that stalls.
 * @param stallMs the time without progress after which a download counts as stalled, in ms.
 */
export function createPullDisplay(stderr: Output, stallMs = 30_000): PullDisplay {
  const display = stderr.isTerminal ? createBar(stderr) : createLines(stderr);
  let last: PullProgress = { status: 'waiting for the server', digest: null, completedBytes: 0, totalBytes: null };
  const stalled = () => {
    display.say(
      `no progress for ${duration(stallMs)} (${statusOf(last)}); still waiting. Ctrl-C stops the download; the same command continues it.`,
    );
  };
  let timer = setTimeout(stalled, stallMs);
  return {
    onProgress(progress) {
      if (progress.status === 'success') return;
      display.onProgress(progress);
      const isNews = progress.status !== last.status || progress.completedBytes !== last.completedBytes;
      last = progress;
      if (!isNews) return;
      clearTimeout(timer);
      timer = setTimeout(stalled, stallMs);
    },
    close() {
      clearTimeout(timer);
      display.close();
    },
  };
}
