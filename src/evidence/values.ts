/** The exact things in a text: numbers, identifiers and quotations. Nothing else of its meaning is read. */
import { findLoosely, findQuote } from './quote.ts';

/** The exact things that a text states. */
export interface StatedValues {
  /** Numbers as decimal text without separators or leading zeros: `235000`, `3.5`. */
  readonly numbers: ReadonlySet<string>;
  /** Names of code, files and records: with digits, underscores, slashes or capitals inside. */
  readonly identifiers: ReadonlySet<string>;
  /** Words between quotation marks or backticks. */
  readonly quotes: readonly string[];
}

/** `235,000`, `235, 000`, `1 000 000`: the thousands of one number; else digits with decimals. */
const grouped = /\d{1,3}(?:[,\u00a0\u202f] ?\d{3})+(?!\d)(?:\.\d+)?/g;
const plainNumber = /\d+(?:\.\d+)?/g;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The name of a month beside a number: the month of a date. */
const monthName =
  /(?<=\d(?:st|nd|rd|th)?[ .-]{1,2}(?:of )?)(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?=\.? \d)/gi;

const identifier = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:#-]*[\p{L}\p{N}_$]/gu;
const isIdentifier = (word: string): boolean =>
  /\p{L}/u.test(word) &&
  (/[_$@/#]|\p{L}\d|\d\p{L}{2}|\p{Ll}\p{Lu}|\p{L}\.\p{L}/u.test(word) || /^\p{Lu}[\p{Lu}\d_-]*\d/u.test(word));

const quotation = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|`([^`\n]{2,300})`/g;
/** A quotation of fewer words is a name or an emphasis. */
const fewestQuoted = 3;

const normal = (digits: string): string => {
  const plain = digits.replace(/[,\s\u00a0\u202f]/g, '');
  const [whole = '', decimals = ''] = plain.split('.');
  const trimmed = decimals.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${trimmed === '' ? '' : `.${trimmed}`}`;
};

/** Reads the exact things that a text states. A number that can be read in two ways is read in both. */
export function readValues(text: string): StatedValues {
  const numbers = new Set<string>();
  for (const pattern of [grouped, plainNumber])
    for (const [found] of text.matchAll(pattern)) numbers.add(normal(found));
  for (const [name] of text.matchAll(monthName))
    numbers.add(String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1));
  const identifiers = new Set([...text.matchAll(identifier)].map(([word]) => word).filter(isIdentifier));
  const quotes = [...text.matchAll(quotation)]
    .map(([, straight, curly, code]) => straight ?? curly ?? code ?? '')
    .filter((words) => words.trim().split(/\s+/).length >= fewestQuoted);
  return { numbers, identifiers, quotes };
}

/** Reads a claim: a number with separators is one number. */
function readClaim(claim: string): StatedValues {
  const { identifiers, quotes } = readValues(claim);
  const within = new Set([...identifiers].flatMap((word) => [...readValues(word).numbers]));
  const joined = claim.replace(grouped, (found) => normal(found));
  const numbers = [...joined.matchAll(plainNumber)].map(([found]) => normal(found)).filter((one) => !within.has(one));
  return { numbers: new Set(numbers), identifiers, quotes };
}

/** Texts in which values are looked up; each is read once. */
export interface ValueSources {
  /** Returns the values of a claim that stand in none of the texts, as the claim writes them. */
  missing(claim: string): readonly string[];
}

/** Reads texts for looking up values. */
export function createValueSources(texts: readonly string[]): ValueSources {
  const numbers = new Set(texts.flatMap((text) => [...readValues(text).numbers]));
  const lower = texts.map((text) => text.toLowerCase());
  const stands = (words: string) => texts.some((text) => findQuote(text, words) ?? findLoosely(text, words));
  return {
    missing(claim) {
      const stated = readClaim(claim);
      return [
        ...stated.quotes.filter((words) => !stands(words)).map((words) => JSON.stringify(words)),
        ...[...stated.identifiers].filter((word) => !lower.some((text) => text.includes(word.toLowerCase()))),
        ...[...stated.numbers].filter((number) => !numbers.has(number)),
      ];
    },
  };
}
