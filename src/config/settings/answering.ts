import * as z from 'zod/mini';
import { strategyNames, strategyTraits } from '../../state.ts';
import { free, onOff, orNull, seconds, setting, text, whole } from './kinds.ts';
import type { Setting } from './setting.ts';

const curve = () => z.object({ constant: z.number(), slope: z.number() });

/** The maximum length of a role and of the setting `system`, in characters. */
export const longestWords = 8_000;

export const answering = {
  strategy: setting(
    () => z.enum(['auto', ...strategyNames]),
    `how to answer: auto (the cheapest that suffices), ${strategyNames.map((name) => `${name} (${strategyTraits[name].about})`).join(', ')}`,
    { env: ['RLM_STRATEGY'], flag: '--strategy <name>' },
  ),
  auto: {
    firstLookTokens: setting(
      whole(1_000, 1_000_000),
      'tokens of text that a model reads in its first look; a small model reads context.passages passages instead, and a text that fits one prompt is read whole',
    ),
  },
  refine: setting(
    whole(0, 3),
    'number of further rounds (0–3); each searches with tools for the information that the answer names as missing, and adds its findings below the answer',
    { env: ['RLM_REFINE'], flag: '--refine <n>', needs: { model: true } },
  ),
  failCount: setting(
    whole(0, 1_000),
    'number of failed earlier attempts to fix the problem; above 4, auto uses explore or repl',
    { env: ['RLM_FAIL_COUNT'], flag: '--fail-count <n>', needs: { model: true, strategies: ['auto'] } },
  ),
  minConfidence: free(
    () => z.nullable(z.number().check(z.gte(0), z.lte(100))),
    'exit with 7 when the confidence is lower than this (0–100) or unknown; null: accept any',
    { env: ['RLM_MIN_CONFIDENCE'], flag: '--min-confidence <n>' },
  ),
  failOn: free(
    orNull(() => z.enum(['not-found'])),
    'exit with 7 when the text does not contain the answer (not-found); null: exit with 0',
    { env: ['RLM_FAIL_ON'], flag: '--fail-on <what>' },
  ),
  schema: setting(
    () => z.nullable(z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())])),
    'JSON Schema of the answer: a file, or the schema itself; exit with 7 when the answer cannot be converted to it; null: the answer is prose',
    { env: ['RLM_SCHEMA'], flag: '--schema <file>', from: 'user' },
  ),
  confidenceMap: {
    evidence: free(
      orNull(curve),
      "calibration curve for the confidence (0–1) of a model's answer: 1/(1+exp(-(constant+slope*confidence))), as rlm eval --fit writes it; null: unchanged",
      { from: 'user' },
    ),
    match: free(orNull(curve), 'as confidenceMap.evidence, for answers quoted without a model', { from: 'user' }),
  },
  evidence: {
    check: free(
      () => z.enum(['auto', 'model', 'off']),
      'how the claims of an answer are checked: auto (code looks up numbers, identifiers and quotes; the critic judges the claims if the text lacks one of these or if minConfidence is set), model (the critic always judges them), off',
      { env: ['RLM_EVIDENCE_CHECK'], flag: '--check <how>' },
    ),
  },
  prompts: setting(orNull(text), 'folder with prompt files of your own; null: only the shipped ones', {
    env: ['RLM_PROMPTS'],
    flag: '--prompts <dir>',
    needs: { model: true },
  }),
  role: setting(
    orNull(text),
    'role that is added to the prompts: repo-mapper, architecture, debugger, validation, a role of your own (rlm roles lists them), or the path of a Markdown file; null: none',
    { env: ['RLM_ROLE'], flag: '--role <name>' },
  ),
  system: setting(
    orNull(() => z.string().check(z.minLength(1), z.maxLength(longestWords))),
    'words that are added to the prompts that plan and answer, such as "Answer in French."; null: none',
    { env: ['RLM_SYSTEM'], flag: '-s, --system <words>' },
  ),
  seed: setting(orNull(whole(0, 2 ** 31 - 1)), 'random seed of every call, for reproducible replies; null: none', {
    env: ['RLM_SEED'],
    flag: '--seed <n>',
    needs: { model: true },
  }),
  reasoning: setting(
    () => z.enum(['auto', 'none', 'low', 'medium', 'high']),
    'how much a thinking model thinks before it replies: auto (its default), none, low, medium, high; short judgements, such as those of pieces in a scan, always use none',
    { env: ['RLM_REASONING'], flag: '--reasoning <level>', needs: { model: true } },
  ),
};

