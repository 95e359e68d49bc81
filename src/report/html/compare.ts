/** A page that compares two runs. */
import { duration, grouped, money } from '../../base/text.ts';
import type { Result } from '../../result.ts';
import { checkedClaims, nodesOf, placeOf, type ReportRun, servedText, statusNames } from '../run.ts';
import { answerMarkup } from './answer.ts';
import { type Content, html, listMarkup, type Markup, pageOf, sectionMarkup, tableMarkup } from './markup.ts';
import { ringMarkup } from './page.ts';

/** A figure of a run. */
interface Figure {
  readonly name: string;
  /** Which values are better. Null when neither direction is. */
  readonly better: 'more' | 'less' | null;
  /** Returns the figure. Null when it is unknown. */
  value(result: Result): number | null;
  readonly show: (value: number) => string;
}

const supported = (result: Result): number | null => {
  const claims = checkedClaims(result);
  return claims.length === 0 ? null : claims.filter(({ verdict }) => verdict === 'supported').length / claims.length;
};

const figures: readonly Figure[] = [
  { name: 'confidence', better: 'more', value: ({ confidence }) => confidence, show: String },
  { name: 'claims supported', better: 'more', value: supported, show: (share) => `${Math.round(share * 100)} %` },
  { name: 'citations', better: null, value: ({ citations }) => citations.length, show: String },
  { name: 'time', better: 'less', value: ({ usage }) => usage.wallTimeMs, show: duration },
  { name: 'calls', better: 'less', value: ({ usage }) => usage.calls, show: grouped },
  { name: 'tokens in', better: 'less', value: ({ usage }) => usage.tokens.input, show: grouped },
  { name: 'tokens out', better: 'less', value: ({ usage }) => usage.tokens.output, show: grouped },
  { name: 'cost', better: 'less', value: ({ usage }) => usage.cost, show: money },
  {
    name: 'questions',
    better: null,
    value: ({ recursionTree }) => (recursionTree === null ? 0 : nodesOf(recursionTree).length),
    show: String,
  },
  { name: 'warnings', better: 'less', value: ({ warnings }) => warnings.length, show: String },
];

/** Returns the index of the better value: 0, 1, or -1 for neither. */
function winner({ better }: Figure, a: number | null, b: number | null): number {
  if (better === null || a === null || b === null || a === b) return -1;
  return a > b === (better === 'more') ? 0 : 1;
}

function figureRow(figure: Figure, results: readonly Result[]): readonly Content[] {
  const values = results.map((result) => figure.value(result));
  const best = winner(figure, values[0] ?? null, values[1] ?? null);
  const cells = values.map((value, index) => {
    const shown = value === null ? '–' : figure.show(value);
    if (index !== best) return shown;
    return html`<span class="better">${shown} <span aria-hidden="true">◀</span><span class="unseen"> (better)</span></span>`;
  });
  return [figure.name, ...cells];
}

const letters = ['A', 'B'] as const;

const placesOf = ({ citations }: Result): string[] => [...new Set(citations.map(placeOf))];

const list = (items: readonly string[]): Markup => listMarkup(items) ?? html`<p class="none">none</p>`;

/** Lists the lines that both runs cite, and the lines that only one of them cites. */
function sourcesDifference([a, b]: readonly [Result, Result]): Markup {
  const [first, second] = [placesOf(a), placesOf(b)];
  const both = first.filter((place) => second.includes(place));
  const only = (own: readonly string[]) => list(own.filter((place) => !both.includes(place)));
  return html`<div class="block"><h3>Both cite</h3>${list(both)}</div>
<div class="pair"><div class="block"><h3>Only A</h3>${only(first)}</div><div class="block"><h3>Only B</h3>${only(second)}</div></div>`;
}

const treeMarkup = (node: Result['recursionTree'] & object): Markup =>
  html`<li>${node.question} <span class="facts">${node.strategy} · ${node.status}</span>${node.children.length === 0 ? null : html`<ul>${node.children.map(treeMarkup)}</ul>`}</li>`;

function runColumn(run: ReportRun, letter: string): Markup {
  const { result } = run;
  const answer =
    result.answer === null ? html`<p class="none">There is no answer.</p>` : answerMarkup(result, `${letter}-`);
  const sources = result.citations.map(
    (citation) =>
      html`<li id="${letter}-source-${citation.number}" value="${citation.number}">${placeOf(citation)}</li>`,
  );
  return html`<section class="card" aria-label="run ${letter}"><h2>${letter} · run ${result.runId ?? ''}</h2>
<div class="head"><div><ul class="figures"><li class="status ${result.status}">${statusNames[result.status]}</li><li>${servedText(result)}</li></ul></div>${ringMarkup(run)}</div>
<div class="prose">${answer}</div>${sources.length > 0 ? html`<div class="block"><h3>Sources</h3><ol>${sources}</ol></div>` : null}
${result.recursionTree ? html`<div class="block"><h3>Questions</h3><ul>${treeMarkup(result.recursionTree)}</ul></div>` : null}</section>`;
}

/** Returns an HTML page that compares the figures, answers, sources and questions of two runs. */
export function toComparison(first: ReportRun, second: ReportRun): string {
  const runs = [first, second] as const;
  const results = [first.result, second.result] as const;
  const tasks = [...new Set(results.map(({ task }) => task))];
  const body = html`<main><header class="head"><div><p class="brand">rlm report</p>${tasks.map((task) => html`<h1>${task}</h1>`)}</div></header>
${sectionMarkup('figures', 'Figures', tableMarkup('figures', [['figure', ...letters], ...figures.map((figure) => figureRow(figure, results))]))}
<div class="pair">${runs.map((run, index) => runColumn(run, letters[index]!))}</div>
${sectionMarkup('citations', 'Citations', sourcesDifference(results))}
<footer><p>This page is self-contained and loads nothing.</p></footer></main>`;
  return pageOf(`${tasks[0]!.slice(0, 80)} – two runs`, body);
}
