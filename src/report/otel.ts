/** OpenTelemetry spans of a run: the run, its stages, questions, calls, tools and searches. */
import { createHash } from 'node:crypto';
import type { Exchange, RunEvent } from '../run/events.ts';
import type { ReportRun } from './run.ts';

type Value = string | number | null;

/** A span before it is encoded. Times are in ms since 1970. */
interface Span {
  /** Unique within the run. */
  readonly key: string;
  /** The key of the parent span. Null for the span of the run. */
  readonly parent: string | null;
  readonly name: string;
  readonly isRequest?: boolean;
  readonly from: number;
  readonly to: number;
  /** The error code. Null when the span did not fail. */
  readonly error: string | null;
  readonly attributes: Readonly<Record<string, Value>>;
}

const at = ({ at: time }: { readonly at: string }): number => Date.parse(time);

const isStage = (path: string): boolean => !/^\d/.test(path);

/** Returns the key of the span of a stage or node. */
const placeKey = (path: string): string => (isStage(path) ? `stage ${path}` : `node ${path}`);

const parentOf = (path: string): string =>
  path.includes('.') ? placeKey(path.slice(0, path.lastIndexOf('.'))) : 'stage reasoner';

/**
 * Returns the span that an event ends: a stage, a node, or a tool or search, which have no duration. Null for other
 * events.
 * @param judged the strategy of each node, by its path.
 */
function eventSpan(event: RunEvent, judged: ReadonlyMap<string, string>): Span | null {
  const to = at(event);
  if (event.type === 'stage.completed') {
    const { stage, timeMs } = event;
    const operation = stage === 'planner' || stage === 'retriever' ? operations[stage] : null;
    const attributes = { 'rlm.stage': stage, [names.operation]: operation };
    const name = operation ?? stage;
    return { key: `stage ${stage}`, parent: 'run', name, from: to - timeMs, to, error: null, attributes };
  }
  if (event.type === 'node.completed') {
    const { path, timeMs, status, tokens, error } = event;
    const strategy = judged.get(path) ?? 'question';
    const attributes = {
      ...{ [names.operation]: operations.node, [names.agent]: strategy, 'rlm.path': path, 'rlm.status': status },
      ...tokenAttributes(tokens),
    };
    const name = `${operations.node} ${strategy}`;
    const place = { key: placeKey(path), parent: parentOf(path), name };
    return { ...place, from: to - timeMs, to, error: error?.code ?? null, attributes };
  }
  if (event.type !== 'tool.called' && event.type !== 'search.completed') return null;
  const moment = { key: `event ${event.seq}`, parent: placeKey(event.path), from: to, to };
  if (event.type === 'search.completed') {
    const attributes = { [names.operation]: operations.search, 'rlm.passages': event.found.length };
    return { ...moment, name: operations.search, error: null, attributes };
  }
  const { tool, outcome } = event;
  const attributes = { [names.operation]: operations.tool, [names.tool]: tool, 'rlm.outcome': outcome };
  return { ...moment, name: `${operations.tool} ${tool}`, error: outcome === 'wrong' ? 'wrong' : null, attributes };
}

const tokenAttributes = ({ input, output }: Exchange['tokens']) => ({
  [names.inputTokens]: input,
  [names.outputTokens]: output,
});

/** Returns the messages and the reply of a call as attributes. */
const contentOf = ({ messages, reply }: Exchange): Record<string, Value> => ({
  [names.inputMessages]:
    messages && JSON.stringify(messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] }))),
  [names.outputMessages]:
    reply === null ? null : JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: reply }] }]),
});

function callSpan(exchange: Exchange, number: number, withContent: boolean): Span {
  const { path, prompt, provider, model, tokens, timeMs, error, messages } = exchange;
  const attributes = {
    ...{ [names.operation]: operations.call, [names.provider]: provider, [names.requestModel]: model },
    ...{ [names.responseModel]: error === null ? model : null, 'rlm.prompt': prompt },
    ...tokenAttributes(tokens),
    ...(withContent ? contentOf(exchange) : {}),
  };
  const place = { key: `call ${number}`, parent: placeKey(path), name: `${operations.call} ${model}` };
  // An exchange without messages ran in this process and called no model.
  const span = { ...place, isRequest: messages !== null, from: at(exchange), to: at(exchange) + timeMs };
  return { ...span, error: error && '_OTHER', attributes };
}

