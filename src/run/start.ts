import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { kindOf, RlmError } from '../errors.ts';
import type { Templates } from '../prompts/template.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Retriever, Retrievers } from '../retrievers/retriever.ts';
import type { Role } from '../roles/role.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { FileAccess } from '../tools/files/walls/file-access.ts';
import type { KnownModels } from './door/abilities.ts';
import type { Archive } from './door/archive.ts';
import { type ServingModel, worstCase } from './door/asked.ts';
import { createBudget, dearestOf, type Limits } from './door/budget.ts';
import { createIdentify } from './door/call-identity.ts';
import { createDeadlines } from './door/deadlines.ts';
import { createDoor } from './door/door.ts';
import { createBreaker } from './door/serving/breaker.ts';
import { amongOthers, type Crowd, createCrowd, type SharedLimiters } from './door/serving/crowd.ts';
import { createPace } from './door/serving/pace.ts';
import { createSizing, smallestSeen } from './door/serving/sizing.ts';
import { textBytesOf, type Window } from './door/window.ts';
import type { EventBody } from './events.ts';
import type { Exchange } from './exchange.ts';
import { extendRoster, type Roster, widen } from './roster.ts';
import type { Run } from './run.ts';
import { createGivenPassages } from './text/given-passages.ts';
import { createRerank } from './text/rerank.ts';
import { createRunText } from './text/run-text.ts';
import { createSearchLog } from './text/search-log.ts';
import { createUsageMeter } from './usage.ts';

/** What a run is made of. */
export interface RunParts {
  readonly id: string;
  readonly settings: Settings;
  readonly store: ContextStore;
  /** Makes what finds passages. */
  readonly createRetrievers: (tools: RetrieverTools) => Retrievers;
  /** Opens the files that tools may read; null where there are none. */
  readonly openFiles: () => Promise<FileAccess | null>;
  /** Makes what finds passages in a part of the text, and lets go of it. */
  readonly createPartRetriever: (store: ContextStore) => Retriever & { close(): void };
  /** The search server that is searched, as messages name it; null: none. */
  readonly server: string | null;
  readonly roster: Roster;
  readonly templates: Templates;
  /** What models are told to be; null: nothing. */
  readonly role: Role | null;
  /** The form that the answer is asked for in; null: prose. */
  readonly schema: AnswerSchema | null;
  readonly archives: readonly Archive[];
  /** What the models were found not to be able to do. */
  readonly knownModels: KnownModels;
  /** Calls that the run shares servers for with those of others; null: it has its servers alone. */
  readonly limiters: SharedLimiters | null;
  /** Time that earlier parts of this run have used, in ms. */
  readonly usedMs: number;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
  readonly redactor: Redactor;
  /** Told every request with its reply; null: nobody reads them. */
  readonly onExchange: ((exchange: Exchange) => void) | null;
}

/** What a retriever tells a run, and learns from it. */
export interface RetrieverTools {
  readonly emit: (event: EventBody) => void;
  readonly warn: (message: string) => void;
  /** Until the run makes no more ordinary calls. */
  readonly timeLeftMs: () => number;
}

/** After a limit or an interruption a run makes no more ordinary calls; a replay that lacks a call is no replay. */
const stops = (error: RlmError): boolean =>
  ['limit', 'interruption'].includes(kindOf(error)) || error.code === 'call-not-recorded';

/** What the settings let a run spend. */
export function limitsOf({ budget }: Settings): Limits {
  const { maxCalls, maxTokens, maxCost, maxFetches, timeout } = budget;
  return { calls: maxCalls, tokens: maxTokens, usd: maxCost, fetches: maxFetches, wallTimeMs: timeout * 1000 };
}

/**
 * Lets each server be asked as much at once as it serves well; a number that the user has set holds for all together.
 */
function createCrowds({ id, settings, roster, limiters: shared }: RunParts): (provider: string) => Crowd {
  const { concurrency } = settings.budget;
  const { models } = roster;
  const crowds = new Map<string, Crowd>();
  const least = (name: string, of: (info: ModelInfo) => number) =>
    Math.min(...models.filter(({ provider }) => provider.name === name).map(({ info }) => of(info)));
  function create(name: string, key: string): Crowd {
    const known = concurrency ?? least(name, ({ callsAtOnce }) => callsAtOnce);
    const most = concurrency ?? least(name, ({ callsAtOnce, callsToTry = callsAtOnce }) => callsToTry);
    return shared === null ? createCrowd(known, most) : amongOthers(shared.of(key, known, most), id);
  }
  return (name) => {
    const key = concurrency === null ? name : '';
    const crowd = crowds.get(key) ?? create(name, key);
    crowds.set(key, crowd);
    return crowd;
  };
}

