import { counted, duration, grouped, money } from '../../base/text.ts';
import type { CitedExcerpt } from '../../journal/trajectory.ts';
import { confidenceName, type Result } from '../../result.ts';
import type { Exchange } from '../../run/events.ts';
import type { Citation } from '../../state.ts';
import {
  claimsOf,
  contradictionsOf,
  figuresOf,
  joined,
  outcomeHeading,
  placeOf,
  type ReportRun,
  verdictAbout,
} from '../run.ts';
import { answerMarkup, markLink } from './answer.ts';
import {
  type Content,
  html,
  listMarkup,
  type Markup,
  pageOf,
  sectionMarkup,
  tableMarkup,
  titledList,
} from './markup.ts';
import { colourOf } from './plot.ts';
import { timelineSection, treeSection } from './tree.ts';

function claimsMarkup({ result }: ReportRun): Markup | null {
  const { claims } = result;
  if (claims.length === 0) return null;
  const rows = claims.map(({ text, verdict, support, citations, reason }): readonly Content[] => [
    html`<span class="verdict ${verdict}">${verdict}</span>`,
    support === null ? '' : `${Math.round(support * 100)} %`,
    html`${text} ${citations.map((number) => markLink(number))}<span class="reason">${reason || verdictAbout[verdict]}</span>`,
  ]);
  const table = tableMarkup('claims', [['verdict', 'support', 'claim'], ...rows], (column) => column === 1);
  return html`<details class="fold"><summary>Each claim with its check (${claims.length})</summary>${table}</details>`;
}

function planMarkup({ result: { plan } }: ReportRun): Markup | null {
  if (plan === null) return null;
  const questions = plan.keyQuestions.map(({ question, needs }) =>
    needs.length === 0 ? question : `${question} (after ${needs.join(', ')})`,
  );
  return html`<p><span class="tag">${plan.approach}</span> ${plan.reason}</p>
${titledList('Parts of the task', plan.taskDecomposition)}${titledList('Key questions', questions)}
${titledList('Required information', plan.requiredInformation)}${titledList('Success criteria', plan.successCriteria)}`;
}

function critiqueMarkup({ result: { critique } }: ReportRun): Markup | null {
  if (critique === null) return null;
  return html`<p><span class="tag">${critique.score}/100</span> ${critique.reasoning}</p>
${titledList('Gaps', critique.gaps)}${titledList('Uncertainties', critique.uncertainties)}`;
}

function sumsByPrompt(exchanges: readonly Exchange[]) {
  const sums = [...new Set(exchanges.map(({ prompt }) => prompt))].map((name) => {
    const own = exchanges.filter(({ prompt }) => prompt === name);
    const total = (pick: (one: Exchange) => number) => own.reduce((sum, one) => sum + pick(one), 0);
    return {
      name: name as string,
      calls: total(({ call }) => Number(call !== null)),
      input: total(({ tokens }) => tokens.input),
      output: total(({ tokens }) => tokens.output),
      cost: own.some(({ cost }) => cost === null) ? null : total(({ cost }) => cost!),
      timeMs: total(({ timeMs }) => timeMs),
    };
  });
  return sums.sort((a, b) => b.input + b.output - (a.input + a.output));
}

/** Draws a share (0–1) as a bar. Uses SVG, because the page's policy forbids inline styles. */
const bar = (share: number): Markup =>
  html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect fill="${colourOf(0)}" width="${Math.max(1, Math.round(share * 100))}" height="6"/></svg>`;

function sumsTable(title: string, sums: readonly ReturnType<typeof sumsByPrompt>[number][]): Markup | null {
  const all = sums.reduce((total, { input, output }) => total + input + output, 0) || 1;
  const rows = sums.map(({ name, calls, input, output, cost, timeMs }): readonly Content[] => [
    html`${name}${bar((input + output) / all)}`,
    ...[calls, input, output].map(grouped),
    cost === null ? 'unknown' : money(cost),
    duration(timeMs),
  ]);
  const head = [title, 'calls', 'tokens in', 'out', 'cost', 'time of calls'];
  return tableMarkup(`cost ${title}`, [head, ...rows]);
}

function costsMarkup({ trajectory, result: { usage } }: ReportRun): Markup | null {
  const exchanges = (trajectory?.exchanges ?? []).filter(({ tokens }) => tokens.input + tokens.output > 0);
  if (usage.tokens.input + usage.tokens.output === 0) return null;
  const { failedCalls, retries, cacheHits, replayedCalls, tokens } = usage;
  const extra = joined([
    failedCalls > 0 && `${failedCalls} failed`,
    retries > 0 && counted(retries, 'retry', 'retries'),
    cacheHits > 0 && `${cacheHits} reused`,
    replayedCalls > 0 && `${replayedCalls} replayed`,
    tokens.cacheRead > 0 && `${grouped(tokens.cacheRead)} tokens read from the provider's cache`,
    tokens.cacheWritten > 0 && `${grouped(tokens.cacheWritten)} tokens written to the provider's cache`,
  ]);
  const models = usage.models.map(({ provider, model, calls, tokens, cost }) => {
    const own = exchanges.filter((one) => one.provider === provider && one.model === model);
    const timeMs = own.reduce((sum, one) => sum + one.timeMs, 0);
    return { name: `${provider} ${model}`, calls, input: tokens.input, output: tokens.output, cost, timeMs };
  });
  const facts = extra === '' ? null : html`<p class="facts">${extra}</p>`;
  return html`${facts}${sumsTable('by model', models)}${sumsTable('by prompt', sumsByPrompt(exchanges))}`;
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Returns the range of a quote in a text, in UTF-16 units, ignoring differences in white space. Null if not found. */
export function findShownQuote(text: string, quote: string): readonly [start: number, end: number] | null {
  const exact = quote === '' ? -1 : text.indexOf(quote);
  if (exact >= 0) return [exact, exact + quote.length];
  const literal = onOneLine(quote).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const found = literal === '' ? null : new RegExp(literal.replaceAll(' ', '\\s+')).exec(text);
  return found && [found.index, found.index + found[0].length];
}

