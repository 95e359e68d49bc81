import type { CitedPassage } from '../prompts/fields.ts';
import type { Citation, Passage } from '../state.ts';
import { dropBareMarks } from './bare-marks.ts';
import { markedIds, rewriteMarks } from './marks.ts';
import { findQuote } from './quote.ts';

/** A citation that has no number yet. */
export type Uncounted = Omit<Citation, 'number'>;

/** An answer whose marks were checked: they name given passages only. */
export interface CheckedAnswer {
  /** With passage ids in square brackets. */
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** What was dropped, and why. */
  readonly problems: readonly string[];
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/**
 * A citation of a whole passage, or of the lines that hold the quote. Null when the quote is not there. Where invalid
 * UTF-8 was replaced in the text, its bytes cannot be counted: then the bytes are those of the whole passage.
 */
function cite(passage: Passage, quote: string | null, nth = 0): Uncounted | null {
  const { id, source, startLine, endLine, startByte, endByte, hash, text } = passage;
  if (quote === null) return { passage: id, source, startLine, endLine, startByte, endByte, hash, quote };
  const place = findQuote(text, quote, nth);
  if (place === null) return null;
  const found = text.slice(place.start, place.end);
  const firstLine = startLine + lineBreaks(text.slice(0, place.start));
  const firstByte = startByte + Buffer.byteLength(text.slice(0, place.start));
  const isValid = Buffer.byteLength(text) === endByte - startByte;
  return {
    passage: id,
    source,
    startLine: firstLine,
    endLine: firstLine + lineBreaks(found),
    startByte: isValid ? firstByte : startByte,
    endByte: isValid ? firstByte + Buffer.byteLength(found) : endByte,
    hash,
    quote: found,
  };
}

/** The same with numbers from 1. */
export const numbered = (citations: readonly Uncounted[]): Citation[] =>
  citations.map((citation, index) => Object.assign({ number: 0 }, citation, { number: index + 1 }));

const identityOf = ({ passage, startByte, endByte, quote }: Uncounted): string =>
  JSON.stringify([passage, startByte, endByte, quote]);

/** Each citation once; the first of equal ones. */
function unique<T extends Uncounted>(citations: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const one of citations) if (!first.has(identityOf(one))) first.set(identityOf(one), one);
  return [...first.values()];
}

/**
 * Checks what a reply cites against the passages it was given. A citation of a passage that was not given, or with a
 * quote that does not stand in it, is dropped and named as a problem; it never becomes a citation. For marks such as
 * `[1]` see bare-marks.ts.
 */
export function checkCitations(
  answer: string,
  cited: readonly CitedPassage[],
  passages: readonly Passage[],
): CheckedAnswer {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const problems: string[] = [];
  const found: Uncounted[] = [];
  const misquoted = new Set<string>();
  for (const { passage: id, quote } of cited) {
    const passage = byId.get(id);
    const citation = passage ? cite(passage, quote) : null;
    if (citation) found.push(citation);
    else if (passage) misquoted.add(id);
    problems.push(...problemOf(id, quote, passage, citation !== null));
  }
  const supported = new Set(found.map(({ passage }) => passage));
  for (const id of markedIds(answer)) {
    const passage = byId.get(id);
    if (!passage && !cited.some((one) => one.passage === id)) problems.push(...problemOf(id, null, undefined, false));
    if (passage && !supported.has(id) && !misquoted.has(id)) found.push(cite(passage, null)!);
  }
  const citations = numbered(unique(found));
  const valid = new Set(citations.map(({ passage }) => passage));
  const unmarked = dropBareMarks(
    answer,
    passages.map(({ text }) => text),
  );
  return {
    answer: rewriteMarks(unmarked.answer, (id) => (valid.has(id) ? `[${id}]` : '')),
    citations,
    problems: [...problems, ...unmarked.problems],
  };
}

/**
 * One thing that a reply cites, checked against the passages it was given: the citation, or why there is none. The
 * citation has no number yet.
 * @param nth which of the places where the quote stands in its passage, from 0.
 */
export function checkCitation(
  { passage: id, quote }: CitedPassage,
  passages: readonly Passage[],
  nth: number,
): { readonly citation: Uncounted } | { readonly problem: string } {
  const passage = passages.find((one) => one.id === id);
  const citation = passage ? cite(passage, quote, nth) : null;
  return citation ? { citation } : { problem: problemOf(id, quote, passage, false)[0]! };
}

function problemOf(id: string, quote: string | null, passage: Passage | undefined, isFound: boolean): string[] {
  if (isFound) return [];
  if (passage === undefined) return [`the reply cites passage ${id}, which it was not given`];
  const shown = JSON.stringify((quote ?? '').slice(0, 100));
  return [
    `the reply quotes ${shown} from ${passage.source}:${passage.startLine}-${passage.endLine}, where it does not stand`,
  ];
}

/** What an answer is composed of: a question with the citations of its answer. */
interface Cited {
  readonly question: string;
  readonly citations: readonly Uncounted[];
}

/** A composed answer with those citations of its parts that it still marks; other marks are dropped. */
export function carryCitations(answer: string, parts: readonly Cited[]): CheckedAnswer {
  const all = parts.flatMap(({ citations }) => citations);
  const known = new Set(all.map(({ passage }) => passage));
  const marked = new Set(markedIds(answer));
  const problems = [...marked]
    .filter((id) => !known.has(id))
    .map((id) => `the composed answer cites passage ${id}, which none of its parts cites`);
  const kept = unique(all.filter(({ passage }) => marked.has(passage)));
  const unmarked = dropBareMarks(
    answer,
    parts.map(({ question }) => question),
  );
  return {
    answer: rewriteMarks(unmarked.answer, (id) => (known.has(id) ? `[${id}]` : '')),
    citations: numbered(kept),
    problems: [...problems, ...unmarked.problems],
  };
}
