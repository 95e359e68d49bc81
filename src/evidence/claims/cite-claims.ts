import type { Passage } from '../../state.ts';
import { type CheckedAnswer, citePlace, numbered, type Uncounted, unique } from '../citations.ts';
import { placesOfMarks } from '../marks.ts';
import { createSupportFinder, type FindSupport } from './find-words.ts';
import { type ClaimText, endsInQuotation, splitClaims } from './split-claims.ts';

/** Whether a sentence continues at a place: in a quotation, or after a comma, a semicolon, a colon or a dash. */
function isInside(answer: string, at: number): boolean {
  const before = answer.slice(answer.lastIndexOf('\n', at - 1) + 1, at);
  return endsInQuotation(before) || /[,;:–—-]\s*$/.test(before);
}

/** Adds a mark after each claim (in a table row, within the last cell). Adds no mark where a sentence continues. */
function withMarks(answer: string, found: ReturnType<typeof attribute>): string {
  let marked = answer;
  for (const { claim, citation } of found.filter(({ claim }) => !isInside(answer, claim.end)).toReversed()) {
    const end = claim.isRow ? claim.end - (/\s*\|$/.exec(claim.text)?.[0].length ?? 0) : claim.end;
    marked = `${marked.slice(0, end)} [${citation.passage}]${marked.slice(end)}`;
  }
  return marked;
}

function attribute(claims: readonly ClaimText[], question: string, find: FindSupport) {
  return claims.flatMap((claim) => {
    const span = find(claim.text, question);
    return span ? [{ claim, citation: citePlace(span.passage, span, 'code') }] : [];
  });
}

function narrowed({ citations }: CheckedAnswer, claims: readonly ClaimText[], passages: readonly Passage[]) {
  return citations.flatMap((whole): Uncounted[] => {
    const passage = passages.find(({ id }) => id === whole.passage);
    if (whole.quote !== null || passage === undefined) return [whole];
    const find = createSupportFinder([passage]);
    const spans = claims.filter(({ ids }) => ids.includes(whole.passage)).map(({ text }) => find(text, ''));
    if (spans.length === 0 || spans.includes(null)) return [whole];
    return spans.map((span) => citePlace(passage, span!, 'reply'));
  });
}

/**
 * Narrows citations of whole passages to the sentences that fit the claims. In an answer without marks, adds marks and
 * citations (`origin` `code`) to the claims that fit a passage.
 */
export function citeClaims(checked: CheckedAnswer, question: string, passages: readonly Passage[]): CheckedAnswer {
  const claims = splitClaims(checked.answer, placesOfMarks(checked.answer));
  if (claims.length === 0 || passages.length === 0) return checked;
  const isMarked = claims.some(({ ids }) => ids.length > 0);
  if (isMarked) return { ...checked, citations: numbered(unique(narrowed(checked, claims, passages))) };
  const found = attribute(claims, question, createSupportFinder(passages));
  const citations = [...checked.citations, ...found.map(({ citation }) => citation)];
  return { ...checked, answer: withMarks(checked.answer, found), citations: numbered(unique(citations)) };
}
