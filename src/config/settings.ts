/**
 * Every setting, once: its type, what it means, and its names on the command line and in the environment. The
 * configuration files, the flags, `rlm config`, `rlm help environment` and the docs are all made from this table.
 * The defaults are in `rlm.config.json`.
 */
import * as z from 'zod/mini';
import { strategyAbout, strategyNames } from '../state.ts';
import type { Check } from './check.ts';
import { nearest } from './nearest.ts';
import { checkBy } from './zod-check.ts';

export interface Setting<T> {
  readonly check: Check<T>;
  /** What it means, with its unit. */
  readonly about: string;
  /** Environment variables, the first that is set wins. */
  readonly env: readonly string[];
  /** The flag of `rlm ask`, as commander reads it, or null. */
  readonly flag: string | null;
  /** What the flag does, where it turns the setting off. */
  readonly offAbout: string | null;
  /** Where a value may come from besides flags and environment: a project file cannot set a `user` setting. */
  readonly from: 'project' | 'user';
  /** Whether a resumed run may have another value: it changes what the run may spend or where things lie, and no request. */
  readonly mayChange: boolean;
}

interface Names {
  readonly env?: readonly string[];
  readonly flag?: string;
  readonly offAbout?: string;
  readonly from?: 'project' | 'user';
  readonly mayChange?: boolean;
}

function setting<T>(schema: () => z.ZodMiniType<T>, about: string, names: Names = {}): Setting<T> {
  return {
    check: checkBy(schema),
    about,
    env: names.env ?? [],
    flag: names.flag ?? null,
    offAbout: names.offAbout ?? null,
    from: names.from ?? 'project',
    mayChange: names.mayChange ?? false,
  };
}

const whole = (min: number, max: number) => () => z.int().check(z.gte(min), z.lte(max));
const orNull =
  <T>(schema: () => z.ZodMiniType<T>) =>
  () =>
    z.nullable(schema());
const seconds = () => z.number().check(z.gt(0), z.lte(86_400));
const temperature = (of: string) =>
  setting(() => z.number().check(z.gte(0), z.lte(2)), `temperature of the ${of} prompt, 0–2`);

/** The prompts, each of which has a temperature. */
const promptNames = (): readonly string[] => Object.keys(settings.temperatures);

function wrongRoute(key: string): string {
  const near = nearest(key, promptNames());
  return `${near ? `did you mean "${near}" in place of "${key}"? ` : `"${key}" is none of them: `}expected a prompt (${promptNames().join(', ')}) or a depth (0–9)`;
}

const routes = () =>
  z
    .record(
      z.string(),
      z.union([
        z.string().check(z.minLength(1)),
        z.record(z.string().check(z.regex(/^\d$/)), z.string().check(z.minLength(1))),
      ]),
    )
    .check((context) => {
      for (const [key, value] of Object.entries(context.value)) {
        const isDepth = /^\d$/.test(key);
        if (isDepth ? typeof value === 'string' : promptNames().includes(key)) continue;
        context.issues.push({ code: 'custom', message: wrongRoute(key), input: context.value });
      }
    });

