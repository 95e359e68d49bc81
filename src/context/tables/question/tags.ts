import { namesColumn, partsOf } from '../cells/names.ts';
import type { Column, Profile } from '../profile.ts';
import { type Candidate, grades, measures, quantities, timed } from './measures.ts';
import { softFillers, tradeVerbs } from './plain-text.ts';
import { headingStems, rowStems } from './row-words.ts';
import { isSuperlative } from './superlative-words.ts';
import { type Limit, limitsAt, type Token } from './tokens.ts';

/** A value that a question names, in one of its columns. */
export interface ValueCandidate extends Candidate {
  /** The matching cells as written: several with the same words, or that contain the question's words. */
  readonly values: readonly string[];
}

/** What words of a question refer to in a table. */
export type Tag =
  /** `said`: the words that name it. */
  | { readonly kind: 'column'; readonly candidates: readonly Candidate[]; readonly said: string }
  | { readonly kind: 'value'; readonly candidates: readonly ValueCandidate[] }
  | { readonly kind: 'limit'; readonly limits: readonly Limit[] }
  /** A name of the rows, such as orders in `orders.csv`. */
  | { readonly kind: 'rows' }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'word'; readonly word: string; readonly token: Token };

const mostWords = 5;
/** Words that are dropped: they do not affect the computation. */
const fillers = new Set(
  'a an the of in on place s at for to from with is are was were be been being there do does did has have had having all any i we you us our me my it its their them they show give tell find list get calculate compute please what when which that this these those where whose as values column columns field fields table tables file files data dataset csv tsv json jsonl overall altogether together currently made make makes placed come came belong belongs belonging recorded listed contain contains containing got happen happened occur occurred appear appeared exist exists entire whole took take takes taken lasted costs spent went go goes still already now write wrote written carry carried operate operated say says how'.split(
    ' ',
  ),
);
/** The smallest number that is read as a value: so many rows are rarely asked for. */
const manyRows = 100;
const numberWords = 'zero one two three four five six seven eight nine ten'.split(' ');
/** Words for the measured value of rows, where no column has the name. */
const worthWords = new Set(['revenue', 'turnover', 'sales', 'spend', 'spending', 'amount', 'worth', 'value']);
/** Words for durations, which a column of seconds, hours and the like holds under any name. */
const timeWords = new Set(['time', 'duration', 'seconds', 'minutes', 'hours', 'milliseconds']);
/** Words before `time` that name a duration. */
const timeNouns = new Set(
  'response processing waiting wait handling run execution loading load build travel delivery reaction answer'.split(
    ' ',
  ),
);
const gradeWords = new Set(['rating', 'ratings', 'score', 'scores', 'grade', 'grades', 'stars']);
const quantityWords = new Set(['units', 'pieces', 'items', 'quantity']);

/** Returns the columns that a general word refers to, whatever their names; null for other words. */
function meantBy({ word }: Token, profile: Profile): readonly Candidate[] | null {
  const all = timeWords.has(word)
    ? timed(profile)
    : worthWords.has(word)
      ? measures(profile)
      : gradeWords.has(word)
        ? grades(profile)
        : quantityWords.has(word)
          ? quantities(profile)
          : null;
  return all !== null && all.length === 0 && !timeWords.has(word) && !worthWords.has(word) ? null : all;
}

/** Words that mean counting, unless they are part of a name, as in `phone number`. */
const nouns = new Set(['number', 'count']);
/** Words after which a name is a column, even where it is also a value. */
const beforeColumn =
  /^(?:by|per|each|every|average|mean|avg|total|sum|highest|lowest|largest|smallest|maximum|minimum|max|min|distinct|different|unique|common|frequent|many|most|fewest|least|number)$/;
const structural = new Set(
  'by per each every many much number count average mean avg total sum combined highest largest biggest greatest maximum max peak lowest smallest minimum min distinct different unique most fewest least common frequent often frequently commonest top bottom not except excluding and or'.split(
    ' ',
  ),
);

/** Returns the runs of words that may be a value, as written. */
export function phrasesOf(tokens: readonly Token[]): string[] {
  const phrases = new Set<string>();
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + mostWords); end++) {
      const run = tokens.slice(start, end);
      if (run.some(mayBeValue)) phrases.add(phraseOf(run));
    }
  }
  return [...phrases];
}

