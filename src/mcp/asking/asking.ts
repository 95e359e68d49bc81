/** A run in the background, while it goes on and after its end. */

import { showRun } from '../../api/runs/list-runs.ts';
import type { Result } from '../../result.ts';
import type { RunEvent } from '../../run/events.ts';
import { ToolFailure } from '../arguments.ts';
import { type AskedQuestion, createRunner, type Runner, type RunnerOptions } from './runner.ts';

/** A run in the background. `note` and the end of the run update it. */
interface StartedRun {
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
function follow(ended: Promise<Result>): StartedRun {
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
function noteProgress(run: StartedRun, event: RunEvent): void {
  if (event.type === 'call.completed') run.calls += 1;
  run.doing = doingOf(event) ?? run.doing;
}

/**
 * Waits for the end of a run, whether it succeeds or fails, or until `signal` is aborted.
 * @param waitMs the longest time to wait, in milliseconds.
 */
async function untilRunEnded({ ended }: StartedRun, waitMs: number, signal: AbortSignal): Promise<void> {
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

/** The state of a run that `start` began. */
interface RunState {
  readonly runId: string;
  readonly status: 'running' | 'ended';
  /** Null while the run goes on. */
  readonly result: Result | null;
  /** Calls to a model so far. */
  readonly calls: number;
  /** The current stage or question, for display. */
  readonly doing: string;
}

/** Asks questions for clients. */
export interface Asking {
  /**
   * Runs a question to its end. The run is recorded, so that it can be resumed.
   * @throws ToolFailure when a wish is not allowed; RlmError when the run cannot begin.
   */
  ask(asked: AskedQuestion, signal: AbortSignal, onEvent: (event: RunEvent) => void): Promise<Result>;
  /** Starts a run in the background and resolves to its id once it has begun. Throws like `ask`. */
  start(asked: AskedQuestion): Promise<string>;
  /**
   * Returns the state of a started run. Resumes a run that an earlier server started and did not finish.
   * @param waitMs the longest time to wait for the end of the run, in milliseconds.
   * @throws ToolFailure `run_not_found`, `run_busy`; the error that ended the run.
   */
  result(runId: string, waitMs: number, signal: AbortSignal): Promise<RunState>;
  /** Ends all runs. They can be resumed. */
  close(): Promise<void>;
}

/** Runs in the background, by id. */
type StartedRuns = Map<string, StartedRun>;

function add(runs: StartedRuns, runId: string, ended: Promise<Result>): StartedRun {
  const run = follow(ended);
  runs.set(runId, run);
  return run;
}

/** Starts a run and adds it once it has begun. Resolves to its id. */
function start(runs: StartedRuns, runner: Runner, asked: AskedQuestion): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let run: StartedRun | null = null;
    const onEvent = (event: RunEvent) => {
      if (run === null) {
        run = add(runs, event.runId, ended);
        resolve(event.runId);
      }
      noteProgress(run, event);
    };
    const ended = Promise.resolve().then(() => runner.ask(asked, runner.closing, onEvent));
    ended.catch(reject);
  });
}

/** Adds a run that an earlier server started: with its result, or resumed. */
async function takeUp(runs: StartedRuns, runner: Runner, runId: string): Promise<StartedRun> {
  const kept = await showRun(runId).catch(() => null);
  const taken = runs.get(runId); // Another request may have resumed it meanwhile.
  if (taken !== undefined) return taken;
  if (kept === null || kept.runId !== runId || kept.cwd !== process.cwd())
    throw new ToolFailure('run_not_found', `Run '${runId.slice(0, 100)}' not found. rlm_runs lists the recorded runs.`);
  if (kept.result !== null && !kept.resumable) return add(runs, runId, Promise.resolve(kept.result));
  if (kept.status === 'running')
    throw new ToolFailure('run_busy', `Another process is working on run ${runId}; try again later.`);
  const onEvent = (event: RunEvent) => {
    const run = runs.get(runId);
    if (run !== undefined) noteProgress(run, event);
  };
  return add(runs, runId, runner.resume(runId, onEvent));
}

/** Creates an `Asking` without runs. */
export function createAsking(options: RunnerOptions): Asking {
  const runner = createRunner(options);
  const runs: StartedRuns = new Map();
  return {
    ask: runner.ask,
    start: (asked) => start(runs, runner, asked),
    async result(runId, waitMs, signal) {
      const run = runs.get(runId) ?? (await takeUp(runs, runner, runId));
      await untilRunEnded(run, waitMs, signal);
      if (run.error !== null) throw run.error;
      const { result, calls, doing } = run;
      return { runId, status: result === null ? 'running' : 'ended', result, calls, doing };
    },
    close: runner.close,
  };
}
