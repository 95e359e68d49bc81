import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { RlmError } from '../errors.ts';
import type { Templates } from '../prompts/template.ts';
import type { ModelInfo, Provider } from '../providers/provider.ts';
import type { Retriever } from '../retrievers/retriever.ts';
import type { Passage } from '../state.ts';
import { createDoor } from './ask.ts';
import { createBudget, outOfTime, type Share } from './budget.ts';
import type { EventBody, EventListener } from './events.ts';
import { createLimiter } from './limiter.ts';
import type { Run } from './run.ts';
import { createUsageMeter } from './usage.ts';
import type { Window } from './window.ts';

/** What a run is made of. */
export interface RunParts {
  readonly id: string;
  readonly settings: Settings;
  readonly store: ContextStore;
  readonly retriever: Retriever;
  readonly provider: Provider;
  readonly info: ModelInfo;
  readonly templates: Templates;
  readonly window: Window;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

/** A name for a run that sorts by time: `20261121T010842-3f9a2c`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().slice(0, 19).replace(/[-:]/g, '');
  return `${time}-${randomBytes(3).toString('hex')}`;
}

/** Numbers and dates events and hands them on. */
export function createEmitter(runId: string, listeners: readonly EventListener[]): (event: EventBody) => void {
  let seq = 0;
  return (body) => {
    seq += 1;
    const event = { seq, at: new Date().toISOString(), runId, ...body };
    for (const listener of listeners) listener(event);
  };
}

const stopCodes: readonly string[] = ['limit-calls', 'limit-time', 'interrupted', 'terminated'];

/** A signal that aborts with the user's, or when the share's time is over. */
function createDeadline(user: AbortSignal, timeLeftMs: number, error: RlmError) {
  const controller = new AbortController();
  const abort = () => {
    const { reason } = user;
    controller.abort(reason instanceof RlmError ? reason : new RlmError('interrupted', 'the run was cancelled'));
  };
  if (user.aborted) abort();
  user.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => controller.abort(error), timeLeftMs);
  const close = () => {
    clearTimeout(timer);
    user.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, close };
}

/** The error for text of which no passage can be shown: an answer without any would look like one from the text. */
const noRoom = ({ tokens }: Window) =>
  new RlmError('prompt-too-long', `the window of ${tokens} tokens has no room for a passage of the text`, {
    hint: 'Lower context.chunkBytes or reply.maxTokens, or use a model with a larger window.',
  });

/** Starts the clock and opens the door. `close` stops the timers; call it when the run is over. */
export function startRun(parts: RunParts): { readonly run: Run; close(): void } {
  const { id, settings, store, retriever, window, emit } = parts;
  const wallTimeMs = settings.budget.timeout * 1000;
  const budget = createBudget({ calls: settings.budget.maxCalls, wallTimeMs });
  const deadline = (share: Share) => createDeadline(parts.signal, budget.timeLeftMs(share), outOfTime(wallTimeMs));
  const deadlines = { ordinary: deadline('ordinary'), kept: deadline('kept') };
  const signals = { ordinary: deadlines.ordinary.signal, kept: deadlines.kept.signal };
  const usage = createUsageMeter();
  const given = new Map<string, Passage>();
  let stop: RlmError | null = null;

  const emitAndCount = (event: EventBody) => {
    usage.add(event);
    emit(event);
  };

  function noteStop(error: unknown): void {
    if (stop || !(error instanceof RlmError) || !stopCodes.includes(error.code)) return;
    stop = error;
    emit({ type: 'run.stopped', error: error.toInfo() });
  }

  async function noting<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      noteStop(error);
      throw error;
    });
  }

  const doorParts = { ...parts, windowTokens: window.tokens, budget, signals, emit: emitAndCount };
  const door = createDoor({ ...doorParts, limiter: createLimiter(settings.budget.concurrency) });

  const whole = () => store.chunks.map((chunk) => store.passage(chunk, 0));
  /** For a question that has no word to search for, such as what the text is about. */
  const beginnings = () => {
    let room = window.passageBytes;
    return store.chunks
      .filter(({ startByte }) => startByte === 0)
      .slice(0, settings.context.passages)
      .filter(({ startByte, endByte }) => {
        room -= endByte - startByte;
        return room >= 0;
      })
      .map((chunk) => store.passage(chunk, 0));
  };
  async function find(query: string): Promise<readonly Passage[]> {
    signals.ordinary.throwIfAborted();
    if (!window.fits && window.passageBytes < settings.context.chunkBytes) throw noRoom(window);
    const limits = { limit: settings.context.passages, maxBytes: window.passageBytes };
    const search = async () => {
      const best = await retriever.retrieve({ text: query, ...limits }, signals.ordinary);
      return best.length > 0 ? best : beginnings();
    };
    const found = window.fits ? whole() : await search();
    for (const passage of found) given.set(passage.id, passage);
    return found;
  }

  const warned = new Set<string>();
  function warn(message: string): void {
    if (!warned.has(message)) emit({ type: 'warning', message });
    warned.add(message);
  }

  const run: Run = {
    id,
    settings,
    documents: store.documents,
    fits: window.fits,
    passageBytes: window.passageBytes,
    budget,
    usage,
    ask: (prompt, variables, place) => noting(door(prompt, variables, place)),
    retrieve: (query) => noting(find(query)),
    passages: (ids) => ids.map((passageId) => given.get(passageId)).filter((passage) => passage !== undefined),
    emit: emitAndCount,
    warn,
    stopped: () => stop,
  };
  const close = () => {
    deadlines.ordinary.close();
    deadlines.kept.close();
  };
  return { run, close };
}
