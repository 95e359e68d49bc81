import { now } from '../../../base/clock.ts';
import { counted } from '../../../base/counted.ts';
import { duration } from '../../../base/duration.ts';
import type { Progress } from '../../../eval/index.ts';
import type { Output } from '../../terminal.ts';

const everyMs = 5_000;

/** Returns a line such as `12 of 40 · plain 58 % · auto 67 %, 1 failed · 31 calls · 3 min left`. */
function describe({ done, total, arms, spent, leftMs }: Progress): string {
  const shares = arms
    .filter(({ n }) => n > 0)
    .map(
      ({ name, n, sum, failed }) => `${name} ${Math.round((sum / n) * 100)} %${failed > 0 ? `, ${failed} failed` : ''}`,
    );
  const cost = spent.usd > 0 ? [`$${Number(spent.usd.toPrecision(3))}`] : [];
  const left = leftMs === null || done === total ? [] : [`${duration(leftMs)} left`];
  return [`${done} of ${total}`, ...shares, counted(spent.calls, 'call'), ...cost, ...left].join(' · ');
}

/** Shows the progress of an evaluation: a terminal gets one live line, any other output a line every 5 s. */
export function createEvalProgress(stderr: Output): { onProgress(progress: Progress): void; close(): void } {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    onProgress(progress) {
      const isLast = progress.done === progress.total;
      if (stderr.isTerminal) {
        stderr.write(`\r\u001b[2K${describe(progress).slice(0, stderr.columns - 1)}`);
        isOpen = true;
      } else if (isLast || now() - shownAt >= everyMs) {
        stderr.write(`rlm: ${describe(progress)}\n`);
        shownAt = now();
      }
    },
    close() {
      if (isOpen) stderr.write('\r\u001b[2K');
      isOpen = false;
    },
  };
}
