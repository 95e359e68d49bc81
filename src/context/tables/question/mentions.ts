import { namesColumn, partsOf } from '../cells/names.ts';
import type { Profile, TableColumn } from '../profile.ts';
import { grades, type MeasureCandidate, measures, quantities, timed } from './measures.ts';
import { isSuperlative } from './superlative-words.ts';
import type { QuestionToken } from './tokens.ts';
import { mayBeValue, mostWords, phraseOf } from './value-words.ts';

/** A value that a question names, in one of its columns. */
export interface ValueCandidate extends MeasureCandidate {
  /** The matching cells as written: several with the same words, or that contain the question's words. */
  readonly values: readonly string[];
}

/** What words of a question name, and how many words that are. */
interface Span<Found> {
  readonly found: Found;
  readonly length: number;
}

/**
 * Factor for a column name that matches apart from its ending: `open` may be a value rather than the column `opened`.
 */
const butForEnding = 0.98;

/** Among names at least this certain, the longest is meant: `lap time` is not the column `lap`. */
const surelyNamed = 0.88;

function weightOf(run: readonly QuestionToken[], words: readonly string[], { name }: TableColumn): number {
  const weight = namesColumn(words, name);
  return weight === 0 ? 0 : weight * likenessOf(run, name);
}

function likenessOf(run: readonly QuestionToken[], name: string): number {
  const parts = new Set(partsOf(name));
  return run.every(({ text }) => partsOf(text).every((part) => parts.has(part))) ? 1 : butForEnding;
}

/** The columns that the words from a place on name; null where they name none. */
export function columnAt(
  tokens: readonly QuestionToken[],
  at: number,
  { columns }: Profile,
): Span<readonly MeasureCandidate[]> | null {
  const spans: Span<readonly MeasureCandidate[]>[] = [];
  for (let length = Math.min(mostWords, tokens.length - at); length > 0; length--) {
    const run = tokens.slice(at, at + length);
    const words = run.flatMap(({ stems }) => stems);
    const candidates = columns
      .map((column) => ({ column, weight: weightOf(run, words, column) }))
      .filter(({ weight }) => weight > (run.some(mayBeValue) ? 0 : 0.99));
    const best = Math.max(0, ...candidates.map(({ weight }) => weight));
    if (best > 0) spans.push({ found: candidates.filter(({ weight }) => weight === best), length });
  }
  const rank = ({ found, length }: Span<readonly MeasureCandidate[]>) => (found[0]!.weight >= surelyNamed ? length : 0);
  return spans.sort((a, b) => rank(b) - rank(a) || b.found[0]!.weight - a.found[0]!.weight)[0] ?? null;
}

/** The weight of a value whose cell holds more than what the question says. */
export const heldWeight = 0.9;
const likenesses = [heldWeight, 0.97, 1, 1];
/** Cells that merely contain the question's words, at most: a word within a sentence says little. */
const mostHolding = 5;
/** Words that do not select the cells that merely contain them. */
const tellsNoValue = new Set('time times timed last first take takes took long start end day days'.split(' '));
const mostHoldingCharacters = 60;

function valuesOf(phrase: string, { columns, hits }: Profile): readonly ValueCandidate[] {
  const found = hits.get(phrase) ?? [];
  const likeness = Math.max(-1, ...found.map((hit) => hit.likeness));
  const best = found.filter((hit) => hit.likeness === likeness || (likeness === 3 && hit.likeness === 2));
  return [...new Set(best.map(({ column }) => column))].flatMap((index) => {
    const values = best.filter(({ column }) => column === index).map(({ value }) => value);
    const isFew =
      likeness > 0 || (values.length <= mostHolding && values.every((one) => one.length <= mostHoldingCharacters));
    return isFew ? [{ column: columns[index]!, values, weight: likenesses[likeness]! }] : [];
  });
}

/** The values that the words from a place on name; null where they name none. */
export function valueAt(
  tokens: readonly QuestionToken[],
  at: number,
  profile: Profile,
): Span<readonly ValueCandidate[]> | null {
  for (const isPart of [false, true]) {
    for (let length = Math.min(mostWords, tokens.length - at); length > 0; length--) {
      const run = tokens.slice(at, at + length);
      if (
        !run.some(mayBeValue) ||
        (isPart && !run.every((one) => mayBeValue(one) && !isSuperlative(one.word) && !tellsNoValue.has(one.word)))
      )
        continue;
      const found = valuesOf(phraseOf(run), profile).filter(({ weight }) => isPart || weight > heldWeight);
      if (found.length > 0) return { found, length };
    }
  }
  return null;
}

/** Words for the measured value of rows, where no column has the name. */
const worthWords = new Set(['revenue', 'turnover', 'sales', 'spend', 'spending', 'amount', 'worth', 'value']);
/** Words for durations, which a column of seconds, hours and the like holds under any name. */
const timeWords = new Set(['time', 'duration', 'seconds', 'minutes', 'hours', 'milliseconds']);
const gradeWords = new Set(['rating', 'ratings', 'score', 'scores', 'grade', 'grades', 'stars']);
const quantityWords = new Set(['units', 'pieces', 'items', 'quantity']);

/** Returns the columns that a general word refers to, whatever their names; null for other words. */
export function meantBy({ word }: QuestionToken, profile: Profile): readonly MeasureCandidate[] | null {
  const all = timeWords.has(word)
    ? timed(profile)
    : worthWords.has(word)
      ? measures(profile)
      : gradeWords.has(word)
        ? grades(profile)
        : quantityWords.has(word)
          ? quantities(profile)
          : null;
  return all !== null && all.length === 0 && !timeWords.has(word) && !worthWords.has(word) ? null : all;
}
