import { type Block, readBlocks, sentencesOf } from '../../context/sentences/blocks.ts';
import { isWrapped, readLines } from '../../context/sentences/lines.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { MarkPlace } from '../marks.ts';

/** A sentence, a list item or a table row of an answer that can be true or false. */
export interface ClaimText {
  /** Text of the claim without marks, list sign and surrounding white space. */
  readonly text: string;
  /** Range in the answer, including marks inside the claim; end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
  /** Whether the claim is a table row, which may end with `|`. */
  readonly isRow: boolean;
}

type Span = Omit<ClaimText, 'ids'>;

const listSign = /^\s*(?:[-*+•>]|\(?\d{1,3}[.)])\s+/;
export const onlyYesOrNo = /^\P{L}*(?:yes|no)\b\P{L}*$/iu;
const isQuestion = (text: string) => /[?？]["'”’)*_\s]*$/.test(text);
/** Whether a text only introduces what follows, such as "The steps are:" or "**Result**". */
const isLeadIn = (text: string) => (/[:：][*_\s]*$/.test(text) && !/\d/.test(text)) || /^\*\*[^*]+\*\*:?$/.test(text);
/** Whether a text says that something was not found, which no passage can support. */
const tellsOfAbsence = (text: string) => /^Not (?:found|shown):/.test(text);

function isClaim(text: string): boolean {
  if (onlyYesOrNo.test(text)) return true;
  return !isQuestion(text) && !isLeadIn(text) && !tellsOfAbsence(text) && contentTerms(text).length > 0;
}

function trimmed(text: string, start: number, end: number, isRow: boolean): Span {
  const whole = text.slice(start, end);
  const sign = isRow ? 0 : (listSign.exec(whole)?.[0].length ?? 0);
  const from = start + sign + (whole.slice(sign).length - whole.slice(sign).trimStart().length);
  const words = text.slice(from, end).trimEnd();
  const plain = words.replace(/ {2,}([.,;:!?])?/g, (_, mark: string | undefined) => mark ?? ' ');
  return { text: plain, start: from, end: from + words.length, isRow };
}

const quotation = /"[^"]*"|„[^„“”]*[“”]|“[^“”]*”|«[^«»]*»/g;

/** Whether a text ends inside a quotation that it opens. */
export const endsInQuotation = (text: string): boolean => /["„“«]/.test(text.replace(quotation, ''));

/** Joins the sentences of a quotation. In a block with an unclosed quotation, joins no sentences. */
function joinQuoted(text: string, sentences: readonly Block[], block: Block): Block[] {
  if (endsInQuotation(text.slice(block.start, block.end))) return [...sentences];
  const joined: Block[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    const goesOn = last !== undefined && endsInQuotation(text.slice(last.start, last.end));
    if (goesOn) joined[joined.length - 1] = { ...last, end: sentence.end };
    else joined.push(sentence);
  }
  return joined;
}

function spansOf(text: string, from: number): Span[] {
  const lines = readLines(text, '');
  const { found } = readBlocks(lines, isWrapped(lines, ''), { headings: [], head: '' });
  return found
    .filter(({ kind }) => kind !== 'heading')
    .flatMap((block) => joinQuoted(text, sentencesOf(text, block), block))
    .map(({ start, end, kind }) => trimmed(text, start, end, kind === 'row'))
    .filter((span) => isClaim(span.text))
    .map((span) => ({ ...span, start: from + span.start, end: from + span.end }));
}

/** Returns the claim before a mark; for a mark at the beginning of a line, the next claim in the line if any. */
function ownerOf({ start }: MarkPlace, text: string, spans: readonly Span[]): Span | undefined {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const before = spans.findLast((span) => span.start < start);
  if (/[\p{L}\p{N}]/u.test(line)) return before;
  const lineEnd = text.indexOf('\n', start);
  const next = spans.find((span) => span.start >= start && (lineEnd < 0 || span.start < lineEnd));
  return next ?? before;
}

/** Splits an answer into its claims. Headings, questions, lead-ins and "Not found" lines are no claims. */
export function splitClaims(answer: string, marks: readonly MarkPlace[]): ClaimText[] {
  const between = (at: number) => answer.slice(marks[at - 1]?.end ?? 0, marks[at]?.start);
  const blanked = marks.map(({ start, end }, at) => between(at) + ' '.repeat(end - start));
  const text = [...blanked, between(marks.length)].join('');
  // A mark at the end of a line ends a claim, because a quoted line may lack a full stop.
  const ends = marks.map(({ end }) => end).filter((end) => answer[end] === '\n');
  const spans = [0, ...ends].flatMap((start, at) => spansOf(text.slice(start, ends[at] ?? text.length), start));
  const ids = new Map<Span, Set<string>>(spans.map((span) => [span, new Set()]));
  let owner: Span | undefined;
  for (const [at, mark] of marks.entries()) {
    // Marks with nothing between them have one owner.
    if (at === 0 || /[\p{L}\p{N}\n]/u.test(between(at))) owner = ownerOf(mark, text, spans);
    for (const id of mark.ids) if (owner) ids.get(owner)!.add(id);
  }
  return spans.map((span) => ({ ...span, ids: [...ids.get(span)!] }));
}