const phraseOf = (run: readonly Token[]): string => run.map(({ text }) => text).join(' ');

/** Whether a word may be a code, such as a country's: it is in capitals. */
const isCode = ({ text }: Token): boolean => /^[A-Z]{2,}$/.test(text);

const mayBeValue = (token: Token): boolean =>
  token.isQuoted ||
  isCode(token) ||
  (!fillers.has(token.word) && !softFillers.has(token.word) && !structural.has(token.word));

interface Span<Found> {
  readonly found: Found;
  readonly length: number;
}

/**
 * Factor for a column name that matches apart from its ending: `open` may be a value rather than the column `opened`.
 */
const butForEnding = 0.98;

/** Among names at least this certain, the longest is meant: `lap time` is not the column `lap`. */
const surelyNamed = 0.88;

function likenessOf(run: readonly Token[], { name }: Column): number {
  const parts = new Set(partsOf(name));
  return run.every(({ text }) => partsOf(text).every((part) => parts.has(part))) ? 1 : butForEnding;
}

function columnAt(tokens: readonly Token[], at: number, { columns }: Profile): Span<readonly Candidate[]> | null {
  const spans: Span<readonly Candidate[]>[] = [];
  for (let length = Math.min(mostWords, tokens.length - at); length > 0; length--) {
    const run = tokens.slice(at, at + length);
    const words = run.flatMap(({ stems }) => stems);
    const candidates = columns
      .map((column) => ({ column, weight: namesColumn(words, column.name) * likenessOf(run, column) }))
      .filter(({ weight }) => weight > (run.some(mayBeValue) ? 0 : 0.99));
    const best = Math.max(0, ...candidates.map(({ weight }) => weight));
    if (best > 0) spans.push({ found: candidates.filter(({ weight }) => weight === best), length });
  }
  const rank = ({ found, length }: Span<readonly Candidate[]>) => (found[0]!.weight >= surelyNamed ? length : 0);
  return spans.sort((a, b) => rank(b) - rank(a) || b.found[0]!.weight - a.found[0]!.weight)[0] ?? null;
}

const likenesses = [0.9, 0.97, 1, 1];
/** Cells that merely contain the question's words, at most: a word within a sentence says little. */
const mostHolding = 5;
/** Words that do not select the cells that merely contain them. */
const tellsNoValue = new Set('time times timed last first take takes took long start end day days'.split(' '));
const mostHoldingCharacters = 60;

function valuesOf(phrase: string, { columns, hits }: Profile): readonly ValueCandidate[] {
  const found = hits.get(phrase) ?? [];
  const likeness = Math.max(-1, ...found.map((hit) => hit.likeness));
  const best = found.filter((hit) => hit.likeness === likeness || (likeness === 3 && hit.likeness === 2));
  return [...new Set(best.map(({ column }) => column))].flatMap((index) => {
    const values = best.filter(({ column }) => column === index).map(({ value }) => value);
    const isFew =
      likeness > 0 || (values.length <= mostHolding && values.every((one) => one.length <= mostHoldingCharacters));
    return isFew ? [{ column: columns[index]!, values, weight: likenesses[likeness]! }] : [];
  });
}

function valueAt(tokens: readonly Token[], at: number, profile: Profile): Span<readonly ValueCandidate[]> | null {
  for (const isPart of [false, true]) {
    for (let length = Math.min(mostWords, tokens.length - at); length > 0; length--) {
      const run = tokens.slice(at, at + length);
      if (
        !run.some(mayBeValue) ||
        (isPart && !run.every((one) => mayBeValue(one) && !isSuperlative(one.word) && !tellsNoValue.has(one.word)))
      )
        continue;
      const found = valuesOf(phraseOf(run), profile).filter(({ weight }) => isPart || weight > likenesses[0]!);
      if (found.length > 0) return { found, length };
    }
  }
  return null;
}

function numberOf({ word }: Token): number | null {
  if (/^\d{1,4}$/.test(word)) return Number(word);
  const at = numberWords.indexOf(word);
  return at > 0 ? at : null;
}

/** Merges two adjacent names that share a column. */
function narrowed(before: Tag | undefined, tag: Tag): Tag | null {
  if (before?.kind !== 'column' || tag.kind !== 'column') return null;
  const candidates = before.candidates.flatMap(({ column, weight }) => {
    const other = tag.candidates.find((one) => one.column.index === column.index);
    return other === undefined ? [] : [{ column, weight: Math.max(weight, other.weight) }];
  });
  return candidates.length > 0 ? { kind: 'column', candidates, said: tag.said } : null;
}

