/** Words of a question with a meaning that does not depend on the text. */
import type { Comparison } from '../tables/moment.ts';

export type Dimension = 'duration' | 'weight' | 'age' | 'price' | 'money' | 'time';
type Order = 'most' | 'least';
type SuperlativeBy = 'rows' | 'sums' | null;

export type WordRole =
  /** Has no meaning by itself. `isLink`: may be between a column and its cell, as in "a price of 5". */
  | { readonly role: 'filler'; readonly isLink: boolean }
  | { readonly role: 'ask'; readonly for: 'count' | 'times' | 'much' | 'thing' | 'which' | 'person' | 'time' }
  | { readonly role: 'aggregate'; readonly by: 'sum' | 'avg' }
  | { readonly role: 'distinct' }
  | { readonly role: 'group' }
  | { readonly role: 'not' }
  | { readonly role: 'compare'; readonly is: Comparison; readonly of: Dimension | null }
  /** `by` rows: ranks by number of rows. `by` sums: ranks by a quantity that adds up, as in "the most visits". */
  | { readonly role: 'superlative'; readonly order: Order; readonly of: Dimension | null; readonly by: SuperlativeBy }
  /** Refers to a column by what it measures: "took", "cost". `adds`: means the sum over all rows, as in "spent". */
  | { readonly role: 'measure'; readonly of: Dimension; readonly adds: boolean };

const ask = (what: Extract<WordRole, { role: 'ask' }>['for']): WordRole => ({ role: 'ask', for: what });
const measure = (of: Dimension, adds = false): WordRole => ({ role: 'measure', of, adds });
const compare = (is: Comparison, of: Dimension | null = null): WordRole => ({ role: 'compare', is, of });
function superlative(order: Order, of: Dimension | null = null, by: SuperlativeBy = null): WordRole {
  return { role: 'superlative', order, of, by };
}

const list = (words: string, role: WordRole): [string, WordRole][] =>
  words.split(/\s*,\s*/).map((word) => [word.trim(), role]);

const phrases: ReadonlyMap<string, WordRole> = new Map([
  ...list('of, is, are, was, were, been, got, =', { role: 'filler', isLink: true }),
  ...list(
    `the, a, an, in, on, at, for, to, from, with, and, be, do, does, did, has, have, had, having, by, there,
    this, that, it, its, we, us, our, you, i, me, my, please, show, give, tell, list, find, get, come, came, comes, go, went,
    goes, made, make, makes, occur, occurs, occurred, happen, happens, happened, exist, all, in the log, in this log,
    in the file, in this file, in the table, in this table`,
    { role: 'filler', isLink: false },
  ),
  ...list('how many, number of, the number of, total number of, count, count of', ask('count')),
  ...list('how often, how many times', ask('times')),
  ...list('how much', ask('much')),
  ...list('what', ask('thing')),
  ...list('which', ask('which')),
  ...list('who, whom', ask('person')),
  ...list('when, what time, at what time', ask('time')),
  ...list('total, sum, combined, in total, altogether, overall', { role: 'aggregate', by: 'sum' }),
  ...list('average, mean, avg', { role: 'aggregate', by: 'avg' }),
  ...list('different, distinct, unique', { role: 'distinct' }),
  ...list('per, each, every, for each, for every', { role: 'group' }),
  ...list('not, no, without, except', { role: 'not' }),
  ...list('more than, over, above, greater than, higher than, larger than, bigger than', compare('>')),
  ...list('less than, under, below, fewer than, lower than, smaller than', compare('<')),
  ...list('at least', compare('>=')),
  ...list('at most, up to', compare('<=')),
  ...list('longer than, slower than', compare('>', 'duration')),
  ...list('shorter than, faster than', compare('<', 'duration')),
  ...list('older than', compare('>', 'age')),
  ...list('after', compare('>', 'time')),
  ...list('since', compare('>=', 'time')),
  ...list('before', compare('<', 'time')),
  ...list('most often, most frequent, most frequently, most common', superlative('most', null, 'rows')),
  ...list('least often, least frequent, least common', superlative('least', null, 'rows')),
  ...list('most', superlative('most', null, 'sums')),
  ...list('fewest, least', superlative('least', null, 'sums')),
  ...list('highest, largest, biggest, greatest, maximum, max, top', superlative('most')),
  ...list('lowest, smallest, minimum, min', superlative('least')),
  ...list('longest, slowest', superlative('most', 'duration')),
  ...list('shortest, fastest, quickest', superlative('least', 'duration')),
  ...list('heaviest', superlative('most', 'weight')),
  ...list('most expensive, dearest, costliest', superlative('most', 'price')),
  ...list('cheapest, least expensive', superlative('least', 'price')),
  ...list('last, latest, newest, most recent', superlative('most', 'time')),
  ...list('first, earliest', superlative('least', 'time')),
  ...list('take, took, takes, taken, last, lasts, lasted, long, how long', measure('duration')),
  ...list('weigh, weighs, weighed, heavy, how heavy', measure('weight')),
  ...list('old, how old', measure('age')),
  ...list('cost, costs', measure('price')),
  ...list('pay, paid, spend, spent', measure('money', true)),
]);

