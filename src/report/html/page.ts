/** The page of a run. */
import { counted } from '../../base/text.ts';
import { confidenceName, type Result } from '../../result.ts';
import { claimsOf, contradictionsOf, figuresOf, joined, type ReportRun, statusNames, verdictAbout } from '../run.ts';
import { answerMarkup } from './answer.ts';
import { html, listMarkup, type Markup, pageOf, sectionMarkup, tableMarkup } from './markup.ts';
import { claimsMarkup, costsMarkup, critiqueMarkup, planMarkup, sourcesMarkup } from './sections.ts';
import { timelineSection, treeSection } from './tree.ts';

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
function headMarkup(run: ReportRun): Markup {
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
  const rows = text.first.map(({ name, bytes }) => [name, bytesText(bytes)]);
  const more = text.documents - rows.length;
  return html`<details class="fold"><summary>${counted(text.documents, 'document')}, ${bytesText(text.bytes)}</summary>${tableMarkup('documents', [['document', 'size'], ...rows])}
${more > 0 ? html`<p>and ${counted(more, 'more document')}</p>` : null}</details>`;
}

function footMarkup({ result, at, trajectory }: ReportRun): Markup {
  const left = trajectory?.promptsLeftOut ?? 0;
  const notes = [
    ...(trajectory === null ? ['Prompts, times and the lines around citations are not kept with this run.'] : []),
    ...(left > 0 ? [`The prompts of ${counted(left, 'call')} are not kept.`] : []),
  ];
  const facts = [`run ${result.runId ?? 'without a record'}`, ...(at === null ? [] : [at])];
  return html`<footer>${notes.map((note) => html`<p>${note}</p>`)}<p>${joined(facts)} · This page is self-contained and loads nothing.</p></footer>`;
}

/** Returns the report of a run as an HTML page. */
export function toHtml(run: ReportRun): string {
  const { result } = run;
  const body = html`<a class="skip" href="#answer">Skip to the answer</a>
<main>${headMarkup(run)}
<div class="columns"><div class="column">${answerSection(run)}${sectionMarkup('contradictions', 'Contradictions', listMarkup(contradictionsOf(result)))}
${sectionMarkup('warnings', 'Warnings', listMarkup(result.warnings))}${sectionMarkup('critique', 'Critique', critiqueMarkup(run))}</div>
<aside class="column" aria-label="sources"><section id="sources" class="card"><h2>Sources</h2>${sourcesMarkup(run)}${textMarkup(run)}</section></aside>
<div class="column">${sectionMarkup('plan', 'Plan', planMarkup(run))}</div></div>
${treeSection(run)}${timelineSection(run)}
${sectionMarkup('costs', 'Cost', costsMarkup(run))}
${footMarkup(run)}</main>`;
  return pageOf(`${result.task.slice(0, 100)} – rlm report`, body);
}
