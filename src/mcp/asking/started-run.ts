/** A run in the background, while it goes on and after its end. */
import type { Result } from '../../result.ts';
import type { RunEvent } from '../../run/events.ts';

/** A run in the background. `note` and the end of the run update it. */
export interface StartedRun {
  readonly ended: Promise<Result>;
  /** Null while the run goes on, and when an error ended it. */
  result: Result | null;
  /** The error that ended the run. Null when there is none. */
  error: unknown;
  /** Calls to a model so far. */
  calls: number;
  /** The current stage or question, for display. */
  doing: string;
}

/** Follows a run to its end. */
export function follow(ended: Promise<Result>): StartedRun {
  const run: StartedRun = { ended, result: null, error: null, calls: 0, doing: 'starting' };
  ended.then(
    (result) => {
      run.result = result;
    },
    (error: unknown) => {
      run.error = error;
    },
  );
  return run;
}

const doingOf = (event: RunEvent): string | null => {
  if (event.type === 'stage.started') return `stage ${event.stage}`;
  if (event.type === 'node.started') return event.question.slice(0, 200);
  return null;
};

/** Updates a run by one of its events. */
export function noteProgress(run: StartedRun, event: RunEvent): void {
  if (event.type === 'call.completed') run.calls += 1;
  run.doing = doingOf(event) ?? run.doing;
}

/**
 * Waits for the end of a run, whether it succeeds or fails, or until `signal` is aborted.
 * @param waitMs the longest time to wait, in milliseconds.
 */
export async function untilRunEnded({ ended }: StartedRun, waitMs: number, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const waited = new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, waitMs);
    const stop = () => {
      clearTimeout(timeout);
      resolve();
    };
    timer.signal.addEventListener('abort', stop, { once: true });
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([ended.catch(() => {}), waited]);
  timer.abort();
}