/** Matches questions for a count, a sum or a mean. Excludes "first", because questions about prose contain it. */
export const asksToCompute =
  /\b(?:how (?:many|much|often)|number of|count|total|sum|combined|altogether|overall|average|mean|avg)\b/i;

const also = new Map([...list('last', superlative('most', 'time')), ...list('by', { role: 'group' })]);

export const rolesOf = (phrase: string): readonly WordRole[] =>
  [phrases.get(phrase), also.get(phrase)].filter((role) => role !== undefined);

/** A unit: what it measures, and its size in base units. */
export type WordUnit = Readonly<{ of: string; size: number }>;

const unit = (names: string, of: string, size: number): [string, WordUnit][] =>
  names.split(' ').map((name) => [name, { of, size }]);

const units: ReadonlyMap<string, WordUnit> = new Map([
  ...unit('ms msec millis millisecond milliseconds', 'duration', 1),
  ...unit('s sec secs second seconds', 'duration', 1_000),
  ...unit('min mins minute minutes', 'duration', 60_000),
  ...unit('h hr hrs hour hours', 'duration', 3_600_000),
  ...unit('g gram grams', 'weight', 1),
  ...unit('kg kilo kilos kilogram kilograms', 'weight', 1_000),
  ...unit('km kilometer kilometers kilometre kilometres', 'length', 1_000),
  ...unit('b byte bytes', 'size', 1),
  ...unit('mb', 'size', 1_000_000),
  ...unit('eur euro euros €', 'EUR', 1),
  ...unit('usd dollar dollars $', 'USD', 1),
  ...unit('% percent pct', 'share', 1),
]);

export const unitOf = (name: string): WordUnit | null => units.get(name.toLowerCase()) ?? null;

/** Returns the stem that the inflected forms of an English word share. */
export function stemOf(word: string): string {
  const base = word.toLowerCase();
  const cut = base
    .replace(/(?<=\w{2})(?:ies|ied)$/, 'y')
    .replace(/(?<=(?:s|x|z|ch|sh))es$|(?<=\w{2}[^su])s$/, '')
    .replace(/(?<=\w{3})(?:ed|ing)$/, '');
  const single = cut === base ? cut : cut.replace(/([bdgmnprt])\1$/, '$1');
  return single.replace(/(?<=\w{2})e$/, '');
}

/** Returns other forms of a word that a cell may contain instead, in lower case. */
export function wordFormsOf(word: string): readonly string[] {
  if (!/^\p{L}{3,}$/u.test(word)) return [];
  const stem = stemOf(word);
  const forms = ['', 'e', 's', 'es', 'ed', 'd', 'ing'].map((end) => stem + end);
  return [...forms, stem.replace(/y$/, 'ies')].filter((form) => form !== word.toLowerCase() && stemOf(form) === stem);
}

export const levelNames = new Map(Object.entries({ error: ['error', 'err'], warn: ['warn', 'warning'] }));

export const failureLevels: readonly string[] =
  'error err fatal critical crit severe alert emerg emergency panic'.split(' ');

const phraseWords: ReadonlySet<string> = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' ')));
export const negated = /^(?:un|non-?)(?=\p{L}{4})/u;

/** Returns the letters with which all forms of a word begin. Null if there are too few, or the spelling may vary. */
export function letterStart(word: string): string | null {
  const stem = stemOf(word);
  const start = stem.replace(/y$/, '');
  const isPlain = /^(?!fail)[a-z]{4,}$/.test(word) && !phraseWords.has(word) && unitOf(word) === null;
  // "Error" may mean a cell `err`.
  const isRegular = !levelNames.has(stem) && !negated.test(word) && word.startsWith(start);
  return isPlain && isRegular && start.length > 2 ? start : null;
}
