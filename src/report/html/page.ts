/** A self-contained page. Its content security policy allows no requests and no script but its own. */
import { createHash } from 'node:crypto';
import { counted } from '../../base/counted.ts';
import type { Message } from '../../providers/provider.ts';
import { confidenceName, type Result } from '../../result.ts';
import type { Exchange, RunEvent } from '../../run/events.ts';
import type { PassageRef, TreeNode } from '../../state.ts';
import { pageScript, pageStyle } from '../page/assets.ts';
import {
  claimsOf,
  figuresOf,
  type JournalCall,
  nodesOf,
  placeOf,
  type ReportRun,
  statusNames,
  verdictAbout,
} from '../run.ts';
import { answerMarkup } from './answer.ts';
import { dataOf, html, Markup } from './markup.ts';
import {
  claimsMarkup,
  contradictionsMarkup,
  costsMarkup,
  critiqueMarkup,
  planMarkup,
  section,
  sourcesMarkup,
  warningsMarkup,
} from './sections.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns a page with the shared style. `script` runs after `body`; no other script can run. */
export function pageOf(title: string, body: Markup, script: string | null): string {
  const scripts = script === null ? "'none'" : hashOf(script);
  const policy = `default-src 'none'; style-src ${hashOf(pageStyle)}; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
  return `${
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
${body}
${script === null ? null : html`<script>${new Markup(script)}</script>`}
</body>
</html>`.text
  }\n`;
}

const circumference = 100;

/** Formats the confidence as a ring, with a dash when it is unknown. */
export function ringMarkup({ result }: Pick<ReportRun, 'result'>): Markup {
  const { confidence } = result;
  const name = confidenceName(result);
  const filled = ((confidence ?? 0) / 100) * circumference;
  const level = confidence === null ? 'unknown' : confidence >= 70 ? 'high' : confidence >= 40 ? 'middle' : 'low';
  return html`<div class="ring ${level}" role="img" aria-label="${name} ${confidence ?? 'unknown'}${confidence === null ? '' : ' of 100'}">
<svg viewBox="0 0 36 36" aria-hidden="true"><circle class="track" cx="18" cy="18" r="15.9155"/><circle class="arc" cx="18" cy="18" r="15.9155" stroke-dasharray="${filled} ${circumference}" transform="rotate(-90 18 18)"/></svg>
<span class="value" aria-hidden="true">${confidence ?? '–'}</span><span class="name" aria-hidden="true">${name}</span></div>`;
}

/**
 * Returns the status that colors the badge, and its words: an answer whose claims do not hold is not simply answered.
 */
function badgeOf({ result }: ReportRun): readonly [status: Result['status'], words: string] {
  const { status } = result;
  const faulty = claimsOf(result).filter(
    ({ verdict }) => verdict === 'unsupported' || verdict === 'contradicted',
  ).length;
  if (faulty === 0) return [status, statusNames[status]];
  const words = `${statusNames[status]}, ${counted(faulty, 'claim')} not borne out`;
  return [status === 'answered' ? 'partial' : status, words];
}

/** Formats the head of a page: the question, the figures and the confidence of a run. */
export function headMarkup(run: ReportRun): Markup {
  const { result } = run;
  const figures = figuresOf(result).map((figure) => html`<li>${figure}</li>`);
  const [status, shown] = badgeOf(run);
  return html`<header class="head"><div class="asked"><p class="brand"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="3" r="2.2"/><circle cx="3.4" cy="12.6" r="2.2"/><circle cx="12.6" cy="12.6" r="2.2"/><path d="M8 5v3M8 8L4.2 11M8 8l3.8 3"/></svg>rlm report</p>
<h1>${result.task}</h1>
<ul class="figures"><li class="status ${status}">${shown}</li>${figures}</ul></div>
${ringMarkup(run)}</header>`;
}

function legendMarkup({ result }: ReportRun): Markup | null {
  const claims = claimsOf(result);
  const verdicts = [...new Set(claims.map(({ verdict }) => verdict))];
  if (verdicts.length === 0) return null;
  const items = verdicts.map((verdict) => {
    const count = claims.filter((claim) => claim.verdict === verdict).length;
    return html`<li><span class="claim ${verdict}">${count} ${verdict}</span> ${verdictAbout[verdict]}</li>`;
  });
  return html`<ul class="legend">${items}</ul>`;
}

const errorMarkup = ({ result: { error } }: ReportRun): Markup | null =>
  error &&
  html`<div class="problem" role="note"><p>${error.message}</p>${error.hint ? html`<p class="hint">${error.hint}</p>` : null}</div>`;

function answerSection(run: ReportRun): Markup {
  const { answer } = run.result;
  const content = answer === null ? html`<p class="none">There is no answer.</p>` : answerMarkup(run.result);
  return html`<section id="answer" class="card answer"><h2>Answer</h2>${errorMarkup(run)}<div class="prose">${content}</div>
${legendMarkup(run)}${claimsMarkup(run)}</section>`;
}

const bytesText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function textMarkup({ text }: ReportRun): Markup | null {
  if (text === null || text.documents === 0) return null;
  const rows = text.first.map(
    ({ name, bytes }) => html`<tr><td>${name}</td><td class="figure">${bytesText(bytes)}</td></tr>`,
  );
  const more = text.documents - rows.length;
  return html`<details class="fold"><summary>${counted(text.documents, 'document')}, ${bytesText(text.bytes)}</summary><div class="wide" tabindex="0" role="region" aria-label="documents"><table><thead><tr><th scope="col">document</th><th scope="col" class="figure">size</th></tr></thead><tbody>${rows}</tbody></table></div>
${more > 0 ? html`<p>and ${counted(more, 'more document')}</p>` : null}</details>`;
}

function footMarkup({ result, at, trajectory }: ReportRun): Markup {
  const left = trajectory?.promptsLeftOut ?? 0;
  const notes = [
    ...(trajectory === null ? ['Prompts, times and the lines around citations are not kept with this run.'] : []),
    ...(left > 0 ? [`The prompts of ${counted(left, 'call')} are not kept.`] : []),
  ];
  const facts = [`run ${result.runId ?? 'without a record'}`, ...(at === null ? [] : [at])];
  return html`<footer>${notes.map((note) => html`<p>${note}</p>`)}<p>${facts.join(' · ')} · This page is self-contained and loads nothing.</p></footer>`;
}

const treeSection = html`<section id="tree" class="card" data-part="tree"><h2>How it was answered</h2>
<noscript><p>The tree of questions, their prompts and replies, and the timeline need scripts.</p></noscript></section>`;

/** Returns the report of a run as an HTML page. */
export function toHtml(run: ReportRun): string {
  const timeline = html`<section id="timeline" class="card" data-part="timeline" hidden><h2>Timeline</h2></section>`;
  const body = html`<a class="skip" href="#answer">Skip to the answer</a>
<main>${headMarkup(run)}
<div class="columns"><div class="column">${answerSection(run)}${section('contradictions', 'Contradictions', contradictionsMarkup(run))}
${section('warnings', 'Warnings', warningsMarkup(run))}${section('critique', 'Critique', critiqueMarkup(run))}</div>
<aside class="column" aria-label="sources"><section id="sources" class="card"><h2>Sources</h2>${sourcesMarkup(run)}${textMarkup(run)}</section></aside></div>
${treeSection}${timeline}${section('plan', 'Plan', planMarkup(run))}
${section('costs', 'Cost', costsMarkup(run))}
${footMarkup(run)}</main>
<script type="application/json" id="data">${dataOf(pageData(run))}</script>`;
  return pageOf(`${run.result.task.slice(0, 100)} – rlm report`, body, pageScript);
}

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

type Shown = (text: string) => string;

/**
 * Returns a function that replaces the ids of passages in a text, such as `[P60]`, which say nothing to a reader: by
 * the number of the source that the answer cites, else by the place of the passage.
 */
function createShown({ citations, recursionTree }: Result): Shown {
  const passages = recursionTree === null ? [] : nodesOf(recursionTree).flatMap((node) => node.passages);
  const marks = new Map(passages.map((passage) => [passage.id, placeOf(passage)]));
  for (const { passage, number } of citations.toReversed()) marks.set(passage, String(number));
  const markOf = (id: string) => marks.get(id) ?? id;
  return (text) =>
    text.replace(/\[(P\d+(?:, ?P\d+)*)\]/g, (_, ids: string) =>
      ids
        .split(/, ?/)
        .map((id) => `[${markOf(id)}]`)
        .join(''),
    );
}

/** Converts a question to a row of the tree. Long texts are given by number. */
function rowOf(node: TreeNode, texts: List, places: List, shown: Shown) {
  const { path, question, depth, status, strategy, strategyReason, assessment, certainty, calls, cacheHits } = node;
  return {
    ...{ path, question: shown(question), depth, status, strategy, certainty, calls, cacheHits, timeMs: node.timeMs },
    why: strategyReason,
    assessment,
    answer: node.answer === null ? null : texts.numberOf(shown(node.answer)),
    tokens: [node.tokens.input, node.tokens.output],
    passages: node.passages.map((passage) => passageOf(passage, places)),
    cites: node.citations.map((citation) => [places.numberOf(placeOf(citation)), citation.quote]),
    searches: (node.searches ?? []).map(({ query, found }) => [query, found.length]),
    steps: (node.steps ?? []).map((step) => stepOf(step, texts, shown)),
    assumptions: node.assumptions,
    error: node.error?.message ?? null,
  };
}

function stepOf({ number, thought, calls, findings, next }: TreeNode['steps'][number], texts: List, shown: Shown) {
  return {
    ...{ number, thought: shown(thought), next: shown(next) },
    calls: calls.map(({ tool, arguments: given, result, outcome }) => ({
      tool,
      outcome,
      given: texts.numberOf(codeOf(given) ?? jsonOf(given)),
      result: texts.numberOf(result),
    })),
    findings: findings.map((finding) => [
      shown(finding.description),
      finding.passage === null ? null : placeOf(finding),
    ]),
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
  const [texts, places, shown] = [createList(), createList(), createShown(result)];
  const rows =
    result.recursionTree === null ? [] : nodesOf(result.recursionTree).map((node) => rowOf(node, texts, places, shown));
  const exchanges = trajectory
    ? trajectory.exchanges.map((exchange) => exchangeOf(exchange, texts))
    : calls.map((call) => journalExchange(call, texts));
  return { rows, exchanges, timeline: timelineOf(run), texts: texts.all(), places: places.all() };
}
