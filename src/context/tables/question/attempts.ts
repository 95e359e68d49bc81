import type { Profile } from '../profile.ts';
import { isSuperlative } from './superlative-words.ts';
import { thingsAsRows, whoAsColumn, withMost, withoutDays, withSuperlative } from './superlatives.ts';
import type { Tag } from './tags.ts';

/** What is left of a question when its filters are out, taken in one way. */
export interface Attempt {
  readonly rest: readonly Tag[];
  /** How sure it is that it may be taken so. */
  readonly weight: number;
  /** As in a reading. */
  readonly assumes: string | null;
  readonly unused: readonly string[];
}

/** Words that are left out, each of which may have limited what is meant. */
const leftOut = 0.65;
const mostLeftOut = 2;

const counting = new Set(['many', 'number', 'count']);
/** Words with a part in a question's form, and those that say that the next one limits it, are never left out. */
const structural =
  /^(?:by|per|each|every|many|much|number|count|average|mean|avg|total|sum|combined|distinct|different|unique|not|except|excluding|and|or|than|without|who|never|no|if|except|before|after|but|only|median|about|regarding|concerning|against|near|like|because|while|more|less|twice|half)$/;

/** A verb form: a word that says what was done, and seldom which rows are meant. */
const isVerb = (word: string): boolean => /^[a-z]{3,}(?:ed|ing|t|n|de|ld|me|ke|w)?$/.test(word);

/**
 * The tags without words that nothing explains; null where there are too many of them, where one is a name or a
 * number, and where a count would lose all that limits it.
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
  // An adjective before what is asked for limits it, and what there is most of has to be known.
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

/** A column that is called total, where nothing else says what is computed, as its total. */
function totalled(tags: readonly Tag[]): readonly Tag[] {
  const rest = tags.filter(({ kind }) => kind !== 'rows');
  const [only] = rest;
  if (rest.length !== 1 || only?.kind !== 'column' || only.said !== 'total') return tags;
  const token = { text: 'total', word: 'total', stems: ['total'], isQuoted: false };
  return [{ kind: 'word', word: 'total', token }, only];
}

/** `how many countries do the customers come from`: the first of two columns is counted. */
function countedAlone(rest: readonly Tag[]): readonly Tag[] {
  const [many, counted, ...others] = rest;
  const isMany = many?.kind === 'word' && many.word === 'many' && counted?.kind === 'column';
  return isMany && others.length > 0 && others.every(isNoun) ? [many, counted] : rest;
}

/** Other ways to take what is left of a question, the surest first. */
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
