import { isComputed } from '../context/computed-passage.ts';
import type { CitedPassage } from '../prompts/reply/fields.ts';
import type { Citation, Passage } from '../state.ts';
import { dropBareMarks } from './bare-marks.ts';
import { markedIds, rewriteMarks } from './marks.ts';
import { findLoosely, findQuote, type QuotePlace } from './quote.ts';

/** A citation without its number in the answer. */
export type Uncounted = Omit<Citation, 'number'>;

/** An answer whose marks name passages of `citations`. */
export interface CheckedAnswer {
  /** With passage ids in square brackets. */
  readonly answer: string;
  readonly citations: readonly Citation[];
  /** Why citations and marks were dropped. */
  readonly problems: readonly string[];
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/** Maximum number of characters of a computed passage that its citation quotes. */
const longestComputed = 1_000;

/** Cites a whole passage. Quotes the beginning of a computed passage. The quote is null for a passage of the text. */
function citeWhole(passage: Passage): Uncounted {
  const { id, source, startLine, endLine, startByte, endByte, hash, text } = passage;
  if (isComputed(passage))
    return citePlace(passage, { start: 0, end: Math.min(text.length, longestComputed) }, 'reply');
  return { passage: id, source, startLine, endLine, startByte, endByte, hash, quote: null, origin: 'reply' };
}

const bomBytes = Buffer.byteLength('\uFEFF');

/** Cites a place in a passage as a quote. If invalid UTF-8 was replaced, the byte range is that of the passage. */
export function citePlace(passage: Passage, place: QuotePlace, origin: Citation['origin']): Uncounted {
  const { id, source, startLine, startByte, endByte, hash, text } = passage;
  const found = text.slice(place.start, place.end);
  const firstLine = startLine + lineBreaks(text.slice(0, place.start));
  const missing = endByte - startByte - Buffer.byteLength(text);
  // The text of a file's first passage lacks the byte order mark.
  const bom = startByte === 0 && missing === bomBytes ? bomBytes : 0;
  const firstByte = startByte + bom + Buffer.byteLength(text.slice(0, place.start));
  const isValid = missing === bom;
  return {
    passage: id,
    source,
    startLine: firstLine,
    endLine: firstLine + lineBreaks(found),
    startByte: isValid ? firstByte : startByte,
    endByte: isValid ? firstByte + Buffer.byteLength(found) : endByte,
    hash,
    quote: found,
    origin,
  };
}

/** Numbers citations from 1. */
export const numbered = (citations: readonly Uncounted[]): Citation[] =>
  citations.map((citation, index) => Object.assign({ number: 0 }, citation, { number: index + 1 }));

/** Returns a key that equal citations share. */
export const identityOf = ({ passage, startByte, endByte, quote }: Uncounted): string =>
  JSON.stringify([passage, startByte, endByte, quote]);

/** Removes duplicate citations. */
export function unique<T extends Uncounted>(citations: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const one of citations) if (!first.has(identityOf(one))) first.set(identityOf(one), one);
  return [...first.values()];
}

/** A quote with fewer letters and digits than this may occur in other passages by chance, so they are not searched. */
const leastElsewhere = 6;

