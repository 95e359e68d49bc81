/** Runs that clients start. Each is bound by the user's limits; all share one limiter for requests to models. */
import { ask } from '../../api/ask.ts';
import type { Context } from '../../api/open-context.ts';
import { resume } from '../../api/resume.ts';
import { loadConfiguration } from '../../config/layers.ts';
import type { GivenDocument } from '../../inputs/gather-inputs.ts';
import type { Result } from '../../result.ts';
import { createLimiter, createSharedLimiters } from '../../run/door/limiter.ts';
import type { RunEvent } from '../../run/events.ts';
import { grant, type Wishes } from '../limits.ts';
import { type Locate, located, locateSame } from '../text/contexts.ts';

/** The text of a question: documents to read, a context that is already open, or the name of an index. */
export type RunnerText = (
  | { readonly documents: readonly GivenDocument[] }
  | { readonly context: Context }
  | { readonly index: string }
) & {
  /** Where its lines stand in the original documents. Left out for the originals themselves. */
  readonly locate?: Locate;
};

/** A question and its text. */
export interface AskedQuestion {
  readonly question: string;
  readonly text: RunnerText;
  readonly wishes: Wishes;
}

/** How questions are run. */
export interface RunnerOptions {
  /** Settings from the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Folders that the file tools of a run may read, besides the text of the question. */
  readonly roots: readonly string[];
  /** The maximum number of concurrent runs. Further runs wait in a queue. */
  readonly mostRuns: number;
}

/** Runs questions, a limited number at once. `close` ends all of them. */
export interface Runner {
  /** Aborted by `close`. */
  readonly closing: AbortSignal;
  /**
   * Runs a question to its end. The run is recorded, so that it can be resumed.
   * @throws ToolFailure when a wish is not allowed; RlmError when the run cannot begin.
   */
  ask(asked: AskedQuestion, signal: AbortSignal, onEvent: (event: RunEvent) => void): Promise<Result>;
  /** Resumes a recorded run. Rejects with RlmError when it cannot be resumed. */
  resume(runId: string, onEvent: (event: RunEvent) => void): Promise<Result>;
  /** Ends all runs. They can be resumed. */
  close(): Promise<void>;
}

/** Creates a `Runner` without runs. */
export function createRunner({ flags, roots, mostRuns }: RunnerOptions): Runner {
  const limiters = createSharedLimiters();
  const limiter = createLimiter(() => mostRuns);
  const closing = new AbortController();
  const atWork = new Set<Promise<unknown>>();

  /** Runs a task when its turn comes. `close` waits for its end. */
  function track(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const work = limiter(task, 'run', signal);
    const settled = work.then(
      () => {},
      () => {},
    );
    atWork.add(settled);
    void settled.then(() => atWork.delete(settled));
    return work;
  }

  return {
    closing: closing.signal,
    async ask({ question, text: { locate = locateSame, ...text }, wishes }, signal, onEvent) {
      const { settings } = loadConfiguration({ flags });
      const granted = grant(settings, wishes);
      const configuration = loadConfiguration({
        flags,
        settings: new Map([...granted.settings, ['tools.roots', roots]]),
      });
      const both = AbortSignal.any([signal, closing.signal]);
      const options = { ...text, configuration, signal: both, onEvent, limiters, resumable: true };
      const result = await track(() => ask(question, options), both);
      const citations = result.citations.map((citation) => located(citation, locate));
      return { ...result, citations, warnings: [...granted.notes, ...result.warnings] };
    },
    resume(runId, onEvent) {
      const { signal } = closing;
      return track(() => resume(runId, { signal, limiters, onEvent }), signal);
    },
    async close() {
      closing.abort();
      await Promise.all(atWork);
    },
  };
}
