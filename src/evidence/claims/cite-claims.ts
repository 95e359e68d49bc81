import type { Passage } from '../../state.ts';
import { type CheckedAnswer, citePlace, numbered, type Uncounted, unique } from '../citations.ts';
import { placesOfMarks } from '../marks.ts';
import { type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { judge } from '../support/judge.ts';
import { findSpan, type Span } from './find-span.ts';
import { withoutFraming } from './framing.ts';
import { type ClaimText, endsInQuotation, splitClaims } from './split-claims.ts';

interface Attribution {
  readonly claim: ClaimText;
  readonly citation: Uncounted;
}

/** Whether two citations overlap in the same passage. */
const overlaps = (one: Uncounted, other: Uncounted): boolean =>
  one.passage === other.passage && one.startByte < other.endByte && other.startByte < one.endByte;

/** Whether a place of an answer is inside a quotation, or a sentence goes on after it. */
function isInside(answer: string, at: number): boolean {
  const before = answer.slice(answer.lastIndexOf('\n', at - 1) + 1, at);
  return endsInQuotation(before) || /[,;:–—-]\s*$/.test(before);
}

/** Adds a mark behind each claim that ends outside quotations and sentences; in a table row, inside the last cell. */
function withMarks(answer: string, found: readonly Attribution[]): string {
  let marked = answer;
  for (const { claim, citation } of found.filter(({ claim }) => !isInside(answer, claim.end)).toReversed()) {
    const end = claim.isRow ? claim.end - (/\s*\|$/.exec(claim.text)?.[0].length ?? 0) : claim.end;
    marked = `${marked.slice(0, end)} [${citation.passage}]${marked.slice(end)}`;
  }
  return marked;
}

/** Finds the words that support a claim; null where none do, or the passage contradicts it. */
function findSaid(claim: string, question: string, evidence: EvidenceText): Span | null {
  const span = findSpan(claim, question, evidence);
  return span !== null &&
    judge(withoutFraming(claim, question), readEvidence([span.passage])).verdict !== 'contradicted'
    ? span
    : null;
}

/**
 * Narrows citations of whole passages to the words that support each claim that marks them. A passage stays whole
 * where some claim finds no such words in it.
 */
function narrowed(
  { citations }: CheckedAnswer,
  marked: readonly ClaimText[],
  question: string,
  passages: readonly Passage[],
): Uncounted[] {
  return citations.flatMap((whole): Uncounted[] => {
    const passage = passages.find(({ id }) => id === whole.passage);
    if (whole.quote !== null || passage === undefined) return [whole];
    const evidence = readEvidence([passage]);
    const claims = marked.filter(({ ids }) => ids.includes(whole.passage));
    const spans = claims.map(({ text }) => findSaid(text, question, evidence));
    if (spans.length === 0 || spans.includes(null)) return [whole];
    return spans.map((span) => citePlace(passage, span!, 'reply'));
  });
}

/** Drops citations by code that overlap an earlier quote of the same passage. */
function withoutOverlaps(citations: readonly Uncounted[]): Uncounted[] {
  const kept: Uncounted[] = [];
  for (const one of citations)
    if (!kept.some((other) => other.quote !== null && one.origin === 'code' && overlaps(other, one))) kept.push(one);
  return kept;
}

/**
 * Cites the words that support each claim without a mark best, where any do: adds a mark behind the claim, outside
 * quotations and sentences, and a citation whose `origin` is `code`. A citation of the same words that the reply made is reused. A citation of a
 * whole passage is narrowed to the words that support the claims with its mark.
 * @param question the question that the answer is to; it completes claims of a few words such as "40 %".
 */
export function citeClaims(checked: CheckedAnswer, question: string, passages: readonly Passage[]): CheckedAnswer {
  const claims = splitClaims(checked.answer, placesOfMarks(checked.answer));
  if (claims.length === 0 || passages.length === 0) return checked;
  const open = claims.filter(({ ids }) => ids.length === 0);
  const evidence = readEvidence(open.length === 0 ? [] : passages);
  const found = open.flatMap((claim): Attribution[] => {
    const span = findSaid(claim.text, question, evidence);
    return span ? [{ claim, citation: citePlace(span.passage, span, 'code') }] : [];
  });
  const marked = claims.filter(({ ids }) => ids.length > 0);
  const added = found.map(({ citation }) => citation);
  const citations = withoutOverlaps([...narrowed(checked, marked, question, passages), ...added]);
  return { ...checked, answer: withMarks(checked.answer, found), citations: numbered(unique(citations)) };
}
