/**
 * The schemas of the output. They are shipped as JSON Schema, explained by `rlm help output`, and used by the tests to
 * validate real output. The types are in result.ts, state.ts and run/events.ts; a type test compares the two.
 */

import * as z from 'zod/mini';
import { errorCodes } from '../../errors.ts';
import { ladderSteps, strategyNames } from '../../state.ts';

const text = z.string();
const count = z.int().check(z.gte(0));
const percent = z.number().check(z.gte(0), z.lte(100));
const code = z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]);
const strategy = z.enum(strategyNames);
const list = <T extends z.ZodMiniType>(of: T) => z.readonly(z.array(of));

const error = z.object({ code, message: text, hint: text, retryable: z.boolean() });
const tokens = z.object({ input: count, output: count });
const sumOfTokens = z.object({ input: count, output: count, cacheRead: count, cacheWritten: count });
const cost = z.nullable(z.number().check(z.gte(0)));
const range = { source: text, startLine: count, endLine: count, startByte: count, endByte: count };
const citation = z.object({
  number: count,
  passage: text,
  ...range,
  hash: text,
  quote: z.nullable(text),
  origin: z.enum(['reply', 'code']).check(z.describe('whether the reply cited the passage, or code found it')),
});
const claim = z.object({
  text,
  start: count,
  end: count,
  citations: list(count),
  support: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  verdict: z.enum(['supported', 'partial', 'unsupported', 'contradicted', 'unchecked']),
  reason: z.nullable(text),
});
const side = z.object({ passage: text, source: text, startLine: count, endLine: count, quote: text });
const contradiction = z.object({ text, sides: z.readonly(z.tuple([side, side])) });
const passage = z.object({ id: text, ...range, score: z.number(), hash: text });
const critique = z.object({ score: percent, gaps: list(text), uncertainties: list(text), reasoning: text });
const assessment = z.object({
  verdict: z.enum(['SIMPLE', 'COMPLEX']),
  probability: z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
  reason: text,
});
const nodeStatus = z.enum(['answered', 'partial', 'unanswered']);

const plan = z.object({
  madeBy: z.enum(['code', 'planner']),
  approach: strategy,
  reason: text,
  taskDecomposition: list(text),
  keyQuestions: list(z.object({ question: text, needs: list(count) })),
  requiredInformation: list(text),
  successCriteria: list(text),
});

const rung = z.object({
  step: z.enum(ladderSteps),
  reason: text,
  doubt: z.nullable(text),
  answerable: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  isKept: z.boolean(),
});

const usage = z.object({
  calls: count,
  subCalls: count,
  failedCalls: count,
  retries: count,
  replayedCalls: count,
  cacheHits: count,
  tokens: sumOfTokens,
  embeddings: z.object({ requests: count, tokens: count, reused: count }),
  cost,
  models: list(z.object({ provider: text, model: text, calls: count, tokens: sumOfTokens, cost })),
  wallTimeMs: count,
});

const explored = z.object({
  description: text,
  evidence: text,
  source: text,
  startLine: count,
  endLine: count,
  confidence: percent,
  passage: z.nullable(text),
});
const outcome = z.enum(['done', 'same', 'wrong']);
const toolUse = z.object({ tool: text, arguments: z.unknown(), result: text, outcome });
const step = z.object({
  number: count,
  thought: text,
  calls: list(toolUse),
  findings: list(explored),
  next: text,
  summarisedTo: count,
});

const tells = z.enum(['all', 'part', 'nothing']);

const node = z.object({
  path: text,
  question: text,
  depth: count,
  status: nodeStatus,
  strategy,
  strategyReason: text,
  assessment: z.nullable(assessment),
  passages: list(passage),
  searches: list(z.object({ query: text, found: list(text) })),
  steps: list(step),
  answer: z.nullable(text),
  tells: z.nullable(tells),
  missing: list(text),
  citations: list(citation),
  assumptions: list(text),
  get children() {
    return list(node);
  },
  certainty: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  calls: count,
  cacheHits: count,
  tokens,
  timeMs: count,
  error: z.nullable(error),
});

