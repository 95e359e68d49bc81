/** Scores numbers in replies. */
import { plainAnswer, statedAnswer } from './words.ts';

const words: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
    ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'],
  ].map((word, number) => [word, number]),
);

const numberPattern =
  /(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]*\d)|(?<![\w.])-?\d+(?:\.\d+)?(?!\d)|\b[a-z]+\b/gi;

const month = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';

const datesAndTimes = new RegExp(
  String.raw`\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d{1,2} ${month}(?: \d{4})?\b|\b${month} \d{1,2}(?:,? \d{4})?\b`,
  'g',
);

/**
 * Returns the numbers of a text in order: digits with `,` between thousands, and words from zero to twenty. Dates and
 * times of day are none.
 */
function numbersIn(text: string): readonly number[] {
  return [...text.replace(datesAndTimes, ' ').matchAll(numberPattern)].flatMap(([found]) => {
    if (/^[a-z]/i.test(found)) return Object.hasOwn(words, found.toLowerCase()) ? words[found.toLowerCase()]! : [];
    return Number(found.replaceAll(',', ''));
  });
}

/** Removes numbering at the beginning of lines. */
const withoutNumbering = (text: string): string => text.replace(/^\s*\(?\d{1,3}[.)]\s+/gm, '');

/** The right number, and its allowed deviation. */
export interface NumberGold {
  readonly number: number;
  readonly tolerance: number;
  readonly decay: number | null;
}

/** Tolerance for rounding errors of sums. */
const slack = 1e-9;

function scoreOf(said: number, { number, tolerance, decay }: NumberGold): number {
  const off = Math.abs(said - number);
  if (off <= tolerance + slack) return 1;
  return decay === null ? 0 : decay ** off;
}

/**
 * Returns the numbers of what the reply states as its answer: of the text after its label, or of its first sentence,
 * without the list after a colon; of the whole reply where these have none.
 */
function statedNumbers(reply: string): readonly number[] {
  const text = withoutNumbering(plainAnswer(reply));
  const stated = statedAnswer(text);
  const found = [stated.split(/:\s/, 1)[0]!, stated, text].map(numbersIn);
  return found.find((numbers) => numbers.length > 0) ?? [];
}

/** Scores the best of the numbers that the reply states, 0–1; 0 where it has none. */
export const numberAmong = (reply: string, gold: NumberGold): number =>
  statedNumbers(reply).reduce((best, one) => Math.max(best, scoreOf(one, gold)), 0);

/**
 * Scores the first number that the reply states, 0–1. A sentence with more than three different numbers states none.
 */
export function numberStated(reply: string, gold: NumberGold): number {
  const all = statedNumbers(reply);
  if (all.length === 0 || new Set(all).size > 3) return 0;
  return scoreOf(all[0]!, gold);
}
