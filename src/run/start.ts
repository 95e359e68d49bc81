import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import type { Retriever, Retrievers } from '../retrievers/retriever.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import { dearestCall } from './door/asked.ts';
import { createBudget, createDeadlines, createStop, type Limits } from './door/budget.ts';
import { createDoor } from './door/door.ts';
import type { DoorParts } from './door/layer.ts';
import { withCosts } from './door/ledger.ts';
import { createRunModels, createWidening, type ServingParts, serve } from './door/serve.ts';
import { smallestSeen, textBytesOf, type Window } from './door/window.ts';
import type { EventBody } from './events.ts';
import type { Run } from './run.ts';
import { createRunEvents } from './run-events.ts';
import { createGivenPassages, createSearchLog } from './text/given-passages.ts';
import { createRunText } from './text/run-text.ts';

interface RunTexts {
  readonly store: ContextStore;
  readonly createRetrievers: (tools: RetrieverTools) => Retrievers;
  /** Opens the access to the run's files; null without files. */
  readonly openFiles: () => Promise<FileAccess | null>;
  readonly createPartRetriever: (store: ContextStore) => Retriever & { close(): void };
  /** The name of the search server in messages; null if no server is searched. */
  readonly server: string | null;
  /** Whether the text grew after the windows were chosen, so that it may no longer fit them. */
  readonly hasGrown: boolean;
}

interface CallSetup
  extends ServingParts,
    Pick<DoorParts, 'role' | 'archives' | 'lost' | 'replied' | 'redactor' | 'onExchange'> {
  /** Null if the answer is prose. */
  readonly schema: AnswerSchema | null;
  /** Wall time that earlier parts of this run used, in ms. */
  readonly usedMs: number;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

export interface RetrieverTools {
  readonly emit: (event: EventBody) => void;
  readonly warn: (message: string) => void;
  readonly timeLeftMs: () => number;
}

/** Returns the limits that the settings give a run. */
export function runLimitsOf({ budget }: Settings): Limits {
  const { maxCalls, maxTokens, maxCost, maxFetches, timeout } = budget;
  return { calls: maxCalls, tokens: maxTokens, usd: maxCost, fetches: maxFetches, wallTimeMs: timeout * 1000 };
}

/** Starts the clock of a run and creates its door. The text may still be incomplete. `close` stops the timers. */
export function startCalls(parts: CallSetup) {
  const { settings, usedMs, schema } = parts;
  const { roster, widen } = createWidening(serve(parts));
  const replied = withCosts(parts.replied, roster.models);
  const events = createRunEvents(parts.emit, replied);
  const { emit, warn } = events;
  for (const { requests: _, ...lost } of parts.lost) emit({ type: 'call.lost', ...lost });

  const limits = runLimitsOf(settings);
  const dearest = () => dearestCall(roster.models, settings);
  const counter = createBudget(limits, { dearest: dearest(), usedMs, lastCalls: Number(schema !== null) });
  const { signals, close } = createDeadlines(parts.signal, counter, limits.wallTimeMs);
  const { stopped, watch } = createStop(emit);
  const budget = { ...counter, signal: signals.ordinary, stopped };
  const models = createRunModels(roster, () => {
    widen();
    budget.expect(dearest());
  });
  const ask = createDoor({ ...parts, replied, roster, budget, signals, emit, warn });
  return { ...parts, roster, events, budget, models, ask, watch, signals, close };
}

export type RunCalls = ReturnType<typeof startCalls>;

/** Starts a run over its text. `close` closes the retrievers for parts of the text. */
export function startRun(calls: RunCalls, parts: RunTexts): { readonly run: Run; close(): void } {
  const { id, settings, role, schema, roster, events, budget, models, ask, watch, signals } = calls;
  const { store, server, hasGrown } = parts;
  const { emit, warn } = events;
  const textBytes = hasGrown ? textBytesOf(store) : 0;

  const windowAt = (path: string) => {
    const window = smallestSeen(roster.modelsFor('answer', path));
    return { ...window, fits: window.fits && textBytes <= window.passageBytes };
  };
  const [given, searches] = [createGivenPassages(), createSearchLog(emit)];
  const shared = { settings, budget, given, searches, warn, watch };

  const parted: { close(): void }[] = [];
  function within(part: ContextStore): Run {
    const retriever = parts.createPartRetriever(part);
    parted.push(retriever);
    const bytes = textBytesOf(part);
    const seen = (window: Window) => ({ ...window, fits: bytes <= window.passageBytes });
    const sized = { windowAt: (path: string) => seen(windowAt(path)), window: seen(smallestSeen(roster.models)) };
    const about = { store: part, all: retriever, local: retriever, server: null, files: async () => null };
    return { ...run, ...createRunText({ ...shared, ...sized, ...about }) };
  }

  const retrievers = parts.createRetrievers({
    emit,
    warn: (message) => warn('search', message),
    timeLeftMs: () => budget.timeLeftMs('ordinary'),
  });
  const about = { ...retrievers, store, server, files: parts.openFiles };
  const run: Run = {
    ...{ id, settings, role, schema, models, budget, events, within },
    ...createRunText({ ...shared, ...about, windowAt, window: windowAt('0') }),
    ask: (prompt, variables, place) => watch(ask(prompt, variables, place), signals[place.share]),
  };
  return {
    run,
    close() {
      for (const part of parted) part.close();
    },
  };
}
