import * as z from 'zod/mini';
import { strategyNames, strategyTraits } from '../../state.ts';
import { orNull, setting, text, whole } from './kinds.ts';

/** A logistic curve over a confidence of 0–1. */
const curve = () => z.object({ constant: z.number(), slope: z.number() });

/** Words of the user's own that a prompt holds beside the question and the text, at most, in characters. */
export const longestWords = 8_000;

/** How a question is answered, and how good the answer must be. */
export const answering = {
  strategy: setting(
    () => z.enum(['auto', ...strategyNames]),
    `how to answer: auto (the cheapest that suffices), ${strategyNames.map((name) => `${name} (${strategyTraits[name].about})`).join(', ')}`,
    { env: ['RLM_STRATEGY'], flag: '--strategy <name>' },
  ),
  auto: {
    firstLookTokens: setting(
      whole(1_000, 1_000_000),
      'text that a model which is not small reads in its first look, in tokens, at most: a quarter of its window, at least 4,000, and no more than this',
    ),
  },
  refine: setting(
    whole(0, 3),
    'how many further rounds may look, with tools, for what the answer itself names as missing, 0–3; what is found is added below the answer',
    { env: ['RLM_REFINE'], flag: '--refine <n>' },
  ),
  failCount: setting(
    whole(0, 1_000),
    'number of earlier attempts to fix the problem that have failed; above 4, auto uses explore or repl',
    { env: ['RLM_FAIL_COUNT'], flag: '--fail-count <n>' },
  ),
  minConfidence: setting(
    () => z.nullable(z.number().check(z.gte(0), z.lte(100))),
    'exit with 7 when the confidence is lower than this (0–100) or unknown; null: accept any',
    { env: ['RLM_MIN_CONFIDENCE'], flag: '--min-confidence <n>', mayChange: true },
  ),
  failOn: setting(
    orNull(() => z.enum(['not-found'])),
    'exit with 7 when the answer is that the text does not say (not-found); null: exit with 0',
    { env: ['RLM_FAIL_ON'], flag: '--fail-on <what>', mayChange: true },
  ),
  schema: setting(
    () => z.nullable(z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())])),
    'JSON Schema of the answer: a file, or the schema itself; exit with 7 when the answer cannot be converted to it; null: the answer is prose',
    { env: ['RLM_SCHEMA'], flag: '--schema <file>', from: 'user' },
  ),
  confidenceMap: {
    evidence: setting(
      orNull(curve),
      "calibration curve for the confidence (0–1) of a model's answer: 1/(1+exp(-(constant+slope*confidence))), as rlm eval --fit writes it; null: unchanged",
      { from: 'user', mayChange: true },
    ),
    match: setting(orNull(curve), 'the same curve for answers that are quoted without a model', {
      from: 'user',
      mayChange: true,
    }),
  },
  evidence: {
    check: setting(
      () => z.enum(['auto', 'model', 'off']),
      'how the claims of an answer are checked: auto (code looks up numbers, identifiers and quotes; the critic judges the claims where one of these stands nowhere, or where minConfidence is set), model (the critic always judges them), off',
      { env: ['RLM_EVIDENCE_CHECK'], flag: '--check <how>', mayChange: true },
    ),
  },
  prompts: setting(orNull(text), 'folder with prompt files of your own; null: only the shipped ones', {
    env: ['RLM_PROMPTS'],
    flag: '--prompts <dir>',
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
  }),
};
