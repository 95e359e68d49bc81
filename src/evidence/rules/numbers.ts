import { contentTerms } from '../../context/words/terms.ts';
import type { EvidenceSentence } from '../support/evidence-text.ts';
import { isSameQuantity, type Quantity } from '../support/numbers.ts';
import { statedNumbers } from '../support/signals.ts';
import { datesThatStand } from './months.ts';
import type { Rule } from './rule.ts';

const around = 60;

/** Returns the terms around a number in its text. */
const termsAround = (text: string, { start, end }: Quantity): ReadonlySet<string> =>
  new Set(contentTerms(`${text.slice(Math.max(0, start - around), start)} ${text.slice(end, end + around)}`));

/** Returns the term behind a number: the thing that it counts. */
const termAfter = (text: string, { end }: Quantity): string | undefined =>
  contentTerms(text.slice(end, end + around))[0];
const sameNoun = 3;

const isYear = ({ value, unit, text }: Quantity): boolean =>
  unit === '' && /^\d{4}$/.test(text) && value >= 1000 && value <= 2100;

/** Whether one number can replace the other: both or neither are years, and the units agree or one is left out. */
const isRival = (one: Quantity, other: Quantity): boolean =>
  isYear(one) === isYear(other) && (one.unit === other.unit || one.value === other.value);

/** Finds the number that the evidence has in the place of the claim's number; null where none can be told. */
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

/** Returns the year that the end of `2018–19` stands for (2019); null where the number is no such end. */
function endOfYears({ value, start }: Quantity, claim: string): number | null {
  const begun = value < 100 && /(\d{2})\d{2}[–-]$/.exec(claim.slice(Math.max(0, start - 5), start));
  return begun ? Number(begun[1]) * 100 + value : null;
}

/** Returns the pattern of a year, also as the end of `2018–19`, or of the years of `the 1990s`; null for no year. */
function yearPattern(number: Quantity, claim: string): RegExp | null {
  const decade = /^(\d{3})0['’]?s\b/.exec(claim.slice(number.start, number.start + 7));
  if (decade) return new RegExp(`(?<!\\d)${decade[1]}\\d(?!\\d)`);
  const year = isYear(number) ? number.value : endOfYears(number, claim);
  return year === null ? null : new RegExp(`(?<!\\d)${year}(?!\\d)|\\d{4}[–-]${String(year).slice(2)}(?!\\d)`);
}

const isInDigits = ({ text }: Quantity): boolean => /\d/.test(text);

/** Whether the evidence counts the same thing with another number. A number in words may else sum up a list. */
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

/** Finds a number of the claim that no sentence with another of its words has; a year may be in any sentence. */
export const numbersStand: Rule = ({ text, terms, near }, { sentences }) => {
  const stated = statedNumbers(text);
  if (stated.length === 0) return null;
  const isOfClaim = (has: ReadonlySet<string>) => [...terms].some((term) => has.has(term) && !/^\d/.test(term));
  const found = sentences.flatMap(({ quantities, has }) => (isOfClaim(has) ? quantities : []));
  const isYearFound = (number: Quantity) => {
    const pattern = yearPattern(number, text);
    return pattern !== null && sentences.some((sentence) => pattern.test(sentence.text));
  };
  const dates = datesThatStand(text, sentences.map((sentence) => sentence.text).join('\n'));
  const isOfDate = ({ start, end }: Quantity) => dates.some((date) => date.start <= start && end <= date.end);
  const isFound = (number: Quantity) =>
    isYearFound(number) || isOfDate(number) || found.some((other) => isSameQuantity(number, other));
  const absent = stated.filter((number) => !isFound(number));
  const missing = absent.find(isInDigits) ?? absent[0];
  if (missing === undefined) return null;
  const rival = rivalOf(missing, text, near, stated);
  if (!isInDigits(missing) && !isOfSameNoun(missing, text, rival, near)) return null;
  return rival
    ? { verdict: 'contradicted', reason: `the passage says ${rival.text}, the answer ${missing.text}` }
    : { verdict: 'unsupported', reason: `${missing.text} is not in the passage` };
};
