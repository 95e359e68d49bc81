import type { WarningCode } from '../errors.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { CallTokens } from '../state.ts';
import type { CallSpending } from './door/archive.ts';
import type { EventBody, EventListener } from './events.ts';

/** Creates the function that numbers and dates an event, redacts secrets, and passes the event to every listener. */
export function createEmitter(
  runId: string,
  listeners: readonly EventListener[],
  redactor: Redactor,
): (event: EventBody) => void {
  let seq = 0;
  return (body) => {
    seq += 1;
    const event = { seq, at: new Date().toISOString(), runId, ...redactor.value(body) };
    for (const listener of listeners) listener(event);
  };
}

/** Time resolution of ids: slots per second, written as three hex digits. */
const slots = 4_096;
let lastSlot = 0;

/**
 * Returns a run id that sorts by time: `20261121T010842-3f9a2c`. Its last three hex digits are random. They need not be
 * secret, so `Math.random` suffices. Loading node:crypto before the first request would take 4 ms.
 */
export function newRunId(): string {
  lastSlot = Math.max(lastSlot + 1, Math.floor((Date.now() / 1000) * slots));
  const second = new Date(Math.floor(lastSlot / slots) * 1000);
  const time = second.toISOString().slice(0, 19).replace(/[-:]/g, '');
  const part = (lastSlot % slots).toString(16).padStart(3, '0');
  const random = Math.floor(Math.random() * slots)
    .toString(16)
    .padStart(3, '0');
  return `${time}-${part}${random}`;
}

/** The cost of computing vectors of passages and questions. */
interface EmbeddingUsage {
  readonly requests: number;
  /** As counted by the server, or estimated. */
  readonly tokens: number;
  /** Vectors that an earlier run stored. */
  readonly reused: number;
}

/** The usage of one model in a run. */
interface ModelUsage {
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly tokens: Required<CallTokens>;
  /** In USD; null when the price is not known. */
  readonly cost: number | null;
}

/** The usage of a run. */
export interface Usage {
  /** Model calls, including repair turns and the calls of a resumed run's earlier part, but not retries. */
  readonly calls: number;
  /** Calls below the root. They are included in `calls`. */
  readonly subCalls: number;
  readonly failedCalls: number;
  readonly retries: number;
  /** Calls, included in `calls`, whose replies came from the run's journal or a cassette. */
  readonly replayedCalls: number;
  /**
   * Calls that were not needed because an identical call was made before, in this run or, with a cache, in another.
   * `calls` excludes them.
   */
  readonly cacheHits: number;
  /** `cacheRead` and `cacheWritten` are the part of the input that the provider's prompt cache read or wrote. */
  readonly tokens: Required<CallTokens>;
  /** Cost of computing vectors. The other numbers exclude it. A resumed run counts it only since the resumption. */
  readonly embeddings: EmbeddingUsage;
  /** In USD; null when a price is unknown. */
  readonly cost: number | null;
  /** The usage of each model, in the order in which the models were first asked. */
  readonly models: readonly ModelUsage[];
  /** From the start of the run to its end, in ms. */
  readonly wallTimeMs: number;
}

export const noTokens: Required<CallTokens> = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 };

export const addTokens = (
  sum: Required<CallTokens>,
  { input, output, cacheRead = 0, cacheWritten = 0 }: CallTokens,
) => ({
  input: sum.input + input,
  output: sum.output + output,
  cacheRead: sum.cacheRead + cacheRead,
  cacheWritten: sum.cacheWritten + cacheWritten,
});

const isBelowRoot = (path: string) => path.includes('.');

const addCost = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

const rounded = (cost: number | null): number | null => (cost === null ? null : Number(cost.toPrecision(6)));

type StartingEvent = EventBody & { type: 'call.started' | 'call.lost' };
type SpendingEvent = EventBody & { type: 'call.completed' | 'call.failed' | 'call.lost' };
type Spent = Readonly<{ tokens: CallTokens; cost: number | null }>;
type Tally = Record<'calls' | 'cacheHits' | 'input' | 'output', number>;

const nothing: Pick<ModelUsage, 'calls' | 'tokens' | 'cost'> = { calls: 0, tokens: noTokens, cost: 0 };

const plus = <U extends Pick<ModelUsage, 'tokens' | 'cost'>>(usage: U, { tokens, cost }: Spent): U => ({
  ...usage,
  tokens: addTokens(usage.tokens, tokens),
  cost: addCost(usage.cost, cost),
});