/** Every field of the result, with a description. */
const resultFields = {
  schemaVersion: [z.literal(1), 'version of this shape; within one version fields are added, never changed'],
  runId: [z.nullable(text), 'the run; null when it could not begin'],
  status: [
    z.enum(['answered', 'partial', 'failed', 'cancelled']),
    'answered, partial (cut short by a limit, possibly without an answer), failed, or cancelled',
  ],
  task: [text, 'the question'],
  answer: [
    z.nullable(text),
    'the answer, with citation numbers such as [1], or JSON with --schema; null when there is none',
  ],
  tells: [
    z.nullable(tells),
    'how much of the question the answer tells, by the reply itself: all, part or nothing; null where it does not say',
  ],
  missing: [list(text), 'what the text that was read does not tell, as questions'],
  confidence: [z.nullable(percent), '0–100, computed from the evidence; null when it is unknown'],
  confidenceKind: [
    z.enum(['evidence', 'match']),
    'evidence: how well the citations support the answer; match: how likely the quoted sentences contain it (no model)',
  ],
  confidenceReason: [
    z.nullable(text),
    'what lowers the confidence, or why it is unknown; null when there is no reason',
  ],
  data: [
    z.unknown(),
    'with --schema: the answer as a value that conforms to the schema (answer is its JSON); otherwise null',
  ],
  fieldCitations: [
    z.nullable(z.record(text, list(citation))),
    'with --schema: the citations of each field of data, by JSON pointer (/owner/name); otherwise null',
  ],
  claims: [
    list(claim),
    'the sentences, list items and rows of the answer, each with its range in the answer, its citations, its support by the text (0–1), a verdict and what is wrong with it',
  ],
  contradictions: [list(contradiction), 'contradictions about the question between passages, with both sides'],
  critique: [z.nullable(critique), "the critic's score (0–100), gaps, uncertainties and reasoning"],
  citations: [list(citation), 'the cited passages: source, lines, bytes, hash of the passage, quote'],
  plan: [z.nullable(plan), 'approach, key questions, required information, success criteria'],
  ladder: [list(rung), 'the steps toward the answer: why each step was taken, and what its answer left open'],
  recursionTree: [z.nullable(node), 'every question asked, with passages, answers, calls, tokens and time'],
  toolExecutions: [list(toolUse), 'always empty'],
  usage: [usage, 'calls, tokens and time of the whole run; embeddings are counted separately'],
  provider: [z.nullable(text), 'the provider that answered'],
  model: [z.nullable(text), 'the model that answered'],
  stopReason: [
    z.union([z.literal('completed'), code]),
    'completed, or the code of the error that ended the run early, left a part unanswered, or put the answer below the bar',
  ],
  warnings: [list(text), 'warnings about the run'],
  resumable: [z.boolean(), 'whether rlm resume can continue the run: it was recorded and is not finished'],
  error: [z.nullable(error), 'code, message, hint (what to do next) and retryable; null when there was no error'],
} as const;

type FieldTable = typeof resultFields;
type Shape = { [K in keyof FieldTable]: FieldTable[K][0] };

/** The one object of `--json`. */
export const resultSchema = z.object(
  Object.fromEntries(Object.entries(resultFields).map(([name, [schema]]) => [name, schema])) as unknown as Shape,
);

/** The fields of the result with their descriptions, for help and docs. */
export const resultFieldsAbout: readonly (readonly [name: string, about: string])[] = Object.entries(resultFields).map(
  ([name, [, about]]) => [name, about],
);

const stage = z.enum(['planner', 'retriever', 'reasoner', 'critic', 'form']);
const call = { call: count, path: text };
const servedBy = { provider: text, model: text };
const prompt = text;

const callTokens = z.object({ ...tokens.shape, cacheRead: z.optional(count), cacheWritten: z.optional(count) });

