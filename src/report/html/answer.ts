import type { Result } from '../../result.ts';
import { type AnswerClaim, claimsOf, verdictAbout } from '../run.ts';
import { type Content, html, Markup } from './markup.ts';

/** A range of the answer, in UTF-16 units; the end is exclusive. */
type Range = readonly [start: number, end: number];

interface Block {
  readonly kind: 'paragraph' | 'heading' | 'bullet' | 'number' | 'code';
  readonly lines: Range[];
}

const prefixes: readonly (readonly [Block['kind'], RegExp])[] = [
  ['heading', /^#{1,6}[ \t]+/],
  ['bullet', /^[ \t]{0,12}[-*•][ \t]+/],
  ['number', /^[ \t]{0,12}\d{1,3}[.)][ \t]+/],
  ['paragraph', /^/],
];

const fence = /^[ \t]{0,3}`{3,}[^`]*$/;

function blocksOf(answer: string): Block[] {
  const blocks: Block[] = [];
  let open: 'none' | 'paragraph' | 'code' = 'none';
  let start = 0;
  for (const line of answer.split('\n')) {
    const end = start + line.length;
    if (fence.test(line)) {
      if (open !== 'code') blocks.push({ kind: 'code', lines: [] });
      open = open === 'code' ? 'none' : 'code';
    } else if (open === 'code') blocks.at(-1)!.lines.push([start, end]);
    else if (line.trim() === '') open = 'none';
    else {
      const [kind, prefix] = prefixes.find(([, one]) => one.test(line))!;
      const continues = kind === 'paragraph' && open === 'paragraph';
      if (!continues) blocks.push({ kind, lines: [] });
      blocks.at(-1)!.lines.push([start + prefix.exec(line)![0].length, end]);
      open = kind === 'paragraph' ? 'paragraph' : 'none';
    }
    start = end + 1;
  }
  return blocks;
}

const inlineMarks = /\[(\d{1,4})\]|\*\*([^*\n]{1,500})\*\*|`([^`\n]{1,500})`/g;

/** Formats a line. A mark such as `[1]` becomes a link if `sources` has its number. */
export function inlineMarkup(text: string, sources: ReadonlySet<number>): Markup[] {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: mark, 1: number, 2: bold, 3: code, index } of text.matchAll(inlineMarks)) {
    parts.push(html`${text.slice(end, index)}`);
    end = index + mark.length;
    if (number !== undefined) parts.push(sources.has(Number(number)) ? markLink(number) : html`${mark}`);
    else parts.push(bold === undefined ? html`<code>${code ?? ''}</code>` : html`<strong>${bold}</strong>`);
  }
  return [...parts, html`${text.slice(end)}`];
}

export const markLink = (number: string | number): Markup =>
  html`<a class="mark" href="#source-${number}" aria-label="source ${number}">${number}</a>`;

function claimSpan(claim: AnswerClaim, text: string, isLast: boolean, sources: ReadonlySet<number>): Markup {
  const { verdict, support, reason } = claim;
  const percent = support === null ? '' : `, ${Math.round(support * 100)} %`;
  const unseen = isLast ? html`<span class="unseen"> (${verdict})</span>` : null;
  return html`<span class="claim ${verdict}" title="${verdict}${percent}: ${reason || verdictAbout[verdict]}">${inlineMarkup(text, sources)}${unseen}</span>`;
}

function placedClaims(claims: readonly AnswerClaim[]): AnswerClaim[] {
  let last = 0;
  return claims
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      const isFree = start >= last && end > start;
      if (isFree) last = end;
      return isFree;
    });
}

/** Formats the answer of a result, with verdicts and links to the sources. */
export function answerMarkup(result: Result): Markup {
  const answer = result.answer ?? '';
  const claims = placedClaims(claimsOf(result));
  const sources = new Set(result.citations.map(({ number }) => number));

  function line([start, end]: Range): Markup[] {
    const parts: Markup[] = [];
    let at = start;
    for (const claim of claims.filter((one) => one.end > start && one.start < end)) {
      const [from, to] = [Math.max(at, claim.start), Math.min(end, claim.end)];
      parts.push(...inlineMarkup(answer.slice(at, from), sources));
      parts.push(claimSpan(claim, answer.slice(from, to), to === claim.end, sources));
      at = to;
    }
    return [...parts, ...inlineMarkup(answer.slice(at, end), sources)];
  }

  const lines = (ranges: readonly Range[]) => ranges.map((range, nth) => [nth > 0 ? html`<br>` : null, ...line(range)]);
  return html`${blocksOf(answer).map((block, nth, all) => layOut(block, lines, answer, all[nth - 1], all[nth + 1]))}`;
}

const listTags = { bullet: 'ul', number: 'ol' } as const;

function layOut(
  { kind, lines: ranges }: Block,
  lines: (ranges: readonly Range[]) => Content,
  answer: string,
  before: Block | undefined,
  after: Block | undefined,
): Markup {
  if (kind === 'code') return html`<pre>${ranges.map(([start, end]) => `${answer.slice(start, end)}\n`)}</pre>`;
  if (kind === 'heading') return html`<h3>${lines(ranges)}</h3>`;
  if (kind === 'paragraph') return html`<p>${lines(ranges)}</p>`;
  const tag = listTags[kind];
  const open = before?.kind === kind ? null : new Markup(`<${tag}>`);
  const close = after?.kind === kind ? null : new Markup(`</${tag}>`);
  const lineStart = answer.lastIndexOf('\n', ranges[0]![0] - 1) + 1;
  const value = kind === 'number' ? html` value="${Number.parseInt(answer.slice(lineStart), 10)}"` : null;
  return html`${open}<li${value}>${lines(ranges)}</li>${close}`;
}
