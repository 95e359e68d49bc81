import type { Profile, TableColumn } from '../profile.ts';
import { type MeasureCandidate, timed } from './measures.ts';
import { columnAt, heldWeight, meantBy, type ValueCandidate, valueAt } from './mentions.ts';
import { softFillers, tradeVerbs } from './plain-text.ts';
import { headingStems, rowStems } from './row-words.ts';
import { type Limit, limitsAt, type QuestionToken } from './tokens.ts';
import { fillers, mayBeValue, phraseOf, structural } from './value-words.ts';

/** What words of a question refer to in a table. */
export type Tag =
  /** `said`: the words that name it. */
  | { readonly kind: 'column'; readonly candidates: readonly MeasureCandidate[]; readonly said: string }
  | { readonly kind: 'value'; readonly candidates: readonly ValueCandidate[] }
  | { readonly kind: 'limit'; readonly limits: readonly Limit[] }
  /** A name of the rows, such as orders in `orders.csv`. */
  | { readonly kind: 'rows' }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'word'; readonly word: string; readonly token: QuestionToken };

/** The smallest number that is read as a value: so many rows are rarely asked for. */
const manyRows = 100;
const numberWords = 'zero one two three four five six seven eight nine ten'.split(' ');
/** Words before `time` that name a duration. */
const timeNouns = new Set(
  'response processing waiting wait handling run execution loading load build travel delivery reaction answer'.split(
    ' ',
  ),
);
/** Words that mean counting, unless they are part of a name, as in `phone number`. */
const nouns = new Set(['number', 'count']);
/** Words after which a name is a column, even where it is also a value. */
const beforeColumn =
  /^(?:by|per|each|every|average|mean|avg|total|sum|highest|lowest|largest|smallest|maximum|minimum|max|min|distinct|different|unique|common|frequent|many|most|fewest|least|number)$/;

function numberOf({ word }: QuestionToken): number | null {
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
  tokens: readonly QuestionToken[],
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
      value !== null && column !== null && value.length > column.length && value.found[0]!.weight > heldWeight;
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
export const holdsValue = (
  { candidates }: { readonly candidates: readonly MeasureCandidate[] },
  column: TableColumn,
): boolean => candidates.some((candidate) => candidate.column.index === column.index);