/** The fields and the description of each event type. */
const eventFields = {
  'run.started': [
    {
      task: text,
      provider: text,
      model: text,
      documents: count,
      bytes: count,
      fits: z.boolean(),
      recordedCalls: count,
      atMost: z.nullable(z.object({ calls: count, tokens: count, usd: z.number() })),
      limits: z.object({ calls: count, tokens: z.nullable(count), usd: cost, wallTimeMs: count }),
    },
    'the run begins; always the first event',
  ],
  warning: [{ message: text }, 'a warning about the run'],
  'stage.started': [{ stage }, 'a stage begins, such as planner, retriever, reasoner or critic'],
  'stage.completed': [{ stage, timeMs: count }, 'a stage ended'],
  plan: [{ plan }, 'the plan of the planner'],
  'evidence.checked': [
    { answer: text, claims: list(claim), contradictions: list(contradiction) },
    'the claims of the answer were checked against the text',
  ],
  'node.started': [{ path: text, depth: count, question: text }, 'work on a question of the recursion tree begins'],
  'node.judged': [
    { path: text, strategy, reason: text, assessment: z.nullable(assessment) },
    'the strategy for a question, and why it was chosen',
  ],
  'ladder.climbed': [
    { step: z.enum(ladderSteps), reason: text },
    'the answer of the previous step left a doubt, and another step begins',
  ],
  'node.completed': [
    { path: text, status: nodeStatus, calls: count, cacheHits: count, tokens, timeMs: count, error: z.nullable(error) },
    'work on a question ended, with or without an answer',
  ],
  'call.started': [{ ...call, ...servedBy, prompt, repair: z.boolean() }, 'a model call begins'],
  'call.progress': [
    { ...call, characters: count, thinkingMs: z.optional(count) },
    'the reply of a call is arriving; `thinkingMs`: how long its model has been thinking, while it does',
  ],
  'answer.progress': [
    { call: count, from: count, text },
    'text of the answer as it arrives, unchecked: `text` replaces everything from character `from` on; a different `call` starts over',
  ],
  'call.retried': [{ ...call, attempt: count, waitMs: count, error }, 'a call failed and will be tried again'],
  'call.completed': [
    {
      ...call,
      ...servedBy,
      prompt,
      from: z.enum(['model', 'journal', 'cassette']),
      reply: z.enum(['ok', 'repaired', 'failed']),
      tokens: callTokens,
      cost,
      timeMs: count,
    },
    'a call has its reply: where it came from, and whether it could be parsed',
  ],
  'call.reused': [
    { path: text, prompt, from: z.enum(['run', 'cache']) },
    'no call was needed: this run, or an earlier run with the cache, already made the same request',
  ],
  'call.missing': [{ path: text, prompt }, 'a replay needed a call that the recording does not hold'],
  'call.failed': [
    { ...call, ...servedBy, prompt, error, spent: z.optional(z.object({ tokens: callTokens, cost })), timeMs: count },
    'a call failed and will not be tried again; `spent`: what a reply of nothing but thinking took',
  ],
  'scan.started': [
    {
      path: text,
      pieces: count,
      chosen: count,
      bytes: count,
      chosenBytes: count,
      fewestCalls: count,
      mostCalls: count,
      callsLeft: count,
    },
    'a scan of the whole text begins: the number of pieces, how many of them the budget covers, and the fewest and most calls',
  ],
  'search.completed': [
    { path: text, query: text, found: list(text) },
    'a further search was made, because a reply asked for it or the first search did not find enough: its query and passages',
  ],
  'tool.called': [
    { path: text, step: count, call: count, tool: text, arguments: z.unknown(), outcome, result: text },
    'an exploration called a tool: its arguments, its outcome, and the beginning of the result',
  ],
  'step.completed': [
    {
      path: text,
      step: count,
      thought: text,
      next: text,
      findings: list(explored),
      summarisedTo: count,
      timeMs: count,
    },
    'a step of an exploration ended: its thought and findings, and the last step that the model saw only as a summary',
  ],
  'embedding.completed': [
    { requests: count, made: count, reused: count, tokens: count, timeMs: count },
    'vectors of passages or of a question were computed or taken from the cache',
  ],
  'embedding.retried': [
    { attempt: count, waitMs: count, error },
    'a request for vectors failed and will be tried again',
  ],
  'index.progress': [{ done: count, chunks: count }, 'how many passages have vectors'],
  'run.stopped': [
    { error },
    'the run ended early because of a limit, the user, or a call that is not in the recording',
  ],
} as const;

