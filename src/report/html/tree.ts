import { counted, duration, grouped, money } from '../../base/text.ts';
import { nodesOf, type Result } from '../../result.ts';
import type { Exchange } from '../../run/events.ts';
import type { TreeNode } from '../../state.ts';
import { type JournalCall, joined, placeOf, type ReportRun } from '../run.ts';
import { inlineMarkup } from './answer.ts';
import { type Content, html, listMarkup, type Markup, sectionMarkup, titled, titledList } from './markup.ts';
import { colourOf, legendMarkup } from './plot.ts';

interface Shared {
  /** The calls of each question and stage, by the question's path or the stage's name. */
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  readonly text: ReturnType<typeof createTexts>;
  /** Formats a text. The mark of a source that the answer cites becomes a link to this source. */
  readonly prose: (text: string) => readonly Markup[];
  readonly isOpen: boolean;
}

/** Returns a function that formats a text. A long text that the page already has becomes a link. */
function createTexts() {
  const shown = new Map<string, number>();
  return (label: string, text: string): Markup => {
    const known = shown.get(text);
    if (known !== undefined)
      return html`<p class="facts"><a href="#text-${known}">${label}: the same as before</a></p>`;
    const id = text.length < 200 ? null : html` id="text-${shown.size}"`;
    if (id !== null) shown.set(text, shown.size);
    return html`<pre${id} tabindex="0" role="group" aria-label="${label}">${text === '' ? '(empty)' : text}</pre>`;
  };
}

const fromJournal = ({ place, prompt, text: reply, tokens }: JournalCall): Exchange => ({
  ...{ call: null, path: place.split(/[ /]/, 1)[0]!, prompt, provider: '', model: '' },
  ...{ messages: null, reply, toolCalls: [], error: null, from: 'model', at: '', timeMs: 0, tokens, cost: null },
});

const folded = (summary: Content, content: Content): Markup =>
  html`<details class="fold"><summary>${summary}</summary>${content}</details>`;

const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? ''));

const callText = ({ name, arguments: given }: { readonly name: string; readonly arguments: unknown }): string =>
  `→ ${name} ${jsonOf(given)}`;

const originWords: Readonly<Record<Exchange['from'], string>> = {
  model: '',
  journal: 'from the journal',
  cassette: 'from a recording',
  run: 'reused from this run',
  cache: 'from the cache',
};

const roles = { system: 'system', user: 'prompt', assistant: 'model', tool: 'tool result' } as const;

const tokensText = ({ input, output }: Exchange['tokens']): string =>
  input + output === 0 ? '' : `${grouped(input)} in, ${grouped(output)} out`;

function exchangeMarkup(exchange: Exchange, { text }: Shared): Markup {
  const { prompt, call, provider, model, from, timeMs, tokens, cost, error, messages, reply, toolCalls } = exchange;
  const time = timeMs > 0 ? duration(timeMs) : '';
  const facts = [`${provider} ${model}`.trim(), time, tokensText(tokens), cost ? money(cost) : '', originWords[from]];
  const said = (messages ?? []).map((message) => {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []).map(callText) : [];
    return text(roles[message.role], [message.content, ...calls].join('\n'));
  });
  const replied = [reply ?? '', ...toolCalls.map(callText)].filter(Boolean).join('\n');
  return folded(
    html`<strong>${prompt}${call === null ? '' : ` #${call}`}</strong><span class="facts">${joined(facts)}</span>${error === null ? null : html` <span class="bad">failed</span>`}`,
    [
      messages === null ? html`<p class="none">Its prompt is not kept.</p>` : said,
      reply === null && replied === '' ? null : html`<div class="reply">${text('reply', replied)}</div>`,
      error === null ? null : html`<p class="bad">${error}</p>`,
    ],
  );
}