/** The models with what their calls share: a provider is one server. */
function serve(parts: RunParts): Roster<ServingModel> {
  const { roster, templates, knownModels } = parts;
  const crowdOf = createCrowds(parts);
  const names = new Set(roster.models.map(({ provider }) => provider.name));
  const breakers = new Map([...names].map((name) => [name, createBreaker()]));
  return extendRoster(roster, (model) => ({
    ...model,
    ...crowdOf(model.provider.name),
    pace: createPace(knownModels.speedOf(model), (speed) => knownModels.clock(model, speed)),
    breaker: breakers.get(model.provider.name)!,
    identify: createIdentify(model.provider.name, model.info, templates),
    sizing: createSizing(),
  }));
}

/** A roster that can be changed for one of the same models with larger windows, wherever it is used. */
function createWidening(narrow: Roster<ServingModel>) {
  let roster = narrow;
  return {
    roster: {
      get models() {
        return roster.models;
      },
      modelsFor: (...place) => roster.modelsFor(...place),
    } satisfies Roster<ServingModel>,
    widen: () => {
      roster = widen(narrow);
    },
  };
}

/** The models that read what is retrieved for a question, and may all be given the same passages. */
function readersAt(path: string, roster: Roster<ServingModel>, settings: Settings): readonly ServingModel[] {
  const { retrieval, reasoner } = settings;
  return [
    ...roster.modelsFor('answer', path),
    ...(reasoner.childTools === 'full' ? roster.modelsFor('search', path) : []),
    ...(retrieval.rerank ? roster.modelsFor('rerank', path) : []),
  ];
}

/** Starts the clock and opens the door. `close` stops the timers; call it when the run is over. */
export function startRun(parts: RunParts): { readonly run: Run; close(): void } {
  const { id, settings, store, server, usedMs } = parts;
  const { roster, widen: widenModels } = createWidening(serve(parts));
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
  const dearest = () => dearestOf(roster.models.map((model) => worstCase(model, settings)));
  const budget = createBudget(limits, { dearest: dearest(), usedMs, lastCalls: Number(parts.schema !== null) });
  const { signals, close } = createDeadlines(parts.signal, budget, limits.wallTimeMs);
  const door = createDoor({ ...parts, roster, budget, signals, emit, warn });
  const { all, local } = parts.createRetrievers({ emit, warn, timeLeftMs: () => budget.timeLeftMs('ordinary') });
  const rerank = settings.retrieval.rerank ? createRerank(door, warn) : null;
  const windowAt = (path: string) => smallestSeen(readersAt(path, roster, settings));
  const given = createGivenPassages();
  const searches = createSearchLog(emit);
  const shared = { settings, rerank, budget, given, onSearch: searches.add, warn };

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

  const every = () => smallestSeen(roster.models);
  const parted: { close(): void }[] = [];
  function within(part: ContextStore): Run {
    const retriever = parts.createPartRetriever(part);
    parted.push(retriever);
    const bytes = textBytesOf(part);
    const seen = (window: Window) => ({ ...window, fits: bytes <= window.passageBytes });
    const sized = { windowAt: (path: string) => seen(windowAt(path)), window: seen(every()) };
    const about = { ...shared, ...sized, store: part, all: retriever, local: retriever, server: null };
    return { ...run, ...createRunText(about, signals.ordinary, noting), files: async () => null };
  }

  const run: Run = {
    id,
    settings,
    ...createRunText(
      { ...shared, store, all, local, server, windowAt, window: windowAt('0') },
      signals.ordinary,
      noting,
    ),
    within,
    files: parts.openFiles,
    get passageBytes() {
      return every().passageBytes;
    },
    widen() {
      widenModels();
      budget.expect(dearest());
    },
    get roomNow() {
      return roster.models.reduce((sum, { window, sizing }) => sum + window.tokens - sizing.refusals, 0);
    },
    roomFor: (prompt, path) => smallestSeen(roster.modelsFor(prompt, path)).passageBytes,
    modelInfo: (prompt, path) => roster.modelsFor(prompt, path)[0]!.info,
    msFor: (prompt, path, tokens) => roster.modelsFor(prompt, path)[0]!.pace.msFor(tokens),
    role: parts.role,
    schema: parts.schema,
    budget,
    usage,
    ask: (prompt, variables, place) => noting(door(prompt, variables, place)),
    searchedAt: searches.at,
    give: (passages) => void given.remember(passages),
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
