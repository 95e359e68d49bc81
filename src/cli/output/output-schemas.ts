/**
 * The shape of the output as schemas: shipped as JSON Schema, explained by `rlm help output`, and what the tests hold
 * real output against. The types are in result.ts, state.ts and run/events.ts; a type test keeps the two in step.
 */

import * as z from 'zod/mini';
import { errorCodes } from '../../errors.ts';
import { ladderSteps, strategyNames } from '../../index.ts';

const text = z.string();
const count = z.int().check(z.gte(0));
const percent = z.number().check(z.gte(0), z.lte(100));
const code = z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]);
const strategy = z.enum(strategyNames);
const list = <T extends z.ZodMiniType>(of: T) => z.readonly(z.array(of));

const error = z.object({ code, message: text, hint: text, retryable: z.boolean() });
const tokens = z.object({ input: count, output: count });
const cost = z.nullable(z.number().check(z.gte(0)));
const range = { source: text, startLine: count, endLine: count, startByte: count, endByte: count };
const citation = z.object({
  number: count,
  passage: text,
  ...range,
  hash: text,
  quote: z.nullable(text),
  origin: z.enum(['reply', 'code']).check(z.describe('who named the passage: the reply, or code that found the words')),
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

const rung = z.object({ step: z.enum(ladderSteps), reason: text, doubt: z.nullable(text), isKept: z.boolean() });

const usage = z.object({
  calls: count,
  subCalls: count,
  failedCalls: count,
  retries: count,
  replayedCalls: count,
  cacheHits: count,
  tokens,
  embeddings: z.object({ requests: count, tokens: count, reused: count }),
  cost,
  models: list(z.object({ provider: text, model: text, calls: count, tokens, cost })),
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

/** Every field of the result with what it means. */
const resultFields = {
  schemaVersion: [z.literal(1), 'version of this shape; within one version fields are added, never changed'],
  runId: [z.nullable(text), 'the run; null when it could not begin'],
  status: [
    z.enum(['answered', 'partial', 'failed', 'cancelled']),
    'answered, partial (cut short: by a limit, perhaps before any answer), failed, or cancelled',
  ],
  task: [text, 'the question'],
  answer: [
    z.nullable(text),
    'the answer, with citation numbers such as [1], or JSON with --schema; null when there is none',
  ],
  confidence: [z.nullable(percent), '0–100, computed from the evidence; null when there is none'],
  confidenceKind: [
    z.enum(['evidence', 'match']),
    'evidence: how far the citations bear the answer out; match: how likely quoted sentences hold it (no model)',
  ],
  confidenceReason: [z.nullable(text), 'what holds the confidence down, or why there is none; null when nothing does'],
  data: [
    z.unknown(),
    'with --schema: the answer as a value that conforms, of which answer is the JSON; null without, and where there is none',
  ],
  fieldCitations: [
    z.nullable(z.record(text, list(citation))),
    'with --schema: what each field of data rests on, by JSON pointer (/owner/name); null without',
  ],
  claims: [
    list(claim),
    'the sentences, list items and rows of the answer, each with its range there, its citations, how well the text bears it out (0–1) and what is wrong with it',
  ],
  contradictions: [
    list(contradiction),
    'where the passages that were read contradict each other about the question, with both sides',
  ],
  critique: [z.nullable(critique), "the critic's score (0–100), gaps, uncertainties and reasoning"],
  citations: [list(citation), 'what the answer rests on: source, lines, bytes, hash of the passage, quote'],
  plan: [z.nullable(plan), 'approach, key questions, required information, success criteria'],
  ladder: [
    list(rung),
    'how far it was gone for the answer: each step, why it was taken, and what its answer left open',
  ],
  recursionTree: [z.nullable(node), 'every question asked, with passages, answers, calls, tokens and time'],
  toolExecutions: [
    list(toolUse),
    'what the answer still asked for, or claimed, and tools have done (stages.toolExecutor): with what, and what it came to',
  ],
  usage: [usage, 'calls, tokens and time of the whole run; embeddings are counted on their own'],
  provider: [z.nullable(text), 'who answered'],
  model: [z.nullable(text), 'with which model'],
  stopReason: [
    z.union([z.literal('completed'), code]),
    'completed, or the code of the error: what ended the run early, left a part unanswered, or held the answer below the bar',
  ],
  warnings: [list(text), 'what should be known about the run'],
  resumable: [z.boolean(), 'whether rlm resume can go on with the run: it was recorded, and something is left to do'],
  error: [z.nullable(error), 'code, message, hint (what to do next) and retryable; null when all went well'],
} as const;

type FieldTable = typeof resultFields;
type Shape = { [K in keyof FieldTable]: FieldTable[K][0] };

/** The one object of `--json`. */
export const resultSchema = z.object(
  Object.fromEntries(Object.entries(resultFields).map(([name, [schema]]) => [name, schema])) as unknown as Shape,
);

/** The fields of the result with what they mean, for people. */
export const resultFieldsAbout: readonly (readonly [name: string, about: string])[] = Object.entries(resultFields).map(
  ([name, [, about]]) => [name, about],
);

const stage = z.enum(['planner', 'retriever', 'reasoner', 'toolExecutor', 'critic', 'form']);
const call = { call: count, path: text };
const servedBy = { provider: text, model: text };
const prompt = text;

/** Every event by its type: its own fields, and what it says. */
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
      limits: z.object({ calls: count, tokens: z.nullable(count), usd: cost, wallTimeMs: count }),
    },
    'the run begins; always the first event',
  ],
  warning: [{ message: text }, 'something that should be known'],
  'stage.started': [{ stage }, 'planner, retriever, reasoner or critic begins'],
  'stage.completed': [{ stage, timeMs: count }, 'it ended well'],
  plan: [{ plan }, 'what the planner decided'],
  'evidence.checked': [
    { answer: text, claims: list(claim), contradictions: list(contradiction) },
    'what the answer claims was held against the text',
  ],
  'node.started': [{ path: text, depth: count, question: text }, 'a question in the recursion tree is taken up'],
  'node.judged': [
    { path: text, strategy, reason: text, assessment: z.nullable(assessment) },
    'how it will be answered, and why',
  ],
  'ladder.climbed': [{ step: z.enum(ladderSteps), reason: text }, 'the answer of the step before left a doubt'],
  'node.completed': [
    { path: text, status: nodeStatus, calls: count, cacheHits: count, tokens, timeMs: count, error: z.nullable(error) },
    'it has its answer, or not',
  ],
  'call.started': [{ ...call, ...servedBy, prompt, repair: z.boolean() }, 'a model call begins'],
  'call.progress': [{ ...call, characters: count }, 'its reply is arriving'],
  'answer.progress': [
    { call: count, from: count, text },
    'words of the answer as they come, unchecked: `text` replaces all from the character `from` on; another call begins anew',
  ],
  'call.retried': [{ ...call, attempt: count, waitMs: count, error }, 'it failed and will be tried again'],
  'call.completed': [
    {
      ...call,
      ...servedBy,
      prompt,
      from: z.enum(['model', 'journal', 'cassette']),
      reply: z.enum(['ok', 'repaired', 'failed']),
      tokens,
      cost,
      timeMs: count,
    },
    'its reply came, from whom, and how it could be read',
  ],
  'call.reused': [
    { path: text, prompt, from: z.enum(['run', 'cache']) },
    'no call was needed: the same was asked before, in this run or (with a cache) in another',
  ],
  'call.failed': [{ ...call, ...servedBy, prompt, error, timeMs: count }, 'it failed for good'],
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
    'all of the text will be read: in how many pieces, how many of them the budget pays for, and the calls at least and at most',
  ],
  'search.completed': [
    { path: text, query: text, found: list(text) },
    'a further search was made, since a reply asked for it or the first one did not find enough: its words, and the passages that it brought',
  ],
  'tool.called': [
    { path: text, step: count, call: count, tool: text, arguments: z.unknown(), outcome, result: text },
    'an exploration called a tool: with what, whether that was right, and how the result begins',
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
    'a step of an exploration is over: what was thought and found, and up to which step the model saw the others in short',
  ],
  'embedding.completed': [
    { requests: count, made: count, reused: count, tokens: count, timeMs: count },
    'vectors of some passages, or of a question, were made, or found among those that are kept',
  ],
  'embedding.retried': [
    { attempt: count, waitMs: count, error },
    'a request for vectors failed and will be tried again',
  ],
  'index.progress': [{ done: count, chunks: count }, 'how many passages have their vectors'],
  'run.stopped': [{ error }, 'a limit, the user, or a call that a recording lacks ended the run early'],
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

/** The event types with what they say, for people. */
export const eventsAbout: readonly (readonly [type: string, about: string])[] = [
  ...Object.entries(eventFields).map(([type, [, about]]) => [type, about] as const),
  [
    'run.completed',
    'the last event unless the status is failed; holds the result, in which a limit or Ctrl-C may have left no answer',
  ],
  ['run.failed', 'the last event when the status is failed; holds the result'],
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

/** The JSON Schemas that ship with the package, by file name. */
export function outputSchemas(): Record<string, object> {
  const schemas = { result: resultSchema, event: eventSchema, 'dry-run': dryRunSchema };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, z.toJSONSchema(schema)]));
}