/** Returns the usage of each model, with what earlier sessions spent on replies that this session has not used. */
function withUnused(byModel: ReadonlyMap<string, ModelUsage>, unused: ReadonlyMap<unknown, CallSpending>) {
  const models = new Map(byModel);
  for (const { provider, model, ...spent } of unused.values()) {
    const usage = plus(models.get(`${provider}/${model}`) ?? { provider, model, ...nothing }, spent);
    models.set(`${provider}/${model}`, { ...usage, calls: usage.calls + 1 });
  }
  return [...models.values()];
}

/**
 * Creates a meter that sums up usage from events: in total, by model, and by path in the tree. The total includes what
 * earlier sessions spent on replies that this session has not used.
 */
export function createUsageMeter(unused: ReadonlyMap<unknown, CallSpending> = new Map()) {
  const byPath = new Map<string, Tally>();
  const byModel = new Map<string, ModelUsage>();
  const all = { failedCalls: 0, retries: 0, replayedCalls: 0 };
  const embeddings = { requests: 0, tokens: 0, reused: 0 };
  const tallyAt = (path: string): Tally => {
    const tally = byPath.get(path) ?? { calls: 0, cacheHits: 0, input: 0, output: 0 };
    byPath.set(path, tally);
    return tally;
  };
  const sum = (pick: (tally: Tally) => number, where = (_path: string) => true) =>
    [...byPath].reduce((total, [path, tally]) => (where(path) ? total + pick(tally) : total), 0);

  const modelAt = ({ provider, model }: { readonly provider: string; readonly model: string }): ModelUsage =>
    byModel.get(`${provider}/${model}`) ?? { provider, model, ...nothing };
  const setModel = (usage: ModelUsage) => void byModel.set(`${usage.provider}/${usage.model}`, usage);

  /** Returns the path whose usage an event increases. A lost call increases only the total usage of the run. */
  const pathOf = (event: StartingEvent | SpendingEvent): string => (event.type === 'call.lost' ? '' : event.path);

  function start(event: StartingEvent): void {
    tallyAt(pathOf(event)).calls += 1;
    const usage = modelAt(event);
    setModel({ ...usage, calls: usage.calls + 1 });
  }

  function spend(event: SpendingEvent, spent: Spent): void {
    const tally = tallyAt(pathOf(event));
    tally.input += spent.tokens.input;
    tally.output += spent.tokens.output;
    setModel(plus(modelAt(event), spent));
  }

  return {
    add(event: EventBody): void {
      if (event.type === 'call.started' || event.type === 'call.lost') start(event);
      if (event.type === 'call.reused') tallyAt(event.path).cacheHits += 1;
      if (event.type === 'call.failed' || event.type === 'call.lost') all.failedCalls += 1;
      if (event.type === 'call.failed' && event.spent) spend(event, event.spent);
      if (event.type === 'call.retried') all.retries += 1;
      if (event.type === 'call.completed' || event.type === 'call.lost') spend(event, event);
      if (event.type === 'call.completed' && event.from !== 'model') all.replayedCalls += 1;
      if (event.type === 'embedding.completed')
        for (const what of ['requests', 'tokens', 'reused'] as const) embeddings[what] += event[what];
    },
    total(wallTimeMs: number): Usage {
      const models = withUnused(byModel, unused);
      const { tokens, cost } = models.reduce(plus, nothing);
      return {
        calls: sum((tally) => tally.calls) + unused.size,
        subCalls: sum((tally) => tally.calls, isBelowRoot),
        ...all,
        cacheHits: sum((tally) => tally.cacheHits),
        tokens,
        embeddings: { ...embeddings },
        cost: rounded(cost),
        models: models.map((usage) => ({ ...usage, cost: rounded(usage.cost) })),
        wallTimeMs: Math.round(wallTimeMs),
      };
    },
    /** Returns the usage of one path, without its children. */
    at(path: string) {
      const { calls, cacheHits, input, output } = byPath.get(path) ?? tallyAt(path);
      return { calls, cacheHits, tokens: { input, output } };
    },
  };
}

export type RunEvents = ReturnType<typeof createRunEvents>;

/** Creates the emitter of a run's events, which counts their usage. `warn` emits equal messages only once. */
export function createRunEvents(tell: (event: EventBody) => void, unused: ReadonlyMap<unknown, CallSpending>) {
  const usage = createUsageMeter(unused);
  const warned = new Set<string>();
  function emit(event: EventBody): void {
    usage.add(event);
    tell(event);
  }
  function warn(code: WarningCode, message: string): void {
    if (!warned.has(message)) emit({ type: 'warning', code, message });
    warned.add(message);
  }
  return { emit, warn, usage };
}
