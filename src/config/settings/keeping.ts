import * as z from 'zod/mini';
import { free, onOff, orNull, seconds, text, whole } from './kinds.ts';

export const budget = {
  maxCalls: free(whole(1, 10_000), 'model calls in the whole run', {
    env: ['RLM_MAX_SUBCALLS'],
    flag: '--max-calls <n>',
  }),
  maxPerIteration: free(whole(1, 64), 'sub-questions, or tool calls, that one step of a question may ask for', {
    env: ['RLM_MAX_PER_ITERATION'],
  }),
  maxIterations: free(whole(1, 200), 'steps that one question may take to explore the text', {
    env: ['RLM_MAX_ITERATIONS'],
    flag: '--max-iterations <n>',
    needs: { model: true },
  }),
  maxTokens: free(
    orNull(whole(1, 1_000_000_000)),
    'tokens in the whole run, input and output together; null: no limit',
    { env: ['RLM_MAX_TOKENS'], flag: '--max-tokens <n>' },
  ),
  maxCost: free(
    orNull(() => z.number().check(z.gte(0), z.lte(1_000_000))),
    'money for the whole run, in USD; null: no limit',
    { env: ['RLM_MAX_COST'], flag: '--max-cost <usd>' },
  ),
  warnCost: free(
    () => z.number().check(z.gte(0), z.lte(1_000_000)),
    'cost of questions below the root, in USD, above which the run prints a warning',
    { env: ['RLM_WARN_COST'] },
  ),
  maxFetches: free(
    whole(1, 100_000),
    'searches for passages in the whole run, plus further requests to a search server',
    { env: ['RLM_MAX_FETCHES'] },
  ),
  timeout: free(seconds, 'time for the whole run, in seconds', { env: ['RLM_TIMEOUT'], flag: '--timeout <s>' }),
  callTimeout: free(
    seconds,
    'longest silence of a model call, in seconds, before its reply begins and between two parts of the reply; local servers get the same time again for each 2,048 tokens of the prompt; the length of a reply is also limited to what the model can write in this time',
    { env: ['RLM_CALL_TIMEOUT'], flag: '--call-timeout <s>' },
  ),
  maxDepth: free(whole(0, 5), 'greatest depth of sub-questions, 0–5', {
    env: ['RLM_MAX_DEPTH'],
    flag: '--max-depth <n>',
  }),
  concurrency: free(
    orNull(whole(1, 64)),
    'concurrent model calls; null: what the provider can do (Ollama: OLLAMA_NUM_PARALLEL, else 1, or up to 4 if the server handles several concurrently; llama.cpp: its slots; other servers: 4 on this machine or network, elsewhere 8)',
    { env: ['RLM_CONCURRENCY'], flag: '--concurrency <n>' },
  ),
};

const usd = z.number().check(z.gte(0));

export const keeping = {
  journal: free(onOff, 'keep a journal of each run, so that rlm resume can continue it', {
    env: ['RLM_JOURNAL'],
    flag: '--no-journal',
    flagAbout: 'keep no journal of the run; it cannot be resumed then',
  }),
  stateFolder: free(orNull(text), 'where runs are kept; null: rlm in XDG_STATE_HOME, else ~/.local/state/rlm', {
    env: ['RLM_HOME'],
    from: 'user',
  }),
  cache: {
    enabled: free(onOff, 'keep replies on disk, and answer identical requests from there', {
      env: ['RLM_CACHE_ENABLED'],
      flag: '--cache',
    }),
    maxBytes: free(
      whole(1_000, 100_000_000_000),
      'largest size of the kept replies, in bytes; the oldest are removed first',
    ),
  },
  audit: free(
    () => z.union([z.boolean(), text()]),
    'write an audit file for each run: true (in telemetry/rlm), or the folder to write it to',
    {
      env: ['RLM_AUDIT_DIR'],
      flag: '--audit',
      flagAbout: 'write an audit file for the run to telemetry/rlm, or to the folder RLM_AUDIT_DIR',
      from: 'user',
    },
  ),
  prices: free(
    () =>
      z.record(
        z.string(),
        z.object({ input: usd, output: usd, cacheRead: z.optional(usd), cacheWrite: z.optional(usd) }),
      ),
    'prices of models, by provider/model, in USD per million tokens; they win over the shipped table',
    { from: 'user' },
  ),
  trustedProjects: free(
    () => z.array(z.string()),
    'project folders whose rlm.config.json may also set user-only settings, such as ollama.host',
    { from: 'user' },
  ),
};

export const log = {
  file: free(orNull(text), 'file to append structured logs to; null: none', {
    env: ['RLM_LOG_FILE'],
    flag: '--log-file <file>',
    from: 'user',
  }),
};
