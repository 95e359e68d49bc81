import type { Passage } from '../../state.ts';
import { type CheckedAnswer, citePlace, numbered, type Uncounted } from '../citations.ts';
import { placesOfMarks } from '../marks.ts';
import { readEvidence } from '../support/evidence-text.ts';
import { judge } from '../support/judge.ts';
import { findSpan } from './find-span.ts';
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

/**
 * Cites for each claim without a mark the words in the passages that bear it out best, where any do: the mark is put
 * behind the claim, and the citation's `origin` is `code`. A citation that the reply made of the same words stands for
 * it. Claims that have marks stay as they are.
 * @param question what the answer is to, for claims of a few words such as "40 %".
 */
export function citeClaims(checked: CheckedAnswer, question: string, passages: readonly Passage[]): CheckedAnswer {
  const open = splitClaims(checked.answer, placesOfMarks(checked.answer)).filter(({ ids }) => ids.length === 0);
  if (open.length === 0 || passages.length === 0) return checked;
  const evidence = readEvidence(passages);
  const found = open.flatMap((claim): Attribution[] => {
    const span = findSpan(claim.text, question, evidence);
    const isSaid = span !== null && judge(claim.text, readEvidence([span.passage])).verdict !== 'contradicted';
    return isSaid ? [{ claim, citation: citePlace(span.passage, span, 'code') }] : [];
  });
  const added: Uncounted[] = [];
  for (const { citation } of found) {
    const same = [...checked.citations, ...added].some((one) => one.quote !== null && overlaps(one, citation));
    if (!same) added.push(citation);
  }
  const citations: readonly Uncounted[] = [...checked.citations, ...added];
  return { ...checked, answer: withMarks(checked.answer, found), citations: numbered(citations) };
}