function givenText(given: unknown): string {
  const { code } = (given ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : jsonOf(given);
}

function stepMarkup({ number, thought, calls, findings, next }: TreeNode['steps'][number], shared: Shared): Markup {
  const { text, prose } = shared;
  const made = calls.map(({ tool, arguments: given, result, outcome }) =>
    folded(html`<strong>${tool}</strong>${outcome === 'done' ? null : html`<span class="bad">${outcome}</span>`}`, [
      text('arguments', givenText(given)),
      text('result', result),
    ]),
  );
  const found = findings.map((one) => [
    prose(one.description),
    ` · ${one.passage === null ? 'not in the text' : placeOf(one)}`,
  ]);
  return html`<p><strong>Step ${number}</strong> ${prose(thought)}</p>${made}${listMarkup(found)}${next === '' ? null : html`<p class="facts">next: ${prose(next)}</p>`}`;
}

function assessmentMarkup({ verdict, probability, reason }: NonNullable<TreeNode['assessment']>): Markup {
  const odds = typeof probability === 'number' ? ` (${Math.round(probability * 100)} % complex)` : '';
  return html`<p>${verdict}${odds}: ${reason}</p>`;
}

function blocksOf(node: TreeNode, exchanges: readonly Exchange[], shared: Shared): readonly (Markup | null)[] {
  const { answer, strategy, strategyReason, assessment, certainty, passages, error } = node;
  const { prose } = shared;
  const steps = node.steps.map((step) => stepMarkup(step, shared));
  const exchanged = exchanges.map((one) => exchangeMarkup(one, shared));
  const read = listMarkup(passages.map((one) => `${placeOf(one)} (${one.id})`));
  const cites = node.citations.map((one) => joined([placeOf(one), one.quote && `“${one.quote}”`]));
  const searches = node.searches.map(({ query, found }) => `“${query}”: ${counted(found.length, 'passage')}`);
  return [
    error && html`<p class="bad">${error.message}</p>`,
    answer === null ? null : titled('Answer', html`<p class="text">${prose(answer)}</p>`),
    strategyReason === '' ? null : titled('Strategy', html`<p>${strategy}: ${strategyReason}</p>`),
    assessment && titled('Assessment', assessmentMarkup(assessment)),
    certainty === null ? null : titled('Certainty of the rule', `${Math.round(certainty * 100)} %`),
    titledList('Citations', cites),
    titledList('Searches', searches),
    titledList('Steps', steps),
    titledList('Assumptions', node.assumptions),
    exchanges.length === 0 ? null : titled('Prompts and replies', exchanged),
    read && folded(counted(passages.length, 'passage'), read),
  ];
}

const signs = { answered: '✓', partial: '◐', unanswered: '✕' } as const;

const idOf = (path: string): string => `node-${path.replaceAll('.', '-')}`;

function questionMarkup(node: TreeNode, shared: Shared): Markup {
  const { path, question, status, strategy, calls, cacheHits, tokens, timeMs, children } = node;
  const exchanges = shared.exchanges.get(path) ?? [];
  const spent = tokens.input + tokens.output;
  const cost = exchanges.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  const facts = joined([
    calls > 0 && spent > 0 && counted(calls, 'call'),
    spent > 0 && `${grouped(spent)} tokens`,
    cost > 0 && money(cost),
    duration(timeMs),
    cacheHits > 0 && `${cacheHits} reused`,
  ]);
  const head = html`<span class="sign ${status}" aria-hidden="true">${signs[status]}</span><span class="question">${shared.prose(question)}</span><span class="unseen"> (${status})</span><span class="tag">${strategy}</span><span class="facts">${facts}</span>`;
  const own = html`<details class="node" id="${idOf(path)}"><summary>${head}</summary>${blocksOf(node, exchanges, shared)}</details>`;
  if (children.length === 0) return html`<li>${own}</li>\n`;
  const below = children.map((child) => questionMarkup(child, shared));
  return html`<li>${own}<details class="below"${shared.isOpen || path === '0' ? html` open` : null}><summary>${counted(children.length, 'part')}</summary><ul>${below}</ul></details></li>\n`;
}

function stageMarkup(stage: string, shared: Shared): Markup {
  const exchanges = shared.exchanges.get(stage)!;
  const spent = exchanges.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);
  const facts = joined([counted(exchanges.length, 'call'), `${grouped(spent)} tokens`]);
  return html`<li><details class="node" id="${idOf(stage)}"><summary><span class="sign" aria-hidden="true">•</span><span class="question">${stage}</span><span class="facts">${facts}</span></summary>${exchanges.map((one) => exchangeMarkup(one, shared))}</details></li>\n`;
}

/** Returns a function that replaces passage ids in a text, such as `[P60]`, by citation numbers or places. */
function createIdReplacer({ citations }: Result, nodes: readonly TreeNode[]): (text: string) => string {
  const marks = new Map(nodes.flatMap((node) => node.passages).map((passage) => [passage.id, placeOf(passage)]));
  for (const { passage, number } of citations.toReversed()) marks.set(passage, String(number));
  const named = (ids: string) => ids.split(/, ?/).map((id) => `[${marks.get(id) ?? id}]`);
  return (text) => text.replace(/\[(P\d+(?:, ?P\d+)*)\]/g, (_, ids: string) => named(ids).join(''));
}