const when = () => z.enum(['auto', 'always', 'never']);

export const stages = {
  planner: setting(
    when,
    'when to call the planner: always, never, or auto (only without a language model; with one, a first look at the text shows what to do next)',
    { env: ['RLM_PLANNER'] },
  ),
  critic: setting(
    when,
    'when to call the critic: auto (as evidence.check says, if the model is large enough to judge), always, never',
    { env: ['RLM_CRITIC'] },
  ),
};

export const reasoner = {
  childTools: setting(
    () => z.enum(['off', 'passages', 'full']),
    'where a sub-question gets its passages: off (from its parent question), passages (also from one search of its own), full (the same, and a sub-query of explore also explores)',
    {
      env: ['RLM_CHILD_TOOLS'],
      flag: '--child-tools <which>',
      needs: { model: true, strategies: ['auto', 'decompose', 'explore', 'repl'] },
    },
  ),
};

export const reply = { maxTokens: setting(whole(64, 100_000), 'longest reply of the model, in tokens') };

export const promptNames = [
  ...(['planner', 'assess', 'decompose', 'answer', 'scan', 'compose', 'critic', 'hop', 'answerable'] as const),
  ...(['explore', 'repl', 'conclude', 'form', 'query', 'classify', 'transcribe'] as const),
];

const temperature = (of: string) =>
  setting(() => z.number().check(z.gte(0), z.lte(2)), `temperature of the ${of} prompt, 0–2`);

export const temperatures = Object.fromEntries(promptNames.map((name) => [name, temperature(name)])) as Readonly<
  Record<(typeof promptNames)[number], Setting<number>>
>;

export const tools = {
  allow: setting(
    orNull(() => z.array(text())),
    'tools that explore may use, by name, separated by commas on the command line; null: all',
    { env: ['RLM_TOOLS'], flag: '--tools <list>', needs: { model: true } },
  ),
  roots: setting(
    () => z.array(text()),
    'additional folders that the file tools may read, besides the paths that the question is about',
    { env: ['RLM_ROOT'], flag: '--root <dir>', from: 'user' },
  ),
  readIgnored: setting(
    onOff,
    'let the file tools also read files that .gitignore excludes or that commonly hold secrets; a file that is given by its own path is always readable',
    { env: ['RLM_READ_IGNORED'], from: 'user' },
  ),
  maxCharacters: setting(
    whole(200, 1_000_000),
    'maximum number of characters of tool results that a model sees in one step; never more than 65 % of the room in its window',
  ),
  maxLines: setting(whole(5, 100_000), 'maximum number of lines of one tool result that a model sees'),
};

export const sandbox = {
  turnTimeout: setting(
    whole(1, 600),
    'how long the code of one turn may run with --strategy repl, in seconds, without its model calls',
  ),
  memory: setting(whole(32, 1_024), 'memory for all values of the code with --strategy repl, in MB'),
};

export const query = {
  maxMegabytes: free(
    whole(1, 10_000),
    'largest text that one query reads into tables, in MB; a larger text is an error',
    { env: ['RLM_QUERY_MAX_MEGABYTES'] },
  ),
  timeout: free(seconds, 'how long one query may take, in seconds, including the time to fill its tables', {
    env: ['RLM_QUERY_TIMEOUT'],
  }),
  memory: free(whole(32, 2_048), 'memory for the tables and the computation of one query, in MB', {
    env: ['RLM_QUERY_MEMORY'],
  }),
  maxRows: free(whole(1, 10_000_000), 'rows of a query that are shown; the others are counted', {
    env: ['RLM_QUERY_MAX_ROWS'],
  }),
  maxCharacters: free(
    whole(100, 100_000_000),
    'characters of the rows of a query that are shown; further rows are counted',
    { env: ['RLM_QUERY_MAX_CHARACTERS'] },
  ),
};
