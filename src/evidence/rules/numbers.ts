import { contentTerms } from '../../context/words/terms.ts';
import type { EvidenceSentence } from '../support/evidence-text.ts';
import { isSameQuantity, type Quantity } from '../support/numbers.ts';
import { statedNumbers } from '../support/signals.ts';
import { datesThatStand } from './months.ts';
import type { Rule } from './rule.ts';

const around = 60;

/** The terms that stand around a number in its text. */
const termsAround = (text: string, { start, end }: Quantity): ReadonlySet<string> =>
  new Set(contentTerms(`${text.slice(Math.max(0, start - around), start)} ${text.slice(end, end + around)}`));

/** What is counted stands behind its number. */
const termAfter = (text: string, { end }: Quantity): string | undefined =>
  contentTerms(text.slice(end, end + around))[0];
const sameNoun = 3;

const isYear = ({ value, unit, text }: Quantity): boolean =>
  unit === '' && /^\d{4}$/.test(text) && value >= 1000 && value <= 2100;

/** Numbers that can stand for each other: both years or neither, and units that are the same or left out. */
const isRival = (one: Quantity, other: Quantity): boolean =>
  isYear(one) === isYear(other) && (one.unit === other.unit || one.value === other.value);

/** The number that stands in the evidence where the claim has another one; null where that cannot be told. */
function rivalOf(
  number: Quantity,
  claim: string,
  near: readonly EvidenceSentence[],
  stated: readonly Quantity[],
): Quantity | null {
  const wanted = termsAround(claim, number);
  const next = termAfter(claim, number);
  let [best, bestCommon] = [null as Quantity | null, 0];
  for (const { text, quantities } of near) {
    for (const other of quantities) {
      if (!isRival(number, other) || stated.some((one) => isSameQuantity(one, other))) continue;
      const shared = [...termsAround(text, other)].filter((term) => wanted.has(term)).length;
      const common = shared + (next !== undefined && termAfter(text, other) === next ? sameNoun : 0);
      if (common > bestCommon) [best, bestCommon] = [other, common];
    }
  }
  return best;
}

/** `2018–19` says 2019, too: the year for which such an end stands; null where it is none. */
function endOfYears({ value, start }: Quantity, claim: string): number | null {
  const begun = value < 100 && /(\d{2})\d{2}[–-]$/.exec(claim.slice(Math.max(0, start - 5), start));
  return begun ? Number(begun[1]) * 100 + value : null;
}

/** Whether a year stands in a text, also as the end of `2018–19`. */
const hasYear = (text: string, year: number): boolean =>
  new RegExp(`(?<!\\d)${year}(?!\\d)|\\d{4}[–-]${String(year).slice(2)}(?!\\d)`).test(text);

const isInDigits = ({ text }: Quantity): boolean => /\d/.test(text);

/** Whether the evidence counts the same with another number: one in words may else sum up what the evidence lists. */
const isOfSameNoun = (
  number: Quantity,
  claim: string,
  rival: Quantity | null,
  near: readonly EvidenceSentence[],
): boolean =>
  rival !== null &&
  near.some(
    ({ text, quantities }) => quantities.includes(rival) && termAfter(text, rival) === termAfter(claim, number),
  );

/** Every number of the claim has to stand in a sentence that has another of its words; a year may stand alone. */
export const numbersStand: Rule = ({ text, terms, near }, { sentences }) => {
  const stated = statedNumbers(text);
  if (stated.length === 0) return null;
  const isOfClaim = (has: ReadonlySet<string>) => [...terms].some((term) => has.has(term) && !/^\d/.test(term));
  const found = sentences.flatMap(({ quantities, has }) => {
    const isRelated = isOfClaim(has);
    return quantities.filter((number) => isRelated || isYear(number));
  });
  const isEnd = (number: Quantity) => {
    const year = endOfYears(number, text);
    return year !== null && sentences.some((sentence) => hasYear(sentence.text, year));
  };
  const dates = datesThatStand(text, sentences.map((sentence) => sentence.text).join('\n'));
  const isOfDate = ({ start, end }: Quantity) => dates.some((date) => date.start <= start && end <= date.end);
  const isFound = (number: Quantity) =>
    isEnd(number) || isOfDate(number) || found.some((other) => isSameQuantity(number, other));
  const absent = stated.filter((number) => !isFound(number));
  const missing = absent.find(isInDigits) ?? absent[0];
  if (missing === undefined) return null;
  const rival = rivalOf(missing, text, near, stated);
  if (!isInDigits(missing) && !isOfSameNoun(missing, text, rival, near)) return null;
  return rival
    ? { verdict: 'contradicted', reason: `the passage says ${rival.text}, the answer ${missing.text}` }
    : { verdict: 'unsupported', reason: `${missing.text} does not stand in the passage` };
};