const saysEnough = (quote: string): boolean => (quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= leastElsewhere;

/** Finds a quote in the named passage or, because models often name a wrong passage, in another one. */
function locate(named: Passage | undefined, quote: string, passages: readonly Passage[], nth: number) {
  const others = saysEnough(quote) ? passages.filter((one) => one !== named) : [];
  for (const group of [named ? [named] : [], others]) {
    for (const look of [findQuote, findLoosely]) {
      for (const passage of group) {
        const place = look(passage.text, quote, nth);
        if (place !== null) return citePlace(passage, place, 'reply');
      }
    }
  }
  return null;
}

/**
 * Checks all citations of a reply. `misquoted`: the ids of dropped citations. `moved`: for each wrongly named id, the
 * ids of the passages that hold its quotes.
 */
function locateAll(cited: readonly CitedPassage[], passages: readonly Passage[]) {
  const found: Uncounted[] = [];
  const problems: string[] = [];
  const misquoted = new Set<string>();
  const moved = new Map<string, Set<string>>();
  for (const { passage: id, quote } of cited) {
    const checked = checkCitation({ passage: id, quote }, passages, 0);
    if ('problem' in checked) {
      problems.push(checked.problem);
      misquoted.add(id);
    } else {
      found.push(checked.citation);
      const { passage } = checked.citation;
      if (passage !== id) moved.set(id, (moved.get(id) ?? new Set()).add(passage));
    }
  }
  return { found, problems, misquoted, moved };
}

/**
 * Checks a reply's citations against the passages that the model saw. If a quote occurs only in another passage than
 * the named one, the citation and the answer's marks change to that passage. A citation is dropped if its quote occurs
 * nowhere, or if it has no quote and its passage is unknown.
 */
export function checkCitations(
  answer: string,
  cited: readonly CitedPassage[],
  passages: readonly Passage[],
): CheckedAnswer {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const { found, problems, misquoted, moved } = locateAll(cited, passages);
  const supported = new Set(found.map(({ passage }) => passage));
  for (const id of markedIds(answer)) {
    const passage = byId.get(id);
    if (!passage && !cited.some((one) => one.passage === id)) problems.push(problemOf(id, null, undefined));
    if (passage && !supported.has(id) && !misquoted.has(id) && !moved.has(id)) found.push(citeWhole(passage));
  }
  const citations = numbered(unique(found));
  const valid = new Set(citations.map(({ passage }) => passage));
  const markOf = (id: string) => (valid.has(id) ? [id] : [...(moved.get(id) ?? [])]).map((one) => `[${one}]`).join('');
  const given = passages.map(({ text }) => text);
  const unmarked = dropBareMarks(answer, given);
  return { answer: rewriteMarks(unmarked.answer, markOf), citations, problems: [...problems, ...unmarked.problems] };
}

/** Checks a citation of a reply. Returns it, or why it is dropped. `nth`: the occurrence of the quote, from 0. */
export function checkCitation(
  { passage: id, quote }: CitedPassage,
  passages: readonly Passage[],
  nth: number,
): { readonly citation: Uncounted } | { readonly problem: string } {
  const passage = passages.find((one) => one.id === id);
  const citation = quote === null ? passage && citeWhole(passage) : locate(passage, quote, passages, nth);
  return citation ? { citation } : { problem: problemOf(id, quote, passage) };
}

function problemOf(id: string, quote: string | null, passage: Passage | undefined): string {
  if (passage === undefined) {
    return id === '' ? 'the reply cites no passage' : `the reply cites passage ${id}, which the model was not given`;
  }
  const shown = JSON.stringify((quote ?? '').slice(0, 100));
  return `the reply quotes ${shown}, which is not in ${passage.source}:${passage.startLine}-${passage.endLine}`;
}

/** Returns a composed answer with the citations that its marks name. Drops marks of passages that no part cites. */
export function carryCitations(
  answer: string,
  parts: readonly { readonly question: string; readonly citations: readonly Uncounted[] }[],
): CheckedAnswer {
  const all = parts.flatMap(({ citations }) => citations);
  const known = new Set(all.map(({ passage }) => passage));
  const marked = markedIds(answer);
  const questions = parts.map(({ question }) => question);
  const unmarked = dropBareMarks(answer, questions);
  const unknown = marked.filter((id) => !known.has(id));
  return {
    answer: rewriteMarks(unmarked.answer, (id) => (known.has(id) ? `[${id}]` : '')),
    citations: numbered(unique(all.filter(({ passage }) => marked.includes(passage)))),
    problems: [
      ...unknown.map((id) => `the composed answer cites passage ${id}, which none of its parts cites`),
      ...unmarked.problems,
    ],
  };
}
