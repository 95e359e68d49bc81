import type { Sentence } from '../context/sentences/sentences.ts';
import { bytesOf, weigh } from '../context/text-size.ts';
import { underBytes } from '../context/under/passage-under.ts';
import type { Passage } from '../state.ts';
import { splitAtMost } from './extractive/question/clauses.ts';
import { knownFrom } from './extractive/question/known.ts';
import { readQuery } from './extractive/question/query.ts';
import { rankSentences } from './extractive/ranking/rank.ts';
import { indexSentences, type SentenceIndex } from './extractive/sentences/sentence-index.ts';

/**
 * A passage that is shown in part: `text` is that part, below its heading, with an ellipsis on a separate line for
 * each gap. All other fields are those of the whole passage.
 */
export interface Excerpt extends Passage {
  /** The line numbers of the text in its document, in order, from 1. */
  readonly spans: readonly Span[];
}

interface Span {
  readonly startLine: number;
  readonly endLine: number;
}

const mostClauses = 8;
/** Best sentences that come first, regardless of their passage; then passages take turns. */
const regardless = 3;
/** Share of the room for sentences before their neighbours are added. */
const forSentences = 0.85;
/** Bytes of a gap or a heading. */
const seamBytes = 6;

/** Ranks sentences by how well they match the clauses of a question, the best of each clause first. */
function byRank(question: string, index: SentenceIndex): number[] {
  const lists = splitAtMost(question, mostClauses).map(({ question: clause }) =>
    rankSentences(readQuery(clause), index, knownFrom([])).flatMap(({ index: number, also }) => [number, ...also]),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return [
    ...new Set(
      Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat(),
    ),
  ];
}

/** Orders sentences: the best few, then the best of each passage, then the rest. */
function withTurns(ranked: readonly number[], { sentences }: SentenceIndex): number[] {
  const seen = new Set<string>();
  const firsts = ranked.filter((number) => {
    const { id } = sentences[number]!.passage;
    return !seen.has(id) && seen.add(id);
  });
  return [...new Set([...ranked.slice(0, regardless), ...firsts, ...ranked])];
}

/** Returns how each passage begins, where no word of the question stands in any. */
function beginnings({ sentences }: SentenceIndex): number[] {
  const places = new Map<string, number>();
  const turns = sentences.map(({ passage }) => {
    const turn = places.get(passage.id) ?? 0;
    places.set(passage.id, turn + 1);
    return turn;
  });
  return [...sentences.keys()].sort((one, other) => turns[one]! - turns[other]!);
}

/** Takes sentences as long as they fit; skips one that does not. */
function createChoice({ sentences }: SentenceIndex, room: number) {
  const chosen = new Set<number>();
  const headings = new Set<string>();
  let taken = 0;
  function take(number: number, most: number): void {
    if (chosen.has(number)) return;
    const sentence = sentences[number]!;
    const heading = `${sentence.passage.id} ${headingOf(sentence)}`;
    const size = weigh(sentence.text) + seamBytes + (headings.has(heading) ? 0 : weigh(headingOf(sentence)));
    if (taken + size > Math.min(room, most)) return;
    taken += size;
    chosen.add(number);
    headings.add(heading);
  }
  return { chosen, take };
}

/** Returns the nearest heading of a sentence, in its passage or before it. */
const headingOf = ({ under, passage }: Pick<Sentence, 'under' | 'passage'>): string =>
  under.split('\n').at(-1)!.trim() || (passage.under?.at(-1) ?? '');

/** Creates the test whether a sentence is in none of the excerpts. */
function notIn(shown: readonly Passage[], { sentences }: SentenceIndex) {
  const texts = new Map(shown.map(({ id, text }) => [id, text]));
  return (number: number): boolean => {
    const { passage, text } = sentences[number]!;
    return texts.get(passage.id)?.includes(text.trim()) !== true;
  };
}

/** Chooses sentences that fit: the best, then their neighbours, then more. */
function choose(
  order: readonly number[],
  index: SentenceIndex,
  isNew: (number: number) => boolean,
  room: number,
): Set<number> {
  const { sentences } = index;
  const { chosen, take } = createChoice(index, room);
  for (const number of order) take(number, room * forSentences);
  for (const number of [...chosen]) {
    for (const beside of [number + 1, number - 1])
      if (sentences[beside]?.passage.id === sentences[number]!.passage.id && isNew(beside)) take(beside, room);
  }
  for (const number of order) take(number, room);
  return chosen;
}

const feedsIn = (text: string): number => text.split('\n').length - 1;

/** Joins neighbouring sentences into one part of their passage. */
function toParts(numbers: readonly number[], { sentences }: SentenceIndex) {
  const parts: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const before = parts.at(-1);
    if (before?.last === number - 1) before.last = number;
    else parts.push({ first: number, last: number });
  }
  return parts.map(({ first, last }) => {
    const sentence = sentences[first]!;
    const { passage } = sentence;
    const start = sentence.start + sentence.text.search(/\S/);
    const text = passage.text.slice(start, sentences[last]!.end).trimEnd();
    const startLine = passage.startLine + feedsIn(passage.text.slice(0, start));
    return { text, heading: headingOf(sentence), startLine, endLine: startLine + feedsIn(text) };
  });
}