const settings = {
  provider: setting(
    () => z.enum(['auto', 'ollama', 'openai', 'anthropic', 'llama-cpp', 'extractive']),
    'who answers: auto (llama-cpp for a model that is a .gguf file, else Ollama where it runs and has the model, else extractive), ollama, openai (any server that speaks its API, at openai.baseUrl), anthropic (Claude; the text is sent there, and it knows neither temperatures nor a seed), llama-cpp (a GGUF file in this process, with node-llama-cpp), extractive (no language model)',
    // Who really answered is recorded with the run.
    { env: ['RLM_PROVIDER'], flag: '-p, --provider <name>', mayChange: true },
  ),
  model: setting(
    () => z.string().check(z.minLength(1)),
    'the model that the provider runs; its name, which may name the provider (ollama/llama3.2:3b), or a GGUF file',
    {
      env: ['RLM_MODEL'],
      flag: '-m, --model <name>',
    },
  ),
  models: setting(
    routes,
    'models by prompt ({"critic": "llama3.2:3b"}), by depth ({"1": …}, which also holds below it) or by both ({"answer": {"0": …, "1": …}}); the most specific wins',
    // Who really replied is recorded with the run, as for the provider.
    { env: ['RLM_MODELS'], from: 'user', mayChange: true },
  ),
  recursive: {
    provider: setting(
      orNull(() => z.string().check(z.minLength(1))),
      'the provider for all questions below the root; null: the same as for the root',
      { env: ['RLM_RECURSIVE_PROVIDER'], from: 'user', mayChange: true },
    ),
    model: setting(
      orNull(() => z.string().check(z.minLength(1))),
      'the model for all questions below the root, such as ollama/llama3.2:3b; null: the same as for the root, or the default of recursive.provider',
      { env: ['RLM_RECURSIVE_MODEL'], flag: '--recursive-model <name>', from: 'user', mayChange: true },
    ),
  },
  preset: setting(
    () => z.nullable(z.enum(['cost-optimized', 'speed-optimized', 'quality-first', 'fully-local'])),
    'models for the whole run, from what there is here: cost-optimized, speed-optimized, quality-first, fully-local (rlm config presets shows them); null: none',
    { env: ['RLM_PRESET'], flag: '--preset <name>', from: 'user', mayChange: true },
  ),
  fallbacks: setting(
    () => z.array(z.string().check(z.minLength(1))),
    'models that take over, in this order, where one cannot be reached or keeps failing, such as ["extractive"]',
    { env: ['RLM_FALLBACKS'], from: 'user', mayChange: true },
  ),
  strategy: setting(
    () => z.enum(['auto', ...strategyNames]),
    `how to answer: auto (the cheapest that can serve), ${strategyNames.map((name) => `${name} (${strategyAbout[name]})`).join(', ')}`,
    { env: ['RLM_STRATEGY'], flag: '--strategy <name>' },
  ),
  auto: {
    exploreTokens: setting(
      whole(1_000, 1_000_000_000),
      'with more text than that, in tokens, auto lets a model that can do so look around in it',
    ),
  },
  failCount: setting(
    whole(0, 1_000),
    'how often a fix of what is asked about was tried, and failed; after more than 4 auto looks around',
    { env: ['RLM_FAIL_COUNT'], flag: '--fail-count <n>' },
  ),
  minConfidence: setting(
    () => z.nullable(z.number().check(z.gte(0), z.lte(100))),
    'exit with 7 when the confidence is lower than this (0–100) or unknown; null: any will do',
    { env: ['RLM_MIN_CONFIDENCE'], flag: '--min-confidence <n>', mayChange: true },
  ),
  prompts: setting(
    () => z.nullable(z.string().check(z.minLength(1))),
    'folder with prompt files of your own; null: only the shipped ones',
    {
      env: ['RLM_PROMPTS'],
      flag: '--prompts <dir>',
    },
  ),
  role: setting(
    orNull(() => z.string().check(z.minLength(1))),
    'what models are told to be, for a common job: repo-mapper, architecture, debugger, validation, a role of your own (rlm roles lists them), or the path of a markdown file; null: nothing',
    { env: ['RLM_ROLE'], flag: '--role <name>' },
  ),
  seed: setting(
    orNull(whole(0, 2 ** 31 - 1)),
    'random seed of every call, for the same replies to the same questions; null: none',
    { env: ['RLM_SEED'], flag: '--seed <n>' },
  ),
  journal: setting(() => z.boolean(), 'keep what a run has done, so that rlm resume can go on with it', {
    env: ['RLM_JOURNAL'],
    flag: '--no-journal',
    offAbout: 'do not keep what the run has done; it cannot be resumed then',
    mayChange: true,
  }),
  stateFolder: setting(
    orNull(() => z.string().check(z.minLength(1))),
    'where runs are kept; null: rlm in XDG_STATE_HOME, else ~/.local/state/rlm',
    { env: ['RLM_HOME'], from: 'user', mayChange: true },
  ),
  cache: {
    enabled: setting(() => z.boolean(), 'keep replies on disk, and answer the same requests from there', {
      env: ['RLM_CACHE_ENABLED'],
      flag: '--cache',
      mayChange: true,
    }),
    maxBytes: setting(
      whole(1_000, 100_000_000_000),
      'largest size of the kept replies, in bytes; the oldest go first',
      {
        mayChange: true,
      },
    ),
  },
  audit: setting(
    () => z.union([z.boolean(), z.string().check(z.minLength(1))]),
    'write an audit file for each run: true (in telemetry/rlm), or the folder to write it to',
    { env: ['RLM_AUDIT_DIR'], flag: '--audit', from: 'user', mayChange: true },
  ),
  prices: setting(
    () => z.record(z.string(), z.object({ input: z.number().check(z.gte(0)), output: z.number().check(z.gte(0)) })),
    'prices of models, by provider/model, in USD per million tokens; they win over the shipped table',
    { from: 'user', mayChange: true },
  ),
  trustedProjects: setting(
    () => z.array(z.string()),
    'project folders whose rlm.config.json may also set what only you may set, such as ollama.host',
    { from: 'user', mayChange: true },
  ),
  ollama: {
    host: setting(() => z.string().check(z.minLength(1)), 'address of the Ollama server', {
      env: ['RLM_OLLAMA_HOST', 'OLLAMA_HOST'],
      flag: '--host <url>',
      from: 'user',
      mayChange: true,
    }),
    keepAlive: setting(() => z.string(), 'how long Ollama keeps the model loaded afterwards, such as 5m', {
      mayChange: true,
    }),
  },
  llamaCpp: {
    threads: setting(
      orNull(whole(1, 256)),
      'threads that a GGUF file is run with; null: one for each core but one, at most 16',
      { env: ['RLM_LLAMA_CPP_THREADS'], mayChange: true },
    ),
    gpu: setting(
      () => z.enum(['auto', 'off']),
      'graphics card for a GGUF file: auto (where node-llama-cpp has one), off',
      {
        env: ['RLM_LLAMA_CPP_GPU'],
        mayChange: true,
      },
    ),
    folder: setting(
      orNull(() => z.string().check(z.minLength(1))),
      'folder that node-llama-cpp is installed in; null: beside rlm, in the global folder of npm, or from the working folder upwards',
      { env: ['RLM_LLAMA_CPP_FOLDER'], from: 'user', mayChange: true },
    ),
  },
  openai: {
    baseUrl: setting(
      () => z.string().check(z.minLength(1)),
      "address of the server that speaks OpenAI's API, up to /v1: LM Studio, vLLM, llama.cpp, or a hosted one",
      { env: ['RLM_OPENAI_BASE_URL', 'OPENAI_BASE_URL'], from: 'user', mayChange: true },
    ),
    apiKey: setting(
      orNull(() => z.string()),
      'key for that server, and for embedding.baseUrl; null: none is sent, as local servers want none',
      { env: ['OPENAI_API_KEY'], from: 'user', mayChange: true },
    ),
    windowTokens: setting(
      orNull(whole(1024, 10_000_000)),
      'what the model of that server reads at most, in tokens; null: what the server tells',
      { env: ['RLM_OPENAI_WINDOW_TOKENS'], from: 'user', mayChange: true },
    ),
  },
  anthropic: {
    baseUrl: setting(
      () => z.string().check(z.minLength(1)),
      "address of Anthropic's API, or of a server that speaks it, up to /v1",
      { env: ['RLM_ANTHROPIC_BASE_URL', 'ANTHROPIC_BASE_URL'], from: 'user', mayChange: true },
    ),
    apiKey: setting(
      orNull(() => z.string()),
      'key for that server; null: none',
      { env: ['ANTHROPIC_API_KEY'], from: 'user', mayChange: true },
    ),
  },
  budget: {
    maxCalls: setting(whole(1, 10_000), 'model calls in the whole run', {
      env: ['RLM_MAX_SUBCALLS'],
      flag: '--max-calls <n>',
      mayChange: true,
    }),
    maxPerIteration: setting(whole(1, 64), 'sub-questions, or tool calls, that one step of a question may ask for', {
      env: ['RLM_MAX_PER_ITERATION'],
      mayChange: true,
    }),
    maxIterations: setting(whole(1, 200), 'steps that one question may take to explore the text', {
      env: ['RLM_MAX_ITERATIONS'],
      flag: '--max-iterations <n>',
      mayChange: true,
    }),
    maxTokens: setting(
      orNull(whole(1, 1_000_000_000)),
      'tokens of the whole run, input and output together; null: no limit',
      { env: ['RLM_MAX_TOKENS'], flag: '--max-tokens <n>', mayChange: true },
    ),
    maxCost: setting(
      orNull(() => z.number().check(z.gte(0), z.lte(1_000_000))),
      'money for the whole run, in USD; null: no limit',
      { env: ['RLM_MAX_COST'], flag: '--max-cost <usd>', mayChange: true },
    ),
    warnCost: setting(
      () => z.number().check(z.gte(0), z.lte(1_000_000)),
      'money, in USD, that questions below the root may come to before the run warns of it',
      { env: ['RLM_WARN_COST'], mayChange: true },
    ),
    maxFetches: setting(
      whole(1, 100_000),
      'searches for passages in the whole run, and further requests to a search server',
      {
        env: ['RLM_MAX_FETCHES'],
        mayChange: true,
      },
    ),
    timeout: setting(seconds, 'time for the whole run, in seconds', {
      env: ['RLM_TIMEOUT'],
      flag: '--timeout <s>',
      mayChange: true,
    }),
    callTimeout: setting(seconds, 'time for one model call, in seconds', {
      env: ['RLM_CALL_TIMEOUT'],
      flag: '--call-timeout <s>',
      mayChange: true,
    }),
    maxDepth: setting(whole(0, 5), 'how deep questions may be split, 0–5', {
      env: ['RLM_MAX_DEPTH'],
      flag: '--max-depth <n>',
      mayChange: true,
    }),
    concurrency: setting(
      orNull(whole(1, 64)),
      'model calls at the same time; null: what the provider can do (Ollama: OLLAMA_NUM_PARALLEL, else 4; llama.cpp: its slots; others on this machine or network 4, elsewhere 8)',
      { env: ['RLM_CONCURRENCY'], flag: '--concurrency <n>', mayChange: true },
    ),
  },
  stages: {
    toolExecutor: setting(
      () => z.boolean(),
      'run what the answer still asks for ([calculate: 17*23], [check: notes.md:10-20]), sums that it claims and code whose result it tells, and let the model revise it once',
      { env: ['RLM_TOOL_EXECUTOR'] },
    ),
  },
  reasoner: {
    childTools: setting(
      () => z.enum(['off', 'passages', 'full']),
      'how a part of a question gets its passages: off (only what was found for the question above), passages (its own search), full (its own search, and further ones that the model asks for; a sub-query of explore explores, too)',
      { env: ['RLM_CHILD_TOOLS'], flag: '--child-tools <which>' },
    ),
    fullToolsDepth: setting(
      whole(1, 5),
      'down to which depth reasoner.childTools may be full, 1–5; below that it is passages',
      { env: ['RLM_FULL_TOOLS_DEPTH'] },
    ),
  },
  tools: {
    allow: setting(
      orNull(() => z.array(z.string().check(z.minLength(1)))),
      'tools that explore may use, by name, with commas between them on the command line; null: all',
      { env: ['RLM_TOOLS'], flag: '--tools <list>' },
    ),
    roots: setting(
      () => z.array(z.string().check(z.minLength(1))),
      'further folders that the file tools may read, besides the paths that are asked about',
      { env: ['RLM_ROOT'], flag: '--root <dir>', from: 'user' },
    ),
    readIgnored: setting(
      () => z.boolean(),
      'let the file tools read, too, what .gitignore names and files that commonly hold secrets; a file that is named itself always is',
      { env: ['RLM_READ_IGNORED'], from: 'user' },
    ),
    maxCharacters: setting(whole(200, 1_000_000), 'longest result of a tool that a model is shown, in characters'),
    maxLines: setting(whole(5, 100_000), 'longest result of a tool that a model is shown, in lines'),
  },
  sandbox: {
    turnTimeout: setting(
      whole(1, 600),
      'how long the code of one turn may run with --strategy repl, not counting its model calls, in seconds',
    ),
    memory: setting(whole(32, 1_024), 'memory for all values of the code together with --strategy repl, in MB'),
  },
  context: {
    passages: setting(whole(1, 200), 'passages retrieved for a question when the text does not fit whole'),
    chunking: setting(
      () => z.enum(['auto', 'lines', 'chars', 'paragraphs', 'markdown', 'code', 'records']),
      'where text is cut: auto (by its kind), lines, chars, paragraphs, markdown (sections), code (definitions), records (logs, JSON lines)',
      { env: ['RLM_CHUNKING'], flag: '--chunking <kind>' },
    ),
    chunkTokens: setting(whole(50, 10_000), 'size of a passage, in tokens', {
      env: ['RLM_CHUNK_TOKENS'],
      flag: '--chunk-tokens <n>',
    }),
    overlapTokens: setting(whole(0, 5_000), 'text before a passage that is shown with it, in tokens', {
      env: ['RLM_OVERLAP_TOKENS'],
      flag: '--overlap-tokens <n>',
    }),
    maxWindowTokens: setting(
      whole(2048, 1_048_576),
      'largest window to ask the model for, in tokens; memory grows with it',
      {
        env: ['RLM_MAX_WINDOW_TOKENS'],
      },
    ),
  },
  retrieval: {
    mode: setting(
      () => z.enum(['auto', 'lexical', 'vector', 'hybrid']),
      'how passages are found: auto (hybrid where an embedding model is set, else lexical), lexical (by words), vector (by meaning), hybrid (both)',
      { env: ['RLM_RETRIEVAL'], flag: '--retrieval <mode>' },
    ),
    rerank: setting(() => z.boolean(), 'let the model put the passages in order, in one more call for each search', {
      env: ['RLM_RERANK'],
    }),
    server: setting(
      orNull(() => z.string().check(z.minLength(1))),
      'server to search for passages, besides the text that is given: chroma+http://host:8000/COLLECTION, elasticsearch+https://host:9200/INDEX?text=body or opensearch+https://…; null: none',
      { env: ['RLM_SERVER'], flag: '--server <url>', from: 'user' },
    ),
  },
  embedding: {
    provider: setting(
      () => z.enum(['ollama', 'openai', 'llama-cpp']),
      'who turns text into vectors: ollama (at ollama.host), openai (any server that speaks its API, at embedding.baseUrl), llama-cpp (embedding.model is a GGUF file)',
      { env: ['RLM_EMBEDDING_PROVIDER'], from: 'user' },
    ),
    model: setting(
      orNull(() => z.string().check(z.minLength(1))),
      'the model that turns text into vectors, such as nomic-embed-text; null: none, and passages are found by words',
      { env: ['RLM_EMBEDDING_MODEL'], flag: '--embedding-model <name>' },
    ),
    baseUrl: setting(
      () => z.string().check(z.minLength(1)),
      'address of the openai embedding provider, up to /v1; its key is in OPENAI_API_KEY',
      { env: ['RLM_EMBEDDING_BASE_URL', 'OPENAI_BASE_URL'], from: 'user', mayChange: true },
    ),
    queryPrefix: setting(() => z.string(), 'what the model wants before a question, such as "search_query: "'),
    passagePrefix: setting(() => z.string(), 'what the model wants before a passage, such as "search_document: "'),
    batch: setting(whole(1, 2048), 'passages in one request for vectors', { mayChange: true }),
    maxChunks: setting(whole(1, 5_000_000), 'most passages to make vectors of; a larger text is searched by words', {
      mayChange: true,
    }),
    maxCacheBytes: setting(
      whole(0, 100_000_000_000),
      'largest size of the vectors kept from one run to the next, in bytes; the oldest go first, and 0 keeps none',
      { mayChange: true },
    ),
  },
  inputs: {
    maxBytes: setting(whole(1, 100_000_000_000), 'largest input in all, in bytes; more is an error, never a cut', {
      env: ['RLM_MAX_INPUT_BYTES'],
      mayChange: true,
    }),
    encoding: setting(() => z.enum(['utf-8', 'latin1']), 'encoding of text that has no byte order mark', {
      flag: '--encoding <name>',
    }),
    strict: setting(() => z.boolean(), 'a file that cannot be read is an error; else it is skipped, with a warning', {
      env: ['RLM_STRICT'],
      flag: '--strict',
      mayChange: true,
    }),
    allowUrls: setting(() => z.boolean(), 'read the http and https addresses among the paths', {
      env: ['RLM_ALLOW_URLS'],
      flag: '--allow-urls',
      from: 'user',
      mayChange: true,
    }),
    readTimeout: setting(
      seconds,
      'time to get the text out of one PDF, page or the like, or to fetch one, in seconds',
      {
        mayChange: true,
      },
    ),
  },
  reply: {
    maxTokens: setting(whole(64, 100_000), 'longest reply of the model, in tokens'),
  },
  temperatures: {
    planner: temperature('planner'),
    assess: temperature('assess'),
    decompose: temperature('decompose'),
    answer: temperature('answer'),
    scan: temperature('scan'),
    compose: temperature('compose'),
    critic: temperature('critic'),
    rerank: temperature('rerank'),
    search: temperature('search'),
    explore: temperature('explore'),
    repl: temperature('repl'),
    conclude: temperature('conclude'),
    revise: temperature('revise'),
    query: temperature('query'),
  },
  log: {
    file: setting(
      () => z.nullable(z.string().check(z.minLength(1))),
      'file that structured logs are added to; null: none',
      {
        env: ['RLM_LOG_FILE'],
        flag: '--log-file <file>',
        from: 'user',
        mayChange: true,
      },
    ),
  },
};

type Values<T> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : Values<T[K]> };

/** All settings with their values. */
export type Settings = Values<typeof settings>;

const isSetting = (value: object): value is Setting<unknown> => 'check' in value;

function listSettings(tree: object, prefix: string): [string, Setting<unknown>][] {
  return Object.entries(tree).flatMap(([key, value]: [string, object]): [string, Setting<unknown>][] =>
    isSetting(value) ? [[prefix + key, value]] : listSettings(value, `${prefix}${key}.`),
  );
}

/** Every setting under its dotted key, such as `budget.maxCalls`, in the table's order. */
export const settingsByKey: ReadonlyMap<string, Setting<unknown>> = new Map(listSettings(settings, ''));

/** The setting that is likely meant by a key that is none, also where its group was left out; null when none is near. */
export function nearestSetting(key: string): string | null {
  const keys = [...settingsByKey.keys()];
  const inGroup = keys.find((known) => nearest(key, [known.slice(known.indexOf('.') + 1)]) !== null);
  return nearest(key, keys) ?? inGroup ?? null;
}