const everyEvent = { seq: count, at: text, runId: text };
const lastEvent = { seq: count, at: text, runId: z.nullable(text), result: resultSchema };

/** One line of `--format ndjson`. */
export const eventSchema = z.union([
  ...Object.entries(eventFields).map(([type, [fields]]) =>
    z.object({ type: z.literal(type), ...everyEvent, ...fields }),
  ),
  z.object({ type: z.literal('run.completed'), ...lastEvent }),
  z.object({ type: z.literal('run.failed'), ...lastEvent }),
]);

/** The event types with their descriptions, for help and docs. */
export const eventsAbout: readonly (readonly [type: string, about: string])[] = [
  ...Object.entries(eventFields).map(([type, [, about]]) => [type, about] as const),
  [
    'run.completed',
    'the last event unless the status is failed; contains the result, which may have no answer after a limit or Ctrl-C',
  ],
  ['run.failed', 'the last event when the status is failed; contains the result'],
];

/** The one object of `--dry-run --json`. */
export const dryRunSchema = z.object({
  schemaVersion: z.literal(1),
  dryRun: z.literal(true),
  task: text,
  provider: text,
  model: text,
  models: list(
    z.object({
      provider: text,
      model: text,
      digest: z.nullable(text),
      callsAtOnce: count,
      windowTokens: count,
      price: z.nullable(z.object({ input: z.number(), output: z.number() })),
    }),
  ),
  documents: list(z.object({ name: text, bytes: count, lines: count })),
  description: text,
  bytes: count,
  tokens: count,
  windowTokens: count,
  fits: z.boolean(),
  approach: z.nullable(strategy),
  approachReason: text,
  plannerMayChoose: list(strategy),
  mayClimbTo: list(strategy),
  fewestCalls: count,
  reading: z.nullable(z.object({ pieces: count, fewestCalls: count, mostCalls: count })),
  worstCase: z.object({ calls: count, tokens: count, usd: cost }),
  pricesOf: z.nullable(text),
  estimatedSeconds: z.nullable(count),
  timeout: z.number().check(z.gt(0)),
  warnings: list(text),
});

const value = z.nullable(z.union([text, z.number()]));

/** The one object of `rlm query SQL --json`. */
export const queryResultSchema = z.object({
  columns: list(text),
  rows: list(list(value)),
  rowCount: count,
  isCounted: z.boolean(),
  citations: list(z.object({ document: text, startLine: count, endLine: count })),
  moreCitations: count,
  isAggregate: z.boolean(),
  sql: text,
  timeMs: count,
  notes: list(text),
});

/** The one object of `rlm query --json`, without SQL. */
export const tablesSchema = z.object({
  tables: list(
    z.object({
      name: text,
      about: z.nullable(text),
      columns: list(z.object({ name: text, type: z.enum(['TEXT', 'INTEGER', 'REAL', 'JSON', 'ANY']) })),
      rows: count,
      isCounted: z.boolean(),
      samples: list(list(value)),
      times: z.nullable(z.object({ first: text, last: text })),
      documents: list(text),
      moreDocuments: count,
    }),
  ),
  notes: list(text),
});

/** The JSON Schemas that ship with the package, by file name. */
export function outputSchemas(): Record<string, object> {
  const schemas = {
    result: resultSchema,
    event: eventSchema,
    'dry-run': dryRunSchema,
    query: queryResultSchema,
    tables: tablesSchema,
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, z.toJSONSchema(schema)]));
}
