import type { Passage } from '../../state.ts';
import { type CheckedAnswer, citePlace, numbered, type Uncounted, unique } from '../citations.ts';
import { placesOfMarks } from '../marks.ts';
import { type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { judge } from '../support/judge.ts';
import { findSpan, type Span } from './find-span.ts';
import { withoutFraming } from './framing.ts';
import { type ClaimText, splitClaims } from './split-claims.ts';

interface Attribution {
  readonly claim: ClaimText;
  readonly citation: Uncounted;
}

/** Whether a quote of the passage is cited that stands in what code has found, or the other way round. */
const overlaps = (one: Uncounted, other: Uncounted): boolean =>
  one.passage === other.passage && one.startByte < other.endByte && other.startByte < one.endByte;

/** The answer with a mark behind each claim; in a row of a table it stands in the last cell. */
function withMarks(answer: string, found: readonly Attribution[]): string {
  let marked = answer;
  for (const { claim, citation } of found.toReversed()) {
    const end = claim.isRow ? claim.end - (/\s*\|$/.exec(claim.text)?.[0].length ?? 0) : claim.end;
    marked = `${marked.slice(0, end)} [${citation.passage}]${marked.slice(end)}`;
  }
  return marked;
}

/** The words that bear a claim out; null where none do, or the passage says otherwise. */
function findSaid(claim: string, question: string, evidence: EvidenceText): Span | null {
  const span = findSpan(claim, question, evidence);
  return span !== null &&
    judge(withoutFraming(claim, question), readEvidence([span.passage])).verdict !== 'contradicted'
    ? span
    : null;
}

/**
 * The citations, those of whole passages narrowed to the words that bear out each claim that marks them; a passage of
 * which some claim finds no such words stays whole.
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

/** Each citation once: what overlaps an earlier quote of the passage is the same. */
function withoutOverlaps(citations: readonly Uncounted[]): Uncounted[] {
  const kept: Uncounted[] = [];
  for (const one of citations)
    if (!kept.some((other) => other.quote !== null && one.origin === 'code' && overlaps(other, one))) kept.push(one);
  return kept;
}

/**
 * Cites for each claim without a mark the words in the passages that bear it out best, where any do: the mark is put
 * behind the claim, and the citation's `origin` is `code`. A citation that the reply made of the same words stands for
 * it. Where a reply gave only a mark, the citation of the whole passage is narrowed to the words that bear the claim
 * out.
 * @param question what the answer is to, for claims of a few words such as "40 %".
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
