import { now } from '../../../base/clock.ts';
import { grouped } from '../../../base/counted.ts';
import type { RunEvent } from '../../../index.ts';
import type { Output } from '../../terminal.ts';
import { timeLeft } from './spent.ts';

const barCells = 24;
/** The minimum number of steps for an estimate of the rate. */
const fewestSteps = 2;

interface Work {
  readonly what: string;
  readonly unit: string;
  readonly total: number;
  readonly startedAt: number;
  done: number;
}

/** Follows work of a known size: a scan of the text, or the computation of vectors. */
export function createReading() {
  let work: Work | null = null;
  function begin(what: string, unit: string, total: number): Work {
    work = { what, unit, total, startedAt: now(), done: 0 };
    return work;
  }
  function onIndex({ done, chunks }: Extract<RunEvent, { type: 'index.progress' }>): void {
    const vectors = work?.unit === 'passages' ? work : begin('computing vectors', 'passages', chunks);
    vectors.done = done;
    if (done >= chunks) work = null;
  }
  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'scan.started') begin('reading all of the text', 'pieces', event.chosen);
      if (event.type === 'index.progress') onIndex(event);
      const isPiece = event.type === 'call.completed' || event.type === 'call.reused';
      if (isPiece && event.prompt === 'scan' && work?.unit === 'pieces') work.done += 1;
      if (isPiece && event.prompt === 'compose') work = null;
      if (event.type === 'node.completed' && event.path === '0') work = null;
    },
    /** Returns a progress bar. Null when there is no such work. */
    line(style: Output['style']): string | null {
      if (work === null) return null;
      const { what, unit, total, done } = work;
      const share = Math.min(1, done / Math.max(1, total));
      const full = Math.round(share * barCells);
      const bar = `${style('cyan', '━'.repeat(full))}${style('dim', '─'.repeat(barCells - full))}`;
      return `${what} ${bar} ${grouped(Math.min(done, total))}/${grouped(total)} ${unit}`;
    },
    /** Returns the estimated time left. Empty when it is unknown. */
    left(): string {
      if (work === null || work.done < fewestSteps || work.done >= work.total) return '';
      return timeLeft(((now() - work.startedAt) / work.done) * (work.total - work.done));
    },
  };
}