function runSpan({ result }: ReportRun, events: readonly RunEvent[]): Span {
  const { runId, status, usage, error, confidence, provider, model } = result;
  const attributes = {
    ...{ [names.operation]: operations.run, [names.provider]: provider, [names.requestModel]: model },
    ...tokenAttributes(usage.tokens),
    [names.cacheReadTokens]: usage.tokens.cacheRead,
    [names.cacheWrittenTokens]: usage.tokens.cacheWritten,
    ...{ 'rlm.run.id': runId, 'rlm.status': status, 'rlm.calls': usage.calls, 'rlm.confidence': confidence },
  };
  const [from, to] = [at(events[0]!), Math.max(...events.map(at))];
  return { key: 'run', parent: null, name: `${operations.run} rlm`, from, to, error: error?.code ?? null, attributes };
}

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;

const attributeOf = ([key, value]: readonly [string, Value]): object[] => {
  if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
  if (value === null) return [];
  return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
};

const attributesOf = (attributes: Span['attributes']) => Object.entries(attributes).flatMap(attributeOf);

/** The context and the content of the exported spans. */
export interface SpanContext {
  readonly service: string;
  /** Further resource attributes, such as the deployment environment. */
  readonly resource: Readonly<Record<string, string>>;
  /** The span of another program that is the parent of the run (W3C trace context). Null when there is none. */
  readonly traceparent: string | null;
  /** Whether prompts and replies are included. */
  readonly withContent: boolean;
}

const traceparentForm = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Encodes spans as OTLP. A span whose parent is missing, as in an interrupted run, becomes a child of the run. */
function encode(spans: readonly Span[], run: ReportRun, { traceparent }: SpanContext) {
  const seed = `${run.result.runId} ${run.at}`;
  const [, outerTrace, outerSpan] = traceparentForm.exec(traceparent ?? '') ?? [];
  const idOf = (key: string) => hashOf(`${seed} ${key}`, 16);
  const known = new Set(spans.map(({ key }) => key));
  return spans.map(({ key, parent, name, isRequest = false, from, to, error, attributes }) => {
    const parentId = parent === null ? outerSpan : idOf(known.has(parent) ? parent : 'run');
    return {
      traceId: outerTrace ?? hashOf(seed, 32),
      spanId: idOf(key),
      ...(parentId ? { parentSpanId: parentId } : {}),
      name,
      kind: isRequest ? 3 : 1,
      startTimeUnixNano: nanoseconds(from),
      endTimeUnixNano: nanoseconds(Math.max(from, to)),
      attributes: attributesOf({ ...attributes, [names.errorType]: error }),
      status: error === null ? {} : { code: 2 },
    };
  });
}

/** Returns a run as a request to a collector (OTLP/JSON). Null when no events of the run are known. */
export function toOtlp(run: ReportRun, context: SpanContext): object | null {
  const { events = [], exchanges = [] } = run.trajectory ?? {};
  if (events.length === 0) return null;
  const judged = new Map(
    events.flatMap((event) => (event.type === 'node.judged' ? [[event.path, event.strategy]] : [])),
  );
  const calls = exchanges
    .filter(({ call, error }) => call !== null || error !== null)
    .map((exchange, index) => callSpan(exchange, index, context.withContent));
  const ended = events.flatMap((event) => eventSpan(event, judged) ?? []);
  const spans = encode([runSpan(run, events), ...ended, ...calls], run, context);
  const attributes = attributesOf({ 'service.name': context.service, ...context.resource });
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'rlm' }, spans }] }] };
}

/**
 * Names of the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai). The conventions are
 * in development; when they change, only this file changes.
 */
const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrittenTokens: 'gen_ai.usage.cache_creation.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  errorType: 'error.type',
} as const;

/** The operation name of each kind of span. */
const operations = {
  run: 'invoke_workflow',
  planner: 'plan',
  retriever: 'retrieval',
  node: 'invoke_agent',
  call: 'chat',
  tool: 'execute_tool',
  search: 'retrieval',
} as const;