/** Maximum number of questions in a tree that is shown fully open. */
const mostOpen = 60;

/** Returns the tree of questions, and the calls of the stages. Null if there are neither questions nor such calls. */
export function treeSection({ result, trajectory, calls }: ReportRun): Markup | null {
  const root = result.recursionTree;
  const nodes = root === null ? [] : nodesOf(root);
  const exchanges = new Map<string, readonly Exchange[]>();
  for (const one of trajectory?.exchanges ?? calls.map(fromJournal))
    exchanges.set(one.path, [...(exchanges.get(one.path) ?? []), one]);
  const known = new Set(result.citations.map(({ number }) => number));
  const replaceIds = createIdReplacer(result, nodes);
  const prose = (text: string) => inlineMarkup(replaceIds(text), known);
  const shared: Shared = { exchanges, prose, text: createTexts(), isOpen: nodes.length <= mostOpen };
  const paths = new Set(nodes.map(({ path }) => path));
  const others = [...exchanges.keys()].filter((path) => !paths.has(path));
  if (root === null && others.length === 0) return null;
  const stagesWhere = (isWanted: (name: string) => boolean) =>
    others.filter(isWanted).map((one) => stageMarkup(one, shared));
  const tree = root === null ? [] : [questionMarkup(root, shared)];
  const rows = [...stagesWhere((one) => one === 'planner'), ...tree, ...stagesWhere((one) => one !== 'planner')];
  return sectionMarkup('tree', 'How it was answered', html`<ul class="tree">${rows}</ul>`);
}

function lanesOf(calls: readonly { readonly from: number; readonly timeMs: number }[]): number[] {
  const ends: number[] = [];
  return calls.map(({ from, timeMs }) => {
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = from + timeMs;
    return lane;
  });
}

/** Draws a timeline of the calls. Null if no times of calls are known. */
export function timelineSection({ trajectory }: ReportRun): Markup | null {
  const [first] = trajectory?.events ?? [];
  if (!trajectory || !first) return null;
  const startedAt = Math.min(...[first, ...trajectory.exchanges].map(({ at }) => Date.parse(at)));
  const calls = trajectory.exchanges
    .filter(({ call, error }) => call !== null || error !== null)
    .map((exchange) => ({ ...exchange, from: Date.parse(exchange.at) - startedAt }))
    .sort((a, b) => a.from - b.from);
  if (calls.length === 0) return null;
  const stages = trajectory.events.filter((event) => event.type === 'stage.completed');
  const total = Math.max(1, ...calls.map(({ from, timeMs }) => from + timeMs));
  const kinds = [...new Set(calls.map(({ prompt }) => prompt))];
  const laneHeight = 22;
  const lanes = lanesOf(calls);
  const count = Math.max(...lanes) + 1;
  const x = (ms: number) => ((1000 * ms) / total).toFixed(1);
  const bars = calls.map(({ path, prompt, from, timeMs, error }, nth) => {
    const about = `${prompt} at ${path}, ${duration(timeMs)} from ${duration(from)}${error === null ? '' : ', failed'}`;
    return html`<a href="#${idOf(path)}" aria-label="${about}"><rect class="bar${error === null ? '' : ' failed'}" x="${x(from)}" y="${lanes[nth]! * laneHeight}" width="${x(Math.max(timeMs, total / 300))}" height="${laneHeight - 3}" fill="${colourOf(kinds.indexOf(prompt))}"><title>${about}</title></rect></a>`;
  });
  const facts = joined([
    counted(calls.length, 'call'),
    count > 1 ? `up to ${count} at once` : '',
    duration(total),
    ...stages.map(({ stage, timeMs }) => `${stage} ${duration(timeMs)}`),
  ]);
  const axis = [0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${duration(total * share)}</span>`);
  const height = count * laneHeight;
  return sectionMarkup(
    'timeline',
    'Timeline',
    html`<p class="facts">${facts}</p><svg class="lanes" viewBox="0 0 1000 ${height}" height="${height}" preserveAspectRatio="none" role="group" aria-label="calls in time: ${facts}">${bars}</svg><div class="axis" aria-hidden="true">${axis}</div>${legendMarkup(kinds)}`,
  );
}
