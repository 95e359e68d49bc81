/** Finds the place of a field's value in the text: of several, the one whose words agree best with the field. */
import { contentTerms } from '../../context/words/terms.ts';
import type { EvidenceSentence, EvidenceText } from '../support/evidence-text.ts';

/** What identifies a field, as terms. */
export interface FieldWords {
  /** Its name with those of its parents, its title and its description. */
  readonly names: ReadonlySet<string>;
  /** The other values of the same object. */
  readonly beside: ReadonlySet<string>;
  /** The question's. */
  readonly asked: ReadonlySet<string>;
}

/** A line that has the value. */
export interface ValuePlace {
  readonly sentence: EvidenceSentence;
  /** Character range in the sentence's text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** The share of the field's, its neighbours' and the question's terms on the line and around it, 0–1. */
  readonly around: number;
}

const weightOf = { names: 1, beside: 1, asked: 0.5 } as const;

/** The weight of a term by its distance from the value. */
const near = { line: 1, sentence: 0.9, frame: 0.3, parents: 0.7, before: 0.2, referred: 0.8, after: 0.1 } as const;

/** The beginning of a sentence that refers to the one before it. */
const refers = /^\W*(?:It|Its|He|His|She|Her|They|Their|This|These|That|Those)\b/;

/** How far up a line's parents are looked for, in lines. */
const mostLines = 40;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Returns the lines above that are indented less and less: the parents of a YAML key or an item. */
function parentsOf(text: string, lineStart: number): string[] {
  const above = text.slice(0, lineStart).split('\n').slice(0, -1).slice(-mostLines).reverse();
  const end = text.indexOf('\n', lineStart);
  let indent = indentOf(text.slice(lineStart, end < 0 ? undefined : end));
  const parents: string[] = [];
  for (const line of above) {
    if (indent === 0 || line.trim() === '') break;
    if (indentOf(line) >= indent) continue;
    parents.push(line);
    indent = indentOf(line);
  }
  return parents;
}

/** Weighs each term around a line, 0–1. */
function countAround(sentences: readonly EvidenceSentence[], at: number, start: number, end: number) {
  const sentence = sentences[at]!;
  const { text, passage, stretch } = sentence;
  const counts = new Map<string, number>();
  const add = (terms: Iterable<string>, weight: number) => {
    for (const term of terms) if ((counts.get(term) ?? 0) < weight) counts.set(term, weight);
  };
  const neighbour = (other: EvidenceSentence | undefined) => (other?.stretch === stretch ? other.has : []);
  add(contentTerms(text.slice(start, end)), near.line);
  add(sentence.has, near.sentence);
  add(sentence.frame, near.frame);
  const lineStart = passage.text.lastIndexOf('\n', sentence.start + start - 1) + 1;
  add(contentTerms(parentsOf(passage.text, lineStart).join('\n')), near.parents);
  add(neighbour(sentences[at - 1]), refers.test(text) ? near.referred : near.before);
  add(neighbour(sentences[at + 1]), near.after);
  return counts;
}

/** Returns the weighted share of terms, by rarity, 0–1; 0 when there are none. */
function shareOf(terms: ReadonlySet<string>, counts: ReadonlyMap<string, number>, { rarity }: EvidenceText): number {
  let [found, all] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term);
    all += weight;
    found += weight * (counts.get(term) ?? 0);
  }
  return all === 0 ? 0 : found / all;
}

/** Returns the lines of a sentence that hold a value, or the whole sentence where no single line does. */
function linesOf({ text }: EvidenceSentence, holds: (text: string) => boolean): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const from = start + indentOf(line);
    if (line.trim() !== '' && holds(line)) lines.push({ start: from, end: from + line.trim().length });
    start += line.length + 1;
  }
  const from = indentOf(text);
  return lines.length > 0 ? lines : [{ start: from, end: from + text.trim().length }];
}

/** Finds each line that has the value, in the order of the text, and rates the words around it. */
export function placesOf(holds: (text: string) => boolean, words: FieldWords, evidence: EvidenceText): ValuePlace[] {
  const { sentences } = evidence;
  const parts = (Object.keys(weightOf) as (keyof FieldWords)[]).filter((part) => words[part].size > 0);
  const all = parts.reduce((sum, part) => sum + weightOf[part], 0);
  return sentences.flatMap((sentence, at) => {
    if (!holds(sentence.text)) return [];
    return linesOf(sentence, holds).map(({ start, end }): ValuePlace => {
      const counts = countAround(sentences, at, start, end);
      const sum = parts.reduce((total, part) => total + weightOf[part] * shareOf(words[part], counts, evidence), 0);
      return { sentence, start, end, around: all === 0 ? 0 : sum / all };
    });
  });
}

/** Returns the best place, the first of equal ones; null where there is none. */
export const bestPlace = (places: readonly ValuePlace[]): ValuePlace | null =>
  places.reduce<ValuePlace | null>(
    (best, one) => (best === null || one.around > best.around + 1e-9 ? one : best),
    null,
  );

/**
 * A logistic curve over the share of words around a value, fitted by `npm run fit:evidence` with Platt's targets on
 * values of squad2's questions, half of them those of another question.
 */
export const valueCurve = { constant: -2, slope: 4.57 } as const;

/** Returns how well a place supports its value, 0–1. */
export const supportAt = ({ around }: Pick<ValuePlace, 'around'>): number =>
  1 / (1 + Math.exp(-(valueCurve.constant + valueCurve.slope * around)));
