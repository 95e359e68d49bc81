/** Claims that were true, changed in one thing. */
import { namesOf } from '../../src/evidence/support/names.ts';
import { readQuantities } from '../../src/evidence/support/numbers.ts';

/** Returns the changed claim; null if the claim has nothing of this kind to change. */
type Change = (claim: string) => string | null;

const replaceAt = (text: string, start: number, end: number, by: string) => text.slice(0, start) + by + text.slice(end);

const isYear = (text: string) => /^(?:1[0-9]|20)\d\d$/.test(text);

/** Changes the first number that is not a year. */
const changeNumber: Change = (claim) => {
  const found = readQuantities(claim).find(({ text }) => /\d/.test(text) && !isYear(text.replace(/\D/g, '')));
  if (found === undefined) return null;
  const digits = /\d[\d,.]*\d|\d/.exec(found.text)!;
  const value = Number(digits[0].replaceAll(',', ''));
  const other = String(value < 10 ? value + 3 : Math.round(value * 1.4) + 1);
  return replaceAt(claim, found.start + digits.index, found.start + digits.index + digits[0].length, other);
};

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Changes the first year or month. */
const changeDate: Change = (claim) => {
  const year = /\b(?:1[0-9]|20)\d\d\b/.exec(claim);
  if (year) return replaceAt(claim, year.index, year.index + 4, String(Number(year[0]) - 7));
  const month = new RegExp(`\\b(?:${months.join('|')})\\b`).exec(claim);
  if (!month) return null;
  const other = months[(months.indexOf(month[0]) + 5) % 12]!;
  return replaceAt(claim, month.index, month.index + month[0].length, other);
};

/** Names in a list may be exchanged without changing the meaning. */
const isListed = (between: string) => /^(?:,|,? (?:and|or|&))? ?(?:the )?$/.test(between);

/** Exchanges the first two names that differ. */
const swapNames: Change = (claim) => {
  const names = [...new Set(namesOf(claim))];
  const [one] = names;
  const other = names.find((name) => one !== undefined && !name.includes(one) && !one.includes(name));
  if (one === undefined || other === undefined) return null;
  const [first, second] = [claim.indexOf(one), claim.indexOf(other)];
  if (first < 0 || second <= first || isListed(claim.slice(first + one.length, second))) return null;
  return replaceAt(replaceAt(claim, second, second + other.length, one), first, first + one.length, other);
};

/** Inserts "not" after the first verb that takes it. */
const negate: Change = (claim) => {
  const found = /\b(?:was|were|is|are|has|had|have|will|can|could|would|may|must|should)\b(?! not)/.exec(claim);
  if (found) return replaceAt(claim, found.index, found.index + found[0].length, `${found[0]} not`);
  const past = /(?<=\p{L} )(\p{Ll}{3,}ed)(?= (?:the|a|an|in|to|at|for|on|his|her|its|with|from|as|\p{Lu}))/u.exec(
    claim,
  );
  return past ? replaceAt(claim, past.index, past.index + past[0].length, `never ${past[0]}`) : null;
};

export const changes: Readonly<Record<string, Change>> = {
  number: changeNumber,
  date: changeDate,
  'swapped names': swapNames,
  negation: negate,
};
