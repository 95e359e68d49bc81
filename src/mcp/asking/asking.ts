import { askBy, newRunId } from '../../api/ask.ts';
import type { Context } from '../../api/open-context.ts';
import { resume } from '../../api/resume.ts';
import { type DetailedRun, showRun } from '../../api/runs/recorded-runs.ts';
import { untilAborted } from '../../base/abort.ts';
import { beginning } from '../../base/text.ts';
import { loadConfiguration } from '../../config/layers.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import type { Result } from '../../result.ts';
import { createLimiter, createSharedLimiters } from '../../run/door/limiter.ts';
import type { RunEvent } from '../../run/events.ts';
import { ToolFailure, type Wishes } from '../arguments.ts';
import { grant, lowerLimits } from '../limits.ts';
import { type Locate, located, locateSame } from '../text/contexts.ts';

/** The text of a question: documents, an open context, or the name of an index. */
export type AskedText = (
  | { readonly documents: readonly GivenDocument[] }
  | { readonly context: Context }
  | { readonly index: string }
) & {
  /** Maps a line of the text to the line of the original. Absent if the text is the original. */
  readonly locate?: Locate;
};

export interface AskedQuestion {
  readonly question: string;
  readonly text: AskedText;
  readonly wishes: Wishes;
}

interface AskingOptions {
  /** Settings from the command line, by dotted key such as `budget.maxCalls`. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Folders that the file tools of a run may read. */
  readonly roots: readonly string[];
}

const mostRuns = 4;
/** Time after which `start` calls `tell` even if the run has not begun, in ms. */
const patienceMs = 5_000;

function createRunner({ flags, roots }: AskingOptions) {
  const limiters = createSharedLimiters();
  const limiter = createLimiter(() => mostRuns);
  const closing = new AbortController();
  const atWork = new Set<Promise<unknown>>();

  /** Runs a task as soon as fewer than `mostRuns` tasks run. `close` waits for its end. */
  function track(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const work = limiter(task, 'run', signal);
    const settled = Promise.allSettled([work]);
    atWork.add(settled);
    void settled.then(() => atWork.delete(settled));
    return work;
  }

  return {
    closing: closing.signal,
    async ask(
      { question, text: { locate = locateSame, ...text }, wishes }: AskedQuestion,
      signal: AbortSignal,
      onEvent: (event: RunEvent) => void,
      id = newRunId(),
    ): Promise<Result> {
      const granted = grant(loadConfiguration({ flags }).settings, wishes);
      const settings = new Map([...granted.settings, ['tools.roots', roots]]);
      const combined = AbortSignal.any([signal, closing.signal]);
      const configuration = loadConfiguration({ flags, settings, unchosen: granted.unchosen });
      const options = { ...text, configuration, signal: combined, onEvent, limiters, resumable: true };
      const result = await track(() => askBy(question, options, null, id), combined);
      const citations = result.citations.map((citation) => located(citation, locate));
      return { ...result, citations, warnings: [...granted.notes, ...result.warnings] };
    },
    /** Resumes a run within its limits and the user's. Rejects with RlmError when it cannot be resumed. */
    resume({ runId, flags: recorded }: DetailedRun, onEvent: (event: RunEvent) => void): Promise<Result> {
      const { signal } = closing;
      const settingsOf = (given: AskingOptions['flags']) => loadConfiguration({ flags: given }).settings;
      const lowered = lowerLimits(settingsOf(flags), settingsOf(new Map(Object.entries(recorded))));
      return track(() => resume(runId, { signal, limiters, onEvent, flags: lowered }), signal);
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(atWork);
    },
  };
}

interface StartedRun {
  readonly ended: Promise<Result>;
  /** Null while the run goes on, and after an error. */
  result: Result | null;
  /** The error that ended the run; null if the run has not failed. */
  error: unknown;
  /** Calls to a model so far. */
  calls: number;
  doing: string;
}

function createStartedRuns() {
  const runs = new Map<string, StartedRun>();
  return {
    get: (runId: string) => runs.get(runId),
    add(runId: string, ended: Promise<Result>): StartedRun {
      const run: StartedRun = {
        ended,
        result: null,
        error: null,
        calls: 0,
        doing: 'waiting for other runs, or reading the text',
      };
      const keep = (end: Partial<StartedRun>) => void Object.assign(run, end);
      ended.then((result) => keep({ result })).catch((error: unknown) => keep({ error }));
      runs.set(runId, run);
      return run;
    },
    note(event: RunEvent): void {
      const run = runs.get(event.runId);
      if (run === undefined) return;
      if (event.type === 'call.completed') run.calls += 1;
      if (event.type === 'stage.started') run.doing = `stage ${event.stage}`;
      if (event.type === 'node.started') run.doing = beginning(event.question, 200);
    },
  };
}

/** Creates the part of a server that asks clients' questions. Runs are recorded, so that they can be resumed. */
export function createAsking(options: AskingOptions) {
  const runner = createRunner(options);
  const runs = createStartedRuns();

  /** Takes over a run of an earlier server. Resumes the run if it has no final result. */
  async function takeUp(runId: string): Promise<StartedRun> {
    const kept = await showRun(runId).catch(() => null);
    const taken = runs.get(runId); // Another request may have resumed the run in the meantime.
    if (taken !== undefined) return taken;
    if (kept === null || kept.runId !== runId || kept.cwd !== process.cwd()) {
      const message = `Run '${runId.slice(0, 100)}' not found. rlm_runs lists the recorded runs.`;
      throw new ToolFailure('run_not_found', message);
    }
    if (kept.result !== null && !kept.resumable) return runs.add(runId, Promise.resolve(kept.result));
    if (kept.status === 'running')
      throw new ToolFailure('run_busy', `Another process is working on run ${runId}; try again later.`);
    return runs.add(runId, runner.resume(kept, runs.note));
  }

  return {
    /** Asks a question. Throws ToolFailure when a wish is not allowed; RlmError when the run cannot begin. */
    ask: runner.ask,
    /**
     * Starts a run in the background. Calls `tell` with the id of the run when the run begins, or after 5 s if the run
     * still waits for other runs or reads much text. Resolves when the run has begun.
     * @throws as `ask` does.
     */
    async start(asked: AskedQuestion, tell: (runId: string) => void): Promise<void> {
      const id = newRunId();
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const onEvent = (event: RunEvent) => {
        begin();
        runs.note(event);
      };
      const { ended } = runs.add(id, runner.ask(asked, runner.closing, onEvent, id));
      const timer = setTimeout(() => tell(id), patienceMs);
      try {
        await Promise.race([begun, ended]);
        tell(id);
      } finally {
        clearTimeout(timer);
      }
    },
    /**
     * Returns the state of a run. Resumes a run that an earlier server did not finish.
     * @param waitMs the longest time to wait for the end of the run.
     * @throws ToolFailure `run_not_found`, `run_busy`; the error that ended the run.
     */
    async result(runId: string, waitMs: number, signal: AbortSignal): Promise<Omit<StartedRun, 'ended' | 'error'>> {
      const run = runs.get(runId) ?? (await takeUp(runId));
      await untilAborted(run.ended, AbortSignal.any([signal, AbortSignal.timeout(waitMs)])).catch(() => {});
      if (run.error !== null) throw run.error;
      return run;
    },
    /** Ends all runs. They can be resumed. */
    close: runner.close,
  };
}
