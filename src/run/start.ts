import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { errorCodes, RlmError } from '../errors.ts';
import type { Templates } from '../prompts/template.ts';
import type { ModelInfo, Provider } from '../providers/provider.ts';
import type { Retriever, Retrievers } from '../retrievers/retriever.ts';
import type { Archive } from './archive.ts';
import { createDoor } from './ask.ts';
import { worstCase } from './ask-model.ts';
import { createBudget } from './budget.ts';
import { createDeadlines } from './deadlines.ts';
import type { EventBody } from './events.ts';
import { createGivenPassages } from './given-passages.ts';
import { createLimiter } from './limiter.ts';
import type { Price } from './prices.ts';
import { createRerank } from './rerank.ts';
import type { Run } from './run.ts';
import { createRunText } from './run-text.ts';
import { createUsageMeter } from './usage.ts';
import { textBytesOf, type Window } from './window.ts';

/** What a run is made of. */
export interface RunParts {
  readonly id: string;
  readonly settings: Settings;
  readonly store: ContextStore;
  /** Makes what finds passages. */
  readonly createRetrievers: (tools: RetrieverTools) => Retrievers;
  /** Makes what finds passages in a part of the text, and lets go of it. */
  readonly createPartRetriever: (store: ContextStore) => Retriever & { close(): void };
  /** The search server that is searched, as messages name it; null: none. */
  readonly server: string | null;
  readonly provider: Provider;
  readonly info: ModelInfo;
  /** Null when it is not known. */
  readonly price: Price | null;
  readonly templates: Templates;
  readonly window: Window;
  readonly archives: readonly Archive[];
  /** Time that earlier parts of this run have used, in ms. */
  readonly usedMs: number;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

/** What a retriever tells a run, and learns from it. */
export interface RetrieverTools {
  readonly emit: (event: EventBody) => void;
  readonly warn: (message: string) => void;
  /** Until the run makes no more ordinary calls. */
  readonly timeLeftMs: () => number;
}

/** After a limit or an interruption a run makes no more ordinary calls; a replay that lacks a call is no replay. */
const stops = ({ code }: RlmError): boolean =>
  [6, 130, 143].includes(errorCodes[code].exit) || code === 'call-not-recorded';

function limitsOf({ budget }: Settings) {
  const { maxCalls, maxTokens, maxCost, maxFetches, timeout } = budget;
  return { calls: maxCalls, tokens: maxTokens, usd: maxCost, fetches: maxFetches, wallTimeMs: timeout * 1000 };
}

/** Starts the clock and opens the door. `close` stops the timers; call it when the run is over. */
export function startRun(parts: RunParts): { readonly run: Run; close(): void } {
  const { id, settings, store, server, info, window, usedMs } = parts;
  const usage = createUsageMeter();
  const emit = (event: EventBody) => {
    usage.add(event);
    parts.emit(event);
  };
  const warned = new Set<string>();
  function warn(message: string): void {
    if (!warned.has(message)) emit({ type: 'warning', message });
    warned.add(message);
  }

  const limits = limitsOf(settings);
  const dearest = worstCase(window.tokens, { ...parts, windowTokens: window.tokens });
  const budget = createBudget(limits, { dearest, usedMs });
  const { signals, close } = createDeadlines(parts.signal, budget, limits.wallTimeMs);
  const limiter = createLimiter(settings.budget.concurrency ?? info.callsAtOnce);
  const door = createDoor({ ...parts, windowTokens: window.tokens, budget, limiter, signals, emit });
  const { all, local } = parts.createRetrievers({ emit, warn, timeLeftMs: () => budget.timeLeftMs('ordinary') });
  const rerank = settings.retrieval.rerank ? createRerank(door, warn) : null;
  const given = createGivenPassages();
  const shared = { settings, rerank, budget, given, warn };

  let stop: RlmError | null = null;
  async function noting<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      if (stop === null && error instanceof RlmError && stops(error)) {
        stop = error;
        emit({ type: 'run.stopped', error: error.toInfo() });
      }
      throw error;
    });
  }

  const parted: { close(): void }[] = [];
  function within(part: ContextStore): Run {
    const retriever = parts.createPartRetriever(part);
    parted.push(retriever);
    const seen = { ...window, fits: textBytesOf(part) <= window.passageBytes };
    const about = { ...shared, store: part, all: retriever, local: retriever, server: null, window: seen };
    return { ...run, ...createRunText(about, signals.ordinary, noting) };
  }

  const run: Run = {
    id,
    settings,
    ...createRunText({ ...shared, store, all, local, server, window }, signals.ordinary, noting),
    within,
    budget,
    usage,
    ask: (prompt, variables, place) => noting(door(prompt, variables, place)),
    passages: (ids) => ids.flatMap((id) => given.find(id) ?? []),
    emit,
    warn,
    signal: signals.ordinary,
    stopped: () => stop,
  };
  return {
    run,
    close() {
      close();
      for (const part of parted) part.close();
    },
  };
}
