/** Numbers in replies. */
import { statedAnswer, withoutMarks } from './words.ts';

const words: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
    ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'],
  ].map((word, number) => [word, number]),
);

const numberPattern =
  /(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]*\d)|(?<![\w.])-?\d+(?:\.\d+)?(?!\d)|\b[a-z]+\b/gi;

const dates = /\b\d{4}-\d\d-\d\d\b/g;

/** Numbers of a text in their order: digits with `,` between thousands, and words from zero to twenty; no dates. */
function numbersIn(text: string): readonly number[] {
  return [...text.replace(dates, ' ').matchAll(numberPattern)].flatMap(([found]) => {
    if (/^[a-z]/i.test(found)) return Object.hasOwn(words, found.toLowerCase()) ? words[found.toLowerCase()]! : [];
    return Number(found.replaceAll(',', ''));
  });
}

/** Numbers at the beginning of lines number them. */
const withoutNumbering = (text: string): string => text.replace(/^\s*\(?\d{1,3}[.)]\s+/gm, '');

/** What a right number is, and how far one may be off. */
export interface NumberGold {
  readonly number: number;
  readonly tolerance: number;
  readonly decay: number | null;
}

/** Rounding of sums is no difference. */
const slack = 1e-9;

function scoreOf(said: number, { number, tolerance, decay }: NumberGold): number {
  const off = Math.abs(said - number);
  if (off <= tolerance + slack) return 1;
  return decay === null ? 0 : decay ** off;
}

/** The best of all numbers in the reply, 0–1; 0 where it has none. */
export function numberAnywhere(reply: string, gold: NumberGold): number {
  const said = numbersIn(withoutNumbering(withoutMarks(reply)));
  return said.reduce((best, one) => Math.max(best, scoreOf(one, gold)), 0);
}

/**
 * The number that the reply states as its answer, 0–1: what follows its label, else the first of its first sentence
 * that has one; a sentence with more than three different numbers states none.
 */
export function numberStated(reply: string, gold: NumberGold): number {
  const text = withoutNumbering(withoutMarks(reply));
  const stated = numbersIn(statedAnswer(text));
  const all = stated.length > 0 ? stated : numbersIn(text);
  if (all.length === 0 || new Set(all).size > 3) return 0;
  return scoreOf(all[0]!, gold);
}
