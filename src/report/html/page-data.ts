/** The data for the script of a page: the tree, prompts with replies, and the timeline. */
import type { Message } from '../../providers/provider.ts';
import type { RunEvent } from '../../run/events.ts';
import type { Exchange } from '../../run/exchange.ts';
import type { PassageRef, TreeNode } from '../../state.ts';
import { nodesOf, placeOf } from '../figures.ts';
import type { JournalCall, ReportRun } from '../run.ts';

/** Creates a list that stores each text once. The rest of the data refers to a text by its number. */
function createList() {
  const numbers = new Map<string, number>();
  return {
    numberOf(text: string): number {
      const known = numbers.get(text) ?? numbers.size;
      numbers.set(text, known);
      return known;
    },
    all: () => [...numbers.keys()],
  };
}

type List = ReturnType<typeof createList>;

const jsonOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? ''));

const messageOf = (message: Message, texts: List) => {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const called = calls.map((call) => `\n→ ${call.name} ${jsonOf(call.arguments)}`).join('');
  return { role: message.role, text: texts.numberOf(message.content + called) };
};

function exchangeOf(exchange: Exchange, texts: List) {
  const { call, path, prompt, provider, model, messages, reply, toolCalls, error, from, timeMs, tokens, cost } =
    exchange;
  const called = toolCalls.map((one) => `→ ${one.name} ${jsonOf(one.arguments)}`).join('\n');
  const replyText = [reply ?? '', called].filter(Boolean).join('\n');
  return {
    ...{ call, path, prompt, model: texts.numberOf(`${provider} ${model}`), timeMs },
    from: from === 'model' ? null : from,
    cost: cost && Number(cost.toPrecision(3)),
    tokens: [tokens.input, tokens.output],
    error,
    messages: messages?.map((message) => messageOf(message, texts)) ?? null,
    reply: reply === null && called === '' ? null : texts.numberOf(replyText),
  };
}

/** Converts a call from the journal, for a run without a trajectory. */
function journalExchange({ place, prompt, text, tokens }: JournalCall, texts: List) {
  const [path = ''] = place.split(/[ /]/, 1);
  return {
    ...{ call: null, path, prompt, model: null, from: null, timeMs: null, cost: null, error: null, messages: null },
    tokens: [tokens.input, tokens.output],
    reply: texts.numberOf(text),
  };
}

const passageOf = (passage: PassageRef, places: List) => [
  passage.id,
  places.numberOf(placeOf(passage)),
  Number(passage.score.toPrecision(3)),
];

/** Converts a question to a row of the tree. Long texts are given by number. */
function rowOf(node: TreeNode, texts: List, places: List) {
  const { path, question, depth, status, strategy, strategyReason, assessment, certainty, calls, cacheHits } = node;
  return {
    ...{ path, question, depth, status, strategy, certainty, calls, cacheHits, timeMs: node.timeMs },
    why: strategyReason,
    assessment,
    answer: node.answer === null ? null : texts.numberOf(node.answer),
    tokens: [node.tokens.input, node.tokens.output],
    passages: node.passages.map((passage) => passageOf(passage, places)),
    cites: node.citations.map((citation) => [places.numberOf(placeOf(citation)), citation.quote]),
    searches: (node.searches ?? []).map(({ query, found }) => [query, found.length]),
    steps: (node.steps ?? []).map((step) => stepOf(step, texts)),
    assumptions: node.assumptions,
    error: node.error?.message ?? null,
  };
}

function stepOf({ number, thought, calls, findings, next }: TreeNode['steps'][number], texts: List) {
  return {
    ...{ number, thought, next },
    calls: calls.map(({ tool, arguments: given, result, outcome }) => ({
      tool,
      outcome,
      given: texts.numberOf(codeOf(given) ?? jsonOf(given)),
      result: texts.numberOf(result),
    })),
    findings: findings.map((finding) => [finding.description, finding.passage === null ? null : placeOf(finding)]),
  };
}

/** Returns the code in the arguments of a tool call. Null when there is none. */
function codeOf(given: unknown): string | null {
  const code = typeof given === 'object' && given !== null ? (given as { readonly code?: unknown }).code : null;
  return typeof code === 'string' ? code : null;
}

/** A bar of the timeline: a stage or a call. */
interface Bar {
  readonly kind: string;
  readonly path: string;
  /** In ms from the start of the run. */
  readonly from: number;
  readonly timeMs: number;
  readonly failed: boolean;
}

function stageBars(events: readonly RunEvent[], startedAt: number): Bar[] {
  return events.flatMap((event) => {
    if (event.type !== 'stage.completed') return [];
    const from = Date.parse(event.at) - event.timeMs - startedAt;
    return [{ kind: 'stage', path: event.stage, from, timeMs: event.timeMs, failed: false }];
  });
}

function callBars(exchanges: readonly Exchange[], startedAt: number): Bar[] {
  return exchanges.flatMap(({ call, path, prompt, at, timeMs, error }) => {
    if (call === null && error === null) return [];
    const from = Math.max(0, Date.parse(at) - startedAt);
    return [{ kind: prompt, path, from, timeMs, failed: error !== null }];
  });
}

function timelineOf({ trajectory, result }: ReportRun) {
  const [first] = trajectory?.events ?? [];
  if (!trajectory || !first) return null;
  const startedAt = Math.min(Date.parse(first.at), ...trajectory.exchanges.map(({ at }) => Date.parse(at)));
  const bars = [...stageBars(trajectory.events, startedAt), ...callBars(trajectory.exchanges, startedAt)];
  const lasts = Math.max(1, ...bars.map(({ from, timeMs }) => from + timeMs));
  return { bars, timeMs: lasts, wallTimeMs: result.usage.wallTimeMs };
}

/** Returns the data of a run for the script of its page. */
export function pageData(run: ReportRun) {
  const { result, trajectory, calls } = run;
  const [texts, places] = [createList(), createList()];
  const rows =
    result.recursionTree === null ? [] : nodesOf(result.recursionTree).map((node) => rowOf(node, texts, places));
  const exchanges = trajectory
    ? trajectory.exchanges.map((exchange) => exchangeOf(exchange, texts))
    : calls.map((call) => journalExchange(call, texts));
  return { rows, exchanges, timeline: timelineOf(run), texts: texts.all(), places: places.all() };
}