/** Makes the excerpt of a passage from its chosen sentences. */
function excerpt(passage: Passage, numbers: readonly number[], index: SentenceIndex): Excerpt {
  const parts = toParts(numbers, index);
  const lines = parts.flatMap(({ text, heading }, place) => {
    const isNew =
      heading !== '' && !parts.slice(0, place).some((part) => part.heading === heading || part.text.includes(heading));
    return [...(place > 0 ? ['…'] : []), ...(isNew ? [heading] : []), text];
  });
  // The text already contains the passage's nearest heading.
  const { under: _, ...rest } = passage;
  return { ...rest, text: lines.join('\n'), spans: parts.map(({ startLine, endLine }) => ({ startLine, endLine })) };
}

/** Makes the excerpts of passages from the chosen sentences. */
function showing(chosen: ReadonlySet<number>, passages: readonly Passage[], index: SentenceIndex): readonly Excerpt[] {
  const numbers = [...chosen].sort((one, other) => one - other);
  return passages.flatMap((passage) => {
    const own = numbers.filter((number) => index.sentences[number]!.passage === passage);
    return own.length === 0 ? [] : [excerpt(passage, own, index)];
  });
}

const whole = (passage: Passage): Excerpt => ({
  ...passage,
  spans: [{ startLine: passage.startLine, endLine: passage.endLine }],
});

/**
 * Shortens passages to what answers a question: the best sentences, by the fitted ranking of the answers without a
 * model, with their neighbours and the headings over them. The same arguments give the same excerpts. Passages that
 * fit stay whole.
 * @param room tokens for the text of all excerpts, including `shown`, estimated conservatively; tags and source names
 *   are extra.
 * @param shown excerpts that are also shown: their sentences are not repeated.
 * @returns the passages with chosen sentences, in their order.
 */
export function compressPassages(
  question: string,
  passages: readonly Passage[],
  room: number,
  shown: readonly Passage[] = [],
): readonly Excerpt[] {
  const all = bytesOf(room);
  const isRoomForAll = passages.reduce((sum, passage) => sum + weigh(passage.text) + underBytes(passage), 0) <= all;
  if (isRoomForAll && shown.length === 0) return passages.map(whole);
  const index = indexSentences(passages);
  const isNew = notIn(shown, index);
  const roomBytes = all - shown.reduce((sum, { text }) => sum + weigh(text), 0);
  const ranked = byRank(question, index);
  const order = ranked.length > 0 ? withTurns(ranked, index) : beginnings(index);
  const wanted = isRoomForAll ? [...index.sentences.keys()] : order;
  const chosen = choose(wanted.filter(isNew), index, isNew, roomBytes);
  for (;;) {
    const excerpts = showing(chosen, passages, index);
    // Text between two sentences (a heading, a table rule) is shown too, but was not counted.
    if (chosen.size === 0 || excerpts.reduce((sum, { text }) => sum + weigh(text), 0) <= roomBytes) return excerpts;
    chosen.delete([...chosen].at(-1)!);
  }
}