const linesAround = 2;
const mostLines = 12;

type QuotedRange = ReturnType<typeof findShownQuote>;

function excerptLines({ startLine, text }: CitedExcerpt, citation: Citation, quoted: QuotedRange): Markup[] {
  let offset = 0;
  return text.split('\n').map((line, nth) => {
    const number = startLine + nth;
    const [start, end] = quoted ? [quoted[0] - offset, quoted[1] - offset] : [0, 0];
    const [from, to] = [Math.max(0, Math.min(start, line.length)), Math.max(0, Math.min(end, line.length))];
    offset += line.length + 1;
    const marked = to > from ? html`<mark>${line.slice(from, to)}</mark>` : null;
    const isCited = number >= citation.startLine && number <= citation.endLine;
    const content = html`${line.slice(0, from)}${marked}${line.slice(Math.max(from, to))}`;
    return html`<span class="line${isCited ? ' cited' : ''}"><span class="number">${number}</span>${content}
</span>`;
  });
}

function excerptMarkup(excerpt: CitedExcerpt, citation: Citation): Markup {
  const { startLine, text } = excerpt;
  const quoted = citation.quote === null ? null : findShownQuote(text, citation.quote);
  const lines = excerptLines(excerpt, citation, quoted);
  const lineAt = (offset: number) => startLine + text.slice(0, offset).split('\n').length - 1;
  const { startLine: first, endLine: last } = quoted
    ? { startLine: lineAt(quoted[0]), endLine: lineAt(quoted[1]) }
    : citation;
  const from = Math.max(0, first - linesAround - startLine);
  const near = lines.slice(from, Math.min(last - first + 1, mostLines) + first - startLine + linesAround);
  const label = `lines of ${citation.source}`;
  const shown = html`<pre class="excerpt near" tabindex="0" aria-label="${label}">${near}</pre>`;
  if (near.length === lines.length) return shown;
  return html`${shown}<details class="around"><summary>All ${lines.length} kept lines</summary><pre class="excerpt" tabindex="0" aria-label="all ${label}">${lines}</pre></details>`;
}

function sourceMarkup(citation: Citation, excerpt: CitedExcerpt | undefined, isOpen: boolean): Markup {
  const quote = citation.quote === null ? null : html`<span class="quote">${onOneLine(citation.quote)}</span>`;
  const over = (citation.under ?? []).join(' › ');
  const under = over === '' ? null : html`<p class="under">${onOneLine(over)}</p>`;
  const body = excerpt
    ? excerptMarkup(excerpt, citation)
    : html`<blockquote>${citation.quote ?? 'The whole passage is cited; its text is not kept with this run.'}</blockquote>`;
  // A link to an element inside a folded part unfolds the part.
  return html`<li class="source"><details${isOpen ? html` open` : null}>
<summary><span class="mark">${citation.number}</span><span class="place">${placeOf(citation)}</span>${quote}</summary>
<div id="source-${citation.number}">${under}${body}</div></details></li>`;
}

function sourcesMarkup({ result, trajectory }: ReportRun): Markup {
  const excerpts = new Map((trajectory?.excerpts ?? []).map((excerpt) => [excerpt.number, excerpt]));
  const { citations } = result;
  if (citations.length === 0) return html`<p class="none">The answer cites nothing.</p>`;
  const sources = citations.map((citation, nth) => sourceMarkup(citation, excerpts.get(citation.number), nth === 0));
  return html`<ol class="sources">${sources}</ol>`;
}

const circumference = 100;

/** Formats the confidence as a ring. */
export function ringMarkup({ result }: Pick<ReportRun, 'result'>): Markup {
  const { confidence } = result;
  const name = confidenceName(result);
  const filled = ((confidence ?? 0) / 100) * circumference;
  const level = confidence === null ? 'unknown' : confidence >= 70 ? 'high' : confidence >= 40 ? 'middle' : 'low';
  return html`<div class="ring ${level}" role="img" aria-label="${name} ${confidence ?? 'unknown'}${confidence === null ? '' : ' of 100'}">
<svg viewBox="0 0 36 36" aria-hidden="true"><circle class="track" cx="18" cy="18" r="15.9155"/><circle class="arc" cx="18" cy="18" r="15.9155" stroke-dasharray="${filled} ${circumference}" transform="rotate(-90 18 18)"/></svg>
<span class="value" aria-hidden="true">${confidence ?? '–'}</span><span class="name" aria-hidden="true">${name}</span></div>`;
}

/** Returns the status to show, with its words. Shows an answer with an unsupported or contradicted claim as partial. */
function badgeOf({ result }: ReportRun): readonly [status: Result['status'], words: string] {
  const { status } = result;
  const faulty = claimsOf(result).filter(({ verdict }) => ['unsupported', 'contradicted'].includes(verdict)).length;
  if (faulty === 0) return [status, outcomeHeading(result)];
  const words = `${outcomeHeading(result)}, ${counted(faulty, 'claim')} not supported`;
  return [status === 'answered' ? 'partial' : status, words];
}

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
