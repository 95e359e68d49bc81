import type { Profile } from '../profile.ts';
import { isSuperlative } from './superlative-words.ts';
import { thingsAsRows, whoAsColumn, withMost, withoutDays, withSuperlative } from './superlatives.ts';
import type { Tag } from './tags.ts';

/** One interpretation of a question without its filters. */
export interface Attempt {
  readonly rest: readonly Tag[];
  /** How likely the interpretation is, above 0, at most 1. */
  readonly weight: number;
  /** As in `TableReading`. */
  readonly assumes: string | null;
  readonly unused: readonly string[];
}

/** Factor per ignored word, which may have limited what is meant. */
const leftOut = 0.65;
const mostLeftOut = 2;

const counting = new Set(['many', 'number', 'count']);
/** Words that are never ignored: they shape the question, or say that the next word limits it. */
const structural =
  /^(?:by|per|each|every|many|much|number|count|average|mean|avg|total|sum|combined|distinct|different|unique|not|except|excluding|and|or|than|without|who|never|no|if|except|before|after|but|only|median|about|regarding|concerning|against|near|like|because|while|more|less|twice|half)$/;

/** Whether a word looks like a verb form, which says what was done and seldom which rows are meant. */
const isVerb = (word: string): boolean => /^[a-z]{3,}(?:ed|ing|t|n|de|ld|me|ke|w)?$/.test(word);

/**
 * Removes unexplained words from tags; null where there are too many, where one is a name or a number, and where a
 * count would lose all its limits.
 */
function withoutUnexplained(
  rest: readonly Tag[],
  hasFilters: boolean,
): { readonly rest: readonly Tag[]; readonly unused: readonly string[] } | null {
  const known = (tag: Tag) => tag.kind !== 'word' || structural.test(tag.word) || isShapeWord(tag.word);
  const unused = rest.filter((tag): tag is Extract<Tag, { kind: 'word' }> => !known(tag));
  if (unused.length === 0 || unused.length > mostLeftOut) return null;
  if (unused.some(({ token: { text, isQuoted } }) => isQuoted || !/^[a-z]/.test(text) || !isVerb(text))) return null;
  const counts = rest.some((tag) => tag.kind === 'word' && counting.has(tag.word));
  if (counts && !hasFilters) return null;
  // An adjective before the noun limits it, and the word after "most" says what is measured.
  const isMeasured = (tag: Tag | undefined) => tag?.kind === 'word' && isShapeWord(tag.word);
  const limits = rest.some(
    (tag, at) => !known(tag) && ((at + 1 < rest.length && isNoun(rest[at + 1]!)) || isMeasured(rest[at - 1])),
  );
  return limits ? null : { rest: rest.filter(known), unused: unused.map(({ token: { text } }) => text) };
}

const isNoun = ({ kind }: Tag): boolean => kind === 'rows' || kind === 'column';

const shapeWords = new Set(
  'most fewest least common frequent often frequently commonest top bottom highest largest biggest greatest maximum max peak lowest smallest minimum min'.split(
    ' ',
  ),
);
const isShapeWord = (word: string): boolean => shapeWords.has(word) || isSuperlative(word);

/** Reads a column named total as a sum, where nothing else says what is computed. */
function totalled(tags: readonly Tag[]): readonly Tag[] {
  const rest = tags.filter(({ kind }) => kind !== 'rows');
  const [only] = rest;
  if (rest.length !== 1 || only?.kind !== 'column' || only.said !== 'total') return tags;
  const token = { text: 'total', word: 'total', stems: ['total'], isQuoted: false };
  return [{ kind: 'word', word: 'total', token }, only];
}

/** Keeps the first of two columns, which is counted: `how many countries do the customers come from`. */
function countedAlone(rest: readonly Tag[]): readonly Tag[] {
  const [many, counted, ...others] = rest;
  const isMany = many?.kind === 'word' && many.word === 'many' && counted?.kind === 'column';
  return isMany && others.length > 0 && others.every(isNoun) ? [many, counted] : rest;
}

/** Returns other interpretations of a question without its filters, the likeliest first. */
export function otherAttempts(
  plain: Attempt,
  profile: Profile,
  words: ReadonlySet<string>,
  hasFilters: boolean,
): readonly Attempt[] {
  const forms = (one: Attempt): Attempt[] => {
    const named = whoAsColumn(one.rest, profile, words);
    const rows = thingsAsRows(named, profile);
    const dayless = withoutDays(named);
    const taken = [
      withSuperlative(named, profile, words),
      withMost(named, profile, words),
      named,
      rows,
      totalled(rows),
      withSuperlative(dayless, profile, words),
      withMost(dayless, profile, words),
      dayless,
      thingsAsRows(dayless, profile),
      countedAlone(named),
    ];
    return [...new Set(taken)].filter((rest) => rest !== one.rest).map((rest) => ({ ...one, rest }));
  };
  const less = withoutUnexplained(plain.rest, hasFilters);
  const weighed = less && { ...plain, rest: less.rest, unused: less.unused, weight: leftOut ** less.unused.length };
  return [...forms(plain), ...(weighed === null ? [] : [weighed, ...forms(weighed)])];
}
