import type { Excerpt } from '../../journal/excerpts.ts';
import type { Citation } from '../../state.ts';
import { placeOf } from '../figures.ts';
import type { ReportRun } from '../run.ts';
import { html, type Markup } from './markup.ts';

const words = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Returns the range of a quote in a text, in UTF-16 units, ignoring differences in white space. Null if not found. */
export function findQuote(text: string, quote: string): readonly [start: number, end: number] | null {
  const wanted = words(quote);
  const exact = text.indexOf(quote);
  if (exact >= 0 && quote !== '') return [exact, exact + quote.length];
  const places: number[] = [];
  let packed = '';
  for (const [index, character] of [...text.matchAll(/[\s\S]/g)].map(({ 0: one, index }) => [index, one] as const)) {
    const isSpace = /\s/.test(character);
    if (isSpace && (packed === '' || packed.endsWith(' '))) continue;
    packed += isSpace ? ' ' : character;
    places.push(index);
  }
  const start = wanted === '' ? -1 : packed.indexOf(wanted);
  return start < 0 ? null : [places[start]!, places[start + wanted.length - 1]! + 1];
}

/** Lines before and after the evidence that are shown with it. */
const linesAround = 2;
/** The longest evidence that is shown whole, in lines. */
const mostLines = 12;

/** The lines that hold the evidence: those with the quote, else the cited ones. From 1. */
function evidenceLines({ startLine, text }: Excerpt, citation: Citation): readonly [first: number, last: number] {
  const quoted = citation.quote === null ? null : findQuote(text, citation.quote);
  if (quoted === null) return [citation.startLine, citation.endLine];
  const lineAt = (offset: number) => startLine + text.slice(0, offset).split('\n').length - 1;
  return [lineAt(quoted[0]), lineAt(quoted[1])];
}

/** Formats the lines of an excerpt with numbers. Cited lines and quoted words are highlighted. */
function excerptLines({ startLine, text }: Excerpt, citation: Citation): Markup[] {
  const quoted = citation.quote === null ? null : findQuote(text, citation.quote);
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

/**
 * Shows the evidence with the lines around it, so that nothing has to be scrolled; the rest of the excerpt is folded.
 */
function excerptMarkup(excerpt: Excerpt, citation: Citation): Markup {
  const lines = excerptLines(excerpt, citation);
  const [first, last] = evidenceLines(excerpt, citation);
  const from = Math.max(0, first - linesAround - excerpt.startLine);
  const near = lines.slice(from, Math.min(last - first + 1, mostLines) + first - excerpt.startLine + linesAround);
  const label = `lines of ${citation.source}`;
  const all =
    near.length < lines.length
      ? html`<details class="around"><summary>${lines.length} lines around it</summary><pre class="excerpt" tabindex="0" aria-label="all ${label}">${lines}</pre></details>`
      : null;
  return html`<pre class="excerpt near" tabindex="0" aria-label="${label}">${near}</pre>${all}`;
}

function sourceMarkup(citation: Citation, excerpt: Excerpt | undefined, isOpen: boolean): Markup {
  const quote = citation.quote === null ? null : html`<span class="quote">${words(citation.quote)}</span>`;
  const body = excerpt
    ? excerptMarkup(excerpt, citation)
    : html`<blockquote>${citation.quote ?? 'The whole passage is cited; its text is not kept with this run.'}</blockquote>`;
  return html`<li id="source-${citation.number}" class="source"><details${isOpen ? html` open` : null}>
<summary><span class="mark">${citation.number}</span><span class="place">${placeOf(citation)}</span>${quote}</summary>
${body}</details></li>`;
}

/** Lists the citations of the answer. Each opens to show the cited lines with their surroundings. */
export function sourcesMarkup({ result, trajectory }: ReportRun): Markup {
  const excerpts = new Map((trajectory?.excerpts ?? []).map((excerpt) => [excerpt.number, excerpt]));
  const sources = result.citations.map((citation, nth) =>
    sourceMarkup(citation, excerpts.get(citation.number), nth === 0),
  );
  return sources.length === 0
    ? html`<p class="none">The answer cites nothing.</p>`
    : html`<ol class="sources">${sources}</ol>`;
}
