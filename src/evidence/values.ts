import { findLoosely, findQuote } from './quote.ts';

/** The exact values in a text. */
export interface StatedValues {
  /** Numbers as decimal text without separators or leading zeros: `235000`, `3.5`. */
  readonly numbers: ReadonlySet<string>;
  /** Names of code, files and records: words with signs, digits or capitals inside. */
  readonly identifiers: ReadonlySet<string>;
  /** Three or more words between quotation marks or backticks. */
  readonly quotes: readonly string[];
}

/** Matches `235,000`, `235, 000` and `1 000 000`: numbers with thousands separators, or lists of numbers. */
const grouped = /(?<![\d.])\d{1,3}(?:(?:, ?|[ \u00a0\u202f])\d{3})+(?!\d)(?:\.\d+)?/g;
const plainNumber = /\d+(?:\.\d+)?/g;
/** Matches a date such as `12.09.2026`, which is not a decimal number. */
const dotted = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Matches the name of a month, as in `3 March` and `Mar. 3`. */
const name =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])';
const monthName = new RegExp(`(?<=\\d(?:st|nd|rd|th)?[ .-]{1,2}(?:of )?)${name}|\\b${name}(?=\\.? \\d)`, 'gi');

const identifier = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:#-]*[\p{L}\p{N}_$]/gu;
/** Whether a word is a number with a unit (`20ms`) or an ordinal (`1st`). */
const isMeasure = (word: string): boolean => /^\d+(?:\.\d+)?\p{Ll}{1,4}$/u.test(word);
const isIdentifier = (word: string): boolean =>
  /\p{L}/u.test(word) &&
  !isMeasure(word) &&
  (/[_$@/#]|\p{L}\d|\d\p{L}{2}|\p{Ll}\p{Lu}|\p{L}{2}\.\p{L}|\p{L}\.\p{L}(?:\p{L}|\.\p{L})/u.test(word) ||
    /^\p{Lu}[\p{Lu}\d_-]*\d/u.test(word));

const quotation = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|`([^`\n]{2,300})`/g;
/** Minimum number of words in a quotation. Fewer words between quotation marks are a name or an emphasis. */
const fewestQuoted = 3;

const normal = (digits: string): string => {
  const plain = digits.replace(/[,\s\u00a0\u202f]/g, '');
  const [whole = '', decimals = ''] = plain.split('.');
  const trimmed = decimals.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${trimmed === '' ? '' : `.${trimmed}`}`;
};

const partsOf = (text: string): string[] => [...text.matchAll(plainNumber)].map(([found]) => normal(found));

/** Whether a grouped number may be a list, as in `404, 500`. `7,000` is no list, because no number is written `000`. */
const mayBeList = (found: string): boolean => !/\D0\d/.test(found);

const monthsOf = (text: string): string[] =>
  [...text.matchAll(monthName)].map(([name]) => String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1));

/** Reads the exact values in a text. `404, 500` may be one number or two, so all three numbers are returned. */
export function readValues(text: string): StatedValues {
  const wholes = [...text.matchAll(grouped)].map(([found]) => normal(found));
  const dates = [...text.matchAll(dotted)].flatMap((parts) => parts.slice(1).map(normal));
  const parts = partsOf(text.replace(grouped, (found) => (mayBeList(found) ? found : ' ')));
  const numbers = new Set([...wholes, ...dates, ...parts, ...monthsOf(text)]);
  const identifiers = new Set([...text.matchAll(identifier)].map(([word]) => word).filter(isIdentifier));
  const quotes = [...text.matchAll(quotation)]
    .map(([, straight, curly, code]) => straight ?? curly ?? code ?? '')
    .filter((words) => words.trim().split(/\s+/).length >= fewestQuoted);
  return { numbers, identifiers, quotes };
}

/** Returns the numbers of a claim that `numbers` lacks. Digits of identifiers are not numbers. */
function missingNumbers(claim: string, numbers: ReadonlySet<string>): string[] {
  const missing: string[] = [];
  const areInTexts = (parts: readonly string[]) => parts.every((part) => numbers.has(part));
  let rest = claim.replace(identifier, (word) => (isIdentifier(word) ? ' ' : word));
  missing.push(...monthsOf(rest).filter((month) => !numbers.has(month)));
  rest = rest.replace(dotted, '$1 - $2 - $3').replace(grouped, (found) => {
    if (!numbers.has(normal(found)) && !(mayBeList(found) && areInTexts(partsOf(found)))) missing.push(normal(found));
    return ' ';
  });
  return [...missing, ...partsOf(rest).filter((number) => !numbers.has(number))];
}

/** Creates a look-up of values in texts. */
export function createValueSources(texts: readonly string[]) {
  const numbers = new Set(texts.flatMap((text) => [...readValues(text).numbers]));
  const lower = texts.map((text) => text.toLowerCase());
  const isInTexts = (words: string) => texts.some((text) => findQuote(text, words) ?? findLoosely(text, words));
  return {
    /** Returns the values of a claim that the texts lack. A month is given as its number. */
    missing(claim: string): readonly string[] {
      const { identifiers, quotes } = readValues(claim);
      return [
        ...quotes.filter((words) => !isInTexts(words)).map((words) => JSON.stringify(words)),
        ...[...identifiers].filter((word) => !lower.some((text) => text.includes(word.toLowerCase()))),
        ...new Set(missingNumbers(claim, numbers)),
      ];
    },
  };
}
