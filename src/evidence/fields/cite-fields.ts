import { contentTerms } from '../../context/words/terms.ts';
import type { Citation, Claim, Passage } from '../../state.ts';
import { citePlace, identityOf, numbered, type Uncounted, unique } from '../citations.ts';
import { findLoosely, findQuote } from '../quote.ts';
import { readValues } from '../values.ts';
import type { Leaf } from './write-json.ts';

export interface FieldKinds {
  /** Whether a field has an enumeration of values, which the text may express in other words. */
  readonly isChoice: (path: readonly string[]) => boolean;
  /** Titles and descriptions of a field and its parents; may be empty. */
  readonly about: (path: readonly string[]) => string;
}

export interface CitedFields {
  readonly citations: readonly Citation[];
  readonly claims: readonly Claim[];
  /** The citations of each field, by JSON pointer. Fields without evidence are left out. */
  readonly fieldCitations: Readonly<Record<string, readonly Citation[]>>;
}

interface PassageLine {
  readonly passage: Passage;
  /** Range in the passage without white space around the line, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The line, the `linesBefore` lines before it and the line after it. */
  readonly around: string;
}

const linesBefore = 3;

function linesOf(passage: Passage): PassageLine[] {
  const lines = passage.text.split('\n');
  let at = 0;
  return lines.flatMap((line, index) => {
    const start = at + (line.length - line.trimStart().length);
    at += line.length + 1;
    if (line.trim() === '') return [];
    const around = lines.slice(Math.max(0, index - linesBefore), index + 2).join('\n');
    return [{ passage, start, end: start + line.trim().length, text: line, around }];
  });
}

/**
 * Creates a test for whether a line contains a value. A number matches in any notation, a date matches by its numbers,
 * and other text matches as a quote.
 */
function createMatcher(value: string | number): (line: string) => boolean {
  const numbers =
    typeof value === 'number' || /^\d{4}-\d\d-\d\d/.test(value) ? readValues(String(value)).numbers : null;
  if (numbers !== null)
    return (line) => {
      const present = readValues(line).numbers;
      return [...numbers].every((number) => present.has(number));
    };
  return (line) => (findQuote(line, String(value)) ?? findLoosely(line, String(value))) !== null;
}

const shareOf = (terms: ReadonlySet<string>, text: string): number => {
  const present = new Set(contentTerms(text));
  return terms.size === 0 ? 0 : [...terms].filter((term) => present.has(term)).length / terms.size;
};

function bestLine(holds: (line: string) => boolean, words: ReadonlySet<string>, lines: readonly PassageLine[]) {
  const share = ({ text, around }: PassageLine) => 2 * shareOf(words, text) + shareOf(words, around);
  const holding = lines.filter(({ text }) => holds(text)).map((line) => ({ line, share: share(line) }));
  return holding.sort((one, other) => other.share - one.share)[0]?.line ?? null;
}

/**
 * Cites a line for each value of an answer in JSON, except true, false and empty values. Chooses the line that contains
 * the value and shares the most words with the field and the question.
 */
export function citeFields(
  leaves: readonly Leaf[],
  { isChoice, about }: FieldKinds,
  question: string,
  passages: readonly Passage[],
): CitedFields {
  const lines = passages.flatMap(linesOf);
  const fields = leaves
    .filter(({ value }) => value !== null && value !== '')
    .map((leaf) => {
      const { value, path } = leaf;
      const words = new Set(contentTerms([...path, about(path), question].join(' ')));
      const line = typeof value === 'boolean' ? null : bestLine(createMatcher(value as string | number), words, lines);
      const isFree = typeof value === 'boolean' || isChoice(path);
      const reason = line !== null || isFree ? null : `the passages do not contain ${JSON.stringify(value)}`;
      return { leaf, reason, citation: line === null ? null : citePlace(line.passage, line, 'code') };
    });
  const citations = numbered(unique(fields.flatMap(({ citation }) => citation ?? [])));
  const numbersOf = (citation: Uncounted | null) =>
    citations.filter((one) => citation !== null && identityOf(one) === identityOf(citation));
  return {
    citations,
    claims: fields.map(({ leaf: { path, value, start, end }, reason, citation }) => {
      const text = [path.join('.'), String(value)].filter(Boolean).join(': ');
      const numbers = numbersOf(citation).map(({ number }) => number);
      return { text, start, end, citations: numbers, support: null, verdict: 'unchecked', reason };
    }),
    fieldCitations: Object.fromEntries(
      fields.flatMap(({ leaf, citation }) => (citation === null ? [] : [[leaf.pointer, numbersOf(citation)]])),
    ),
  };
}
