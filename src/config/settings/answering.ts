import * as z from 'zod/mini';
import { strategyNames, strategyTraits } from '../../state.ts';
import { orNull, setting, text, whole } from './kinds.ts';

/** A logistic curve over a confidence of 0–1. */
const curve = () => z.object({ constant: z.number(), slope: z.number() });

/** How a question is answered, and how good the answer must be. */
export const answering = {
  strategy: setting(
    () => z.enum(['auto', ...strategyNames]),
    `how to answer: auto (the cheapest that suffices), ${strategyNames.map((name) => `${name} (${strategyTraits[name].about})`).join(', ')}`,
    { env: ['RLM_STRATEGY'], flag: '--strategy <name>' },
  ),
  auto: {
    exploreTokens: setting(
      whole(1_000, 1_000_000_000),
      'amount of text, in tokens, above which auto may use explore or repl, if the model is capable of it',
    ),
  },
  refine: setting(
    whole(0, 3),
    'how many further rounds may fill the gaps of an answer (parts without an answer, unsupported claims, gaps that the critic names), 0–3; a new answer is kept only if its evidence is better',
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
      () => z.enum(['words', 'model', 'off']),
      'how the claims of an answer are checked against the text: words (words, numbers, names and negations are compared, without a model), model (a model also says yes or no, with one call for each of the first 8 claims that are not verbatim in the text), off',
      { env: ['RLM_EVIDENCE_CHECK'], mayChange: true },
    ),
    model: setting(
      orNull(text),
      'the model that checks claims, such as ollama/bespoke-minicheck, or onnx/ and the path of a folder with an ONNX model that classifies pairs of texts (docs/confidence.md); null: the model that answers',
      { env: ['RLM_EVIDENCE_MODEL'], from: 'user', mayChange: true },
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
  seed: setting(orNull(whole(0, 2 ** 31 - 1)), 'random seed of every call, for reproducible replies; null: none', {
    env: ['RLM_SEED'],
    flag: '--seed <n>',
  }),
};
