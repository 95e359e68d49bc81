import type { Result } from '../../result.ts';
import { type AnswerClaim, claimsOf, verdictAbout } from '../run.ts';
import { html, Markup } from './markup.ts';

/** A range of the answer, in UTF-16 units. The end is exclusive. */
type Range = readonly [start: number, end: number];

interface Block {
  readonly kind: 'paragraph' | 'heading' | 'bullet' | 'number' | 'code';
  readonly lines: readonly Range[];
}

const prefixes: readonly (readonly [Block['kind'], RegExp])[] = [
  ['heading', /^#{1,6}[ \t]+/],
  ['bullet', /^[ \t]{0,12}[-*•][ \t]+/],
  ['number', /^[ \t]{0,12}\d{1,3}[.)][ \t]+/],
];

const fence = /^[ \t]{0,3}```/;

function lineRanges(text: string): Range[] {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return [...ends, text.length].map((end, nth) => [nth === 0 ? 0 : ends[nth - 1]! + 1, end]);
}

/** Parses the Markdown that models write most often. Any other line becomes a paragraph. */
function blocksOf(answer: string): Block[] {
  const blocks: { kind: Block['kind']; lines: Range[] }[] = [];
  let open: 'none' | 'paragraph' | 'code' = 'none';
  for (const [start, end] of lineRanges(answer)) {
    const line = answer.slice(start, end);
    if (fence.test(line)) {
      if (open !== 'code') blocks.push({ kind: 'code', lines: [] });
      open = open === 'code' ? 'none' : 'code';
    } else if (open === 'code') blocks.at(-1)!.lines.push([start, end]);
    else if (line.trim() === '') open = 'none';
    else open = addLine(blocks, line, start, open === 'paragraph');
  }
  return blocks;
}

function addLine(
  blocks: { kind: Block['kind']; lines: Range[] }[],
  line: string,
  start: number,
  continues: boolean,
): 'none' | 'paragraph' {
  const [kind, pattern] = prefixes.find(([, prefix]) => prefix.test(line)) ?? ['paragraph', null];
  const skipped = pattern === null ? 0 : pattern.exec(line)![0].length;
  const range: Range = [start + skipped, start + line.length];
  if (kind === 'paragraph' && continues) blocks.at(-1)!.lines.push(range);
  else blocks.push({ kind, lines: [range] });
  return kind === 'paragraph' ? 'paragraph' : 'none';
}

const inlineMarks = /\[(\d{1,4})\]|\*\*([^*\n]{1,500})\*\*|`([^`\n]{1,500})`/g;

/**
 * Formats a line: a mark such as `[1]` becomes a link to its source, and `**bold**` and code are rendered.
 * @param known numbers of the sources.
 */
export function inlineMarkup(text: string, known: ReadonlySet<number>): Markup[] {
  const parts: Markup[] = [];
  let end = 0;
  for (const { 0: mark, 1: number, 2: bold, 3: code, index } of text.matchAll(inlineMarks)) {
    parts.push(html`${text.slice(end, index)}`);
    end = index + mark.length;
    if (number !== undefined) parts.push(known.has(Number(number)) ? markLink(number) : html`${mark}`);
    else parts.push(bold === undefined ? html`<code>${code ?? ''}</code>` : html`<strong>${bold}</strong>`);
  }
  return [...parts, html`${text.slice(end)}`];
}

export const markLink = (number: string | number): Markup =>
  html`<a class="mark" href="#source-${number}" aria-label="source ${number}">${number}</a>`;

const percent = (support: number): string => `${Math.round(support * 100)} %`;

const claimTitle = ({ verdict, support, reason }: AnswerClaim): string =>
  [`${verdict}${support === null ? '' : `, ${percent(support)}`}`, reason || verdictAbout[verdict]].join(': ');

function claimSpan(claim: AnswerClaim, text: string, isLast: boolean, sources: ReadonlySet<number>): Markup {
  const verdict = isLast ? html`<span class="unseen"> (${claim.verdict})</span>` : null;
  return html`<span class="claim ${claim.verdict}" title="${claimTitle(claim)}">${inlineMarkup(text, sources)}${verdict}</span>`;
}

/** Returns the claims in order of their start, without claims that overlap an earlier one. */
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

/** Formats the answer of a result. Claims show their verdict, and citation marks link to the sources. */
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

type Lines = (ranges: readonly Range[]) => readonly (readonly (Markup | null)[])[];

const listTags = { bullet: 'ul', number: 'ol' } as const;

function layOut(
  { kind, lines: ranges }: Block,
  lines: Lines,
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
  return html`${open}<li>${lines(ranges)}</li>${close}`;
}
