/** Runs that clients start. Each is bound by the user's limits; all share one limiter for requests to models. */
import {
  ask,
  type Context,
  createLimiter,
  createSharedLimiters,
  type GivenDocument,
  loadConfiguration,
  type Result,
  type RunEvent,
  resume,
  showRun,
} from '../../index.ts';
import { grant, type Wishes } from '../limits.ts';
import { ToolFailure } from '../tool-failure.ts';

/** The text of a question: documents to read, or a context that is already open. */
export type AskedText = { readonly documents: readonly GivenDocument[] } | { readonly context: Context };

/** A question and its text. */
export interface AskedQuestion {
  readonly question: string;
  readonly text: AskedText;
  readonly wishes: Wishes;
}

/** The state of a run that `start` began. */
interface StartedRun {
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
  result(runId: string, waitMs: number, signal: AbortSignal): Promise<StartedRun>;
  /** Ends all runs. They can be resumed. */
  close(): Promise<void>;
}

/** How questions are asked. */
export interface AskingOptions {
  /** Settings from the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Folders that the file tools of a run may read, besides the text of the question. */
  readonly roots: readonly string[];
  /** The maximum number of concurrent runs. Further runs wait in a queue. */
  readonly mostRuns: number;
}

/** A started run, while it goes on and after its end. */
interface Running {
  readonly ended: Promise<Result>;
  result: Result | null;
  error: unknown;
  calls: number;
  doing: string;
}

const doingOf = (event: RunEvent): string | null => {
  if (event.type === 'stage.started') return `stage ${event.stage}`;
  if (event.type === 'node.started') return event.question.slice(0, 200);
  return null;
};

/** Creates an `Asking` without runs. */
export function createAsking({ flags, roots, mostRuns }: AskingOptions): Asking {
  const limiters = createSharedLimiters();
  const runLimiter = createLimiter(() => mostRuns);
  const inTurn = <T>(task: () => Promise<T>, signal: AbortSignal) => runLimiter(task, 'run', signal);
  const started = new Map<string, Running>();
  const closing = new AbortController();
  const atWork = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => {},
      () => {},
    );
    atWork.add(settled);
    void settled.then(() => atWork.delete(settled));
    return work;
  }

  function run(asked: AskedQuestion, signal: AbortSignal, onEvent: (event: RunEvent) => void): Promise<Result> {
    const { question, text, wishes } = asked;
    const { settings } = loadConfiguration({ flags });
    const granted = grant(settings, wishes);
    const configuration = loadConfiguration({
      flags,
      settings: new Map([...granted.settings, ['tools.roots', roots]]),
    });
    const both = AbortSignal.any([signal, closing.signal]);
    const work = inTurn(
      () => ask(question, { ...text, configuration, signal: both, onEvent, limiters, resumable: true }),
      both,
    );
    const withNotes = work.then((result) => ({ ...result, warnings: [...granted.notes, ...result.warnings] }));
    return track(withNotes);
  }

  function follow(runId: string, ended: Promise<Result>): Running {
    const running: Running = { ended, result: null, error: null, calls: 0, doing: 'starting' };
    started.set(runId, running);
    ended.then(
      (result) => {
        running.result = result;
      },
      (error: unknown) => {
        running.error = error;
      },
    );
    return running;
  }

  function note(running: Running | undefined, event: RunEvent): void {
    if (running === undefined) return;
    if (event.type === 'call.completed') running.calls += 1;
    running.doing = doingOf(event) ?? running.doing;
  }

  /** Returns a run that an earlier server started: its result, or the resumed run. */
  async function takeUp(runId: string): Promise<Running> {
    const kept = await showRun(runId).catch(() => null);
    const taken = started.get(runId); // Another request may have resumed it meanwhile.
    if (taken !== undefined) return taken;
    if (kept === null || kept.runId !== runId || kept.cwd !== process.cwd())
      throw new ToolFailure(
        'run_not_found',
        `Run '${runId.slice(0, 100)}' not found. rlm_runs lists the recorded runs.`,
      );
    if (kept.result !== null && !kept.resumable) return follow(runId, Promise.resolve(kept.result));
    if (kept.status === 'running')
      throw new ToolFailure('run_busy', `Another process is working on run ${runId}; try again later.`);
    const options = { signal: closing.signal, limiters, onEvent: (event: RunEvent) => note(started.get(runId), event) };
    return follow(runId, track(inTurn(() => resume(runId, options), closing.signal)));
  }

  return {
    ask: run,
    start(asked) {
      return new Promise<string>((resolve, reject) => {
        let id: string | null = null;
        const onEvent = (event: RunEvent) => {
          if (id === null) {
            id = event.runId;
            follow(id, ended);
            resolve(id);
          }
          note(started.get(id), event);
        };
        const ended = Promise.resolve().then(() => run(asked, closing.signal, onEvent));
        ended.catch(reject);
      });
    },
    async result(runId, waitMs, signal) {
      const running = started.get(runId) ?? (await takeUp(runId));
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
      await Promise.race([running.ended.catch(() => {}), waited]);
      timer.abort();
      if (running.error !== null) throw running.error;
      const { result, calls, doing } = running;
      return { runId, status: result === null ? 'running' : 'ended', result, calls, doing };
    },
    async close() {
      closing.abort();
      await Promise.all(atWork);
    },
  };
}
