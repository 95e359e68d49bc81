import type { Output } from '../../terminal.ts';
import type { Progress } from '../progress.ts';
import { createDraft, withdrawnLine } from './draft.ts';
import { createRegion, drawEveryMs } from './region.ts';

/**
 * Adds the answer while it is generated to a progress display whose lines do not go to the terminal. At most one
 * screen of it is shown, so that it can be erased before the checked answer is printed.
 */
export function withLiveAnswer(progress: Progress, stdout: Output, style: Output['style']): Progress {
  const draft = createDraft();
  let region: ReturnType<typeof createRegion> | null = null;
  let isDrawn = true;
  function draw(): void {
    const lines = isDrawn ? [] : draft.lines(stdout.columns, stdout.style);
    isDrawn = true;
    if (lines.length === 0) return;
    region ??= createRegion(stdout);
    region.draw(lines.slice(1 - stdout.rows));
  }
  const timer = setInterval(draw, drawEveryMs);
  return {
    ...progress,
    onEvent(event) {
      progress.onEvent(event);
      draft.onEvent(event);
      isDrawn = false;
    },
    close(result) {
      clearInterval(timer);
      region?.close();
      progress.close(result);
      for (const one of result === null ? [] : draft.left(result)) progress.say(withdrawnLine(one, style));
    },
  };
}
