import * as z from 'zod/mini';
import { strategyNames, strategyTraits } from '../../state.ts';
import { orNull, setting, text, whole } from './kinds.ts';

/** A logistic curve over a confidence of 0–1. */
const curve = () => z.object({ constant: z.number(), slope: z.number() });

/** How it is answered, and how good an answer must be. */
export const answering = {
  strategy: setting(
    () => z.enum(['auto', ...strategyNames]),
    `how to answer: auto (the cheapest that can serve), ${strategyNames.map((name) => `${name} (${strategyTraits[name].about})`).join(', ')}`,
    { env: ['RLM_STRATEGY'], flag: '--strategy <name>' },
  ),
  auto: {
    exploreTokens: setting(
      whole(1_000, 1_000_000_000),
      'with more text than that, in tokens, auto lets a model that can do so look around in it',
    ),
  },
  refine: setting(
    whole(0, 3),
    'how often what an answer leaves open is looked for once more (parts without an answer, claims that are not borne out, gaps that the critic names), 0–3; an answer whose evidence is no better is not kept',
    { env: ['RLM_REFINE'], flag: '--refine <n>' },
  ),
  failCount: setting(
    whole(0, 1_000),
    'how many attempts to mend what is asked about have failed; after more than 4 auto looks around',
    { env: ['RLM_FAIL_COUNT'], flag: '--fail-count <n>' },
  ),
  minConfidence: setting(
    () => z.nullable(z.number().check(z.gte(0), z.lte(100))),
    'exit with 7 when the confidence is lower than this (0–100) or unknown; null: any will do',
    { env: ['RLM_MIN_CONFIDENCE'], flag: '--min-confidence <n>', mayChange: true },
  ),
  schema: setting(
    () => z.nullable(z.union([z.string().check(z.minLength(1)), z.record(z.string(), z.unknown())])),
    'JSON Schema of the answer: a file, or the schema itself; exit with 7 where the answer cannot be put into it; null: the answer is prose',
    { env: ['RLM_SCHEMA'], flag: '--schema <file>', from: 'user' },
  ),
  confidenceMap: {
    evidence: setting(
      orNull(curve),
      'what a confidence of 0–1 in an answer of a model means: 1/(1+exp(-(constant+slope*confidence))), as rlm eval --fit writes it; null: it stays as it is',
      { from: 'user', mayChange: true },
    ),
    match: setting(orNull(curve), 'the same for answers that are quoted without a model', {
      from: 'user',
      mayChange: true,
    }),
  },
  evidence: {
    check: setting(
      () => z.enum(['words', 'model', 'off']),
      'how the claims of an answer are held against the text: words (their words, numbers, names and negations, without a model), model (then a model says yes or no, one call for each of the first 8 claims that do not stand there word for word), off',
      { env: ['RLM_EVIDENCE_CHECK'], mayChange: true },
    ),
    model: setting(
      orNull(text),
      'the model that checks claims, such as ollama/bespoke-minicheck, or onnx/ and the path of a folder with an ONNX model that classifies pairs of texts (docs/confidence.md); null: the one that answers',
      { env: ['RLM_EVIDENCE_MODEL'], from: 'user', mayChange: true },
    ),
  },
  prompts: setting(orNull(text), 'folder with prompt files of your own; null: only the shipped ones', {
    env: ['RLM_PROMPTS'],
    flag: '--prompts <dir>',
  }),
  role: setting(
    orNull(text),
    'what models are told to be, for a common job: repo-mapper, architecture, debugger, validation, a role of your own (rlm roles lists them), or the path of a markdown file; null: nothing',
    { env: ['RLM_ROLE'], flag: '--role <name>' },
  ),
  seed: setting(
    orNull(whole(0, 2 ** 31 - 1)),
    'random seed of every call, for the same replies to the same questions; null: none',
    { env: ['RLM_SEED'], flag: '--seed <n>' },
  ),
};
