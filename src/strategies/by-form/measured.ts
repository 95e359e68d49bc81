/** Reads comparable numbers from the answers about several things. */
import { readMoment } from '../../context/order/moments.ts';
import { rewriteMarks } from '../../evidence/marks.ts';
import { type Quantity, readQuantities, valueIn } from '../../evidence/support/numbers.ts';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthName = `(?<month>${months.join('|')})\\p{L}*\\.?`;
const dates = [
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthName},? (?<year>\\d{4})\\b`, 'iu'),
  new RegExp(`\\b${monthName} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})\\b`, 'iu'),
  new RegExp(`\\b${monthName},? (?<year>\\d{4})\\b`, 'iu'),
  /(?<!\d)(?<year>1\d{3}|20\d{2})-(?<number>\d{2})-(?<day>\d{2})(?!\d)/u,
  /(?<![\d.,])(?<year>1\d{3}|20\d{2})(?![\d.,]\d|\d)/u,
];

/** Returns the date in an answer, in ms since 1970; null where it has none. */
function momentIn(answer: string): number | null {
  const told = readMoment(answer);
  if (told?.hasYear) return told.ms;
  for (const form of dates) {
    const { year, month, number, day } = form.exec(answer)?.groups ?? {};
    const at = month === undefined ? Number(number ?? 1) - 1 : months.indexOf(month.slice(0, 3).toLowerCase());
    if (year !== undefined) return Date.UTC(Number(year), at, Number(day ?? 1));
  }
  return null;
}

/** Returns the first quantity of an answer that its question does not contain. */
function quantityIn(answer: string, question: string): Quantity | null {
  const asked = new Set(readQuantities(question).map(({ value }) => value));
  return readQuantities(answer).find(({ value }) => !asked.has(value)) ?? null;
}

/** Converts quantities to the unit of the first; null where a unit is not comparable. */
function inFirstUnit(quantities: readonly Quantity[]): number[] | null {
  const values = quantities.map((one) => valueIn(quantities[0]!.unit, one));
  return values.some((value) => value === null) ? null : (values as number[]);
}

/**
 * Returns the answers to questions of one form as comparable numbers: dates in ms since 1970 for `When …`, else
 * quantities in one unit. Null where an answer has none.
 */
export function valuesOf(answers: readonly { readonly question: string; readonly answer: string }[]): number[] | null {
  const plain = answers.map(({ question, answer }) => ({ question, answer: rewriteMarks(answer, () => '') }));
  const asksWhen = answers.every(({ question }) => /^when\b/i.test(question));
  if (asksWhen) {
    const moments = plain.map(({ answer }) => momentIn(answer));
    return moments.some((moment) => moment === null) ? null : (moments as number[]);
  }
  const quantities = plain.map(({ answer, question }) => quantityIn(answer, question));
  return quantities.some((one) => one === null) ? null : inFirstUnit(quantities as Quantity[]);
}