/** How an ambiguous word is read: as a column's name or a value; as a value or a limit. */
export interface Preference {
  readonly name: 'column' | 'value';
  readonly number: 'limit' | 'value';
}

/** Tags the words of a question with what they refer to in a table, and returns whether any is ambiguous. */
export function tagTokens(
  tokens: readonly Token[],
  profile: Profile,
  preference: Preference,
): { readonly tags: readonly Tag[]; readonly isUnsure: boolean } {
  const rows = rowStems(profile);
  const tags: Tag[] = [];
  let isUnsure = false;
  let before = '';

  function next(at: number): { readonly tag: Tag | null; readonly length: number } {
    const token = tokens[at]!;
    const limit = limitsAt(tokens, at);
    if (limit !== null) return { tag: { kind: 'limit', limits: limit.value }, length: limit.end - at };
    const column = token.isQuoted ? null : columnAt(tokens, at, profile);
    const number = token.isQuoted ? null : numberOf(token);
    const isLimit =
      number !== null &&
      (number < manyRows || before === 'top' || before === 'bottom') &&
      preference.number === 'limit' &&
      tags.at(-1)?.kind !== 'column' &&
      before !== '=';
    const value = isLimit ? null : valueAt(tokens, at, profile);
    const isRow = token.stems.length === 1 && rows.has(token.stems[0]!);
    const isLonger =
      value !== null && column !== null && value.length > column.length && value.found[0]!.weight > likenesses[0]!;
    if (isLonger) return { tag: { kind: 'value', candidates: value.found }, length: value.length };
    const isBoth = column !== null && value !== null && column.found[0]!.weight < 1;
    if (isBoth && !beforeColumn.test(before)) isUnsure = true;
    const takesColumn = column !== null && (!isBoth || beforeColumn.test(before) || preference.name === 'column');
    if (column !== null && takesColumn && !(isRow && column.found[0]!.weight < 0.95)) {
      const said = phraseOf(tokens.slice(at, at + column.length)).toLowerCase();
      return { tag: { kind: 'column', candidates: column.found, said }, length: column.length };
    }
    if (value !== null && !(isRow && value.found[0]!.weight < 1))
      return { tag: { kind: 'value', candidates: value.found }, length: value.length };
    if (isRow) return { tag: { kind: 'rows' }, length: 1 };
    const isTime = column === null && timeNouns.has(token.word) && tokens[at + 1]?.word === 'time';
    if (isTime) return { tag: { kind: 'column', candidates: timed(profile), said: 'time' }, length: 2 };
    const meant = meantBy(token, profile);
    if (meant !== null) return { tag: { kind: 'column', candidates: meant, said: token.word }, length: 1 };
    if (number !== null) return { tag: { kind: 'number', number }, length: 1 };
    // "Phone number" is a name, not a count.
    const isName = nouns.has(token.word) && before !== '' && !fillers.has(before) && !structural.has(before);
    const word = isName ? `${before} ${token.word}` : token.word;
    const isSoft = softFillers.has(token.word) || tradeVerbs.has(token.word);
    const isNothing = fillers.has(token.word) || (isSoft && !structural.has(token.word));
    return { tag: isNothing ? null : { kind: 'word', word, token }, length: 1 };
  }

  for (let at = 0; at < tokens.length; ) {
    const { tag, length } = next(at);
    const both = tag === null ? null : narrowed(tags.at(-1), tag);
    if (both !== null) tags[tags.length - 1] = both;
    else if (tag !== null) tags.push(tag);
    before = tokens[at + length - 1]!.word;
    at += length;
  }
  const isNamed = tags.some(({ kind }) => kind === 'rows' || kind === 'column');
  const said = headingStems(profile);
  const isSaid = (tag: Tag) =>
    tag.kind === 'word' && mayBeValue(tag.token) && tag.token.stems.every((one) => said.has(one));
  return { tags: isNamed ? tags.filter((tag) => !isSaid(tag)) : tags, isUnsure };
}

/** Whether a value may be in a column. */
export const holdsValue = ({ candidates }: { readonly candidates: readonly Candidate[] }, column: Column): boolean =>
  candidates.some((candidate) => candidate.column.index === column.index);
