/** Runs that clients start: each under the user's limits, all under one limiter of the servers they ask. */
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

/** What a question is asked about: text that is read for it, or a context that was read before. */
export type AskedText = { readonly documents: readonly GivenDocument[] } | { readonly context: Context };

/** A question, and what it is asked about. */
export interface Asked {
  readonly question: string;
  readonly text: AskedText;
  readonly wishes: Wishes;
}

/** How a run stands that was started. */
interface Started {
  readonly runId: string;
  readonly status: 'running' | 'ended';
  /** Null while it runs. */
  readonly result: Result | null;
  /** Calls to a model so far. */
  readonly calls: number;
  /** What it does now, in a few words. */
  readonly doing: string;
}

/** Asks questions for clients. */
export interface Asking {
  /**
   * Asks, and resolves when the run is over. It is recorded, so that it can be gone on with.
   * @throws ToolFailure; RlmError when the run cannot begin.
   */
  ask(asked: Asked, signal: AbortSignal, onEvent: (event: RunEvent) => void): Promise<Result>;
  /** Starts a run that goes on by itself; resolves to its id when it has begun. Throws as `ask` does. */
  start(asked: Asked): Promise<string>;
  /**
   * How a started run stands. One that a server before this one has started is gone on with.
   * @param waitMs the longest that it waits for the end.
   * @throws ToolFailure `run_not_found`.
   */
  result(runId: string, waitMs: number, signal: AbortSignal): Promise<Started>;
  /** Ends all runs; those that were started can be gone on with. */
  close(): Promise<void>;
}

/** How questions are asked. */
export interface AskingOptions {
  /** Settings as given on the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** What explorations may read, besides the text that is asked about. */
  readonly roots: readonly string[];
  /** Runs at the same time; further ones wait their turn. */
  readonly mostRuns: number;
}

/** A run that was started, while it lasts and after. */
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

/** Nothing is asked yet. */
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

  function run(asked: Asked, signal: AbortSignal, onEvent: (event: RunEvent) => void): Promise<Result> {
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
    const running: Running = { ended, result: null, error: null, calls: 0, doing: 'begins' };
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

  /** The run that a server before this one has started: its result, or the run taken up again. */
  async function takeUp(runId: string): Promise<Running> {
    const kept = await showRun(runId).catch(() => null);
    const taken = started.get(runId); // By another request, meanwhile.
    if (taken !== undefined) return taken;
    if (kept === null || kept.runId !== runId || kept.cwd !== process.cwd())
      throw new ToolFailure(
        'run_not_found',
        `Run '${runId.slice(0, 100)}' not found. rlm_runs lists those that are there.`,
      );
    if (kept.result !== null && !kept.resumable) return follow(runId, Promise.resolve(kept.result));
    if (kept.status === 'running')
      throw new ToolFailure('run_busy', `Run ${runId} is being worked on; ask again later.`);
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
