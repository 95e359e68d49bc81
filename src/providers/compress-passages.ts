import { inTurns } from '../base/arrays.ts';
import { isCodeName } from '../context/chunkers/languages.ts';
import type { Sentence } from '../context/sentences/sentences.ts';
import { bytesOf, weigh } from '../context/text-size.ts';
import { underBytes } from '../context/under/passage-under.ts';
import { isClosing } from '../context/under/under-reader.ts';
import { isPreamble } from '../context/units.ts';
import type { Excerpt, Passage } from '../state.ts';
import { answerFromPassages, mostClauses } from './extractive/answer.ts';
import { readQuery, splitAtMost } from './extractive/query.ts';
import { rankSentences } from './extractive/rank.ts';
import { indexSentences, type SentenceIndex } from './extractive/sentence-index.ts';

/** The number of best sentences that come first even if all of them are in one passage. */
const bestOfAll = 3;
/** Share of the room that the best sentences may fill before their neighbours are added. */
const forSentences = 0.85;
/** Bytes of the ellipsis and the line breaks that a gap or a heading adds. */
const seamBytes = 6;

function byRank(question: string, index: SentenceIndex): number[] {
  const lists = splitAtMost(question, mostClauses).map(({ question: clause }) =>
    rankSentences(readQuery(clause), index).flatMap(({ index: number, also }) => [number, ...also]),
  );
  return [...new Set(inTurns(lists))];
}

function fromEachPassage(ranked: readonly number[], { sentences }: SentenceIndex): number[] {
  const seen = new Set<string>();
  const firsts = ranked.filter((number) => {
    const { id } = sentences[number]!.passage;
    return !seen.has(id) && seen.add(id);
  });
  return [...new Set([...ranked.slice(0, bestOfAll), ...firsts, ...ranked])];
}

function beginnings({ sentences }: SentenceIndex): number[] {
  const groups = new Map<string, number[]>(sentences.map(({ passage }) => [passage.id, []]));
  for (const [number, { passage }] of sentences.entries()) groups.get(passage.id)!.push(number);
  return inTurns([...groups.values()]);
}

/** Whether a sentence has content. Imports and licences in code have none: they do not say what the code does. */
const isContent = ({ passage, text }: Sentence): boolean => !isCodeName(passage.source) || !isPreamble(text);

function inOrder(question: string, index: SentenceIndex): number[] {
  const ranked = byRank(question, index);
  const tells = (number: number) => isContent(index.sentences[number]!);
  const all = ranked.length > 0 ? fromEachPassage(ranked.filter(tells), index) : beginnings(index).filter(tells);
  return [...new Set([...all, ...(ranked.length > 0 ? ranked : index.sentences.keys())])];
}

/** A part of a text, in UTF-16 units; the end is exclusive. */
type TextRange = Pick<Sentence, 'start' | 'end'>;

/** Returns the heading of a sentence, or the declaration below a comment; empty if there is none. */
const headingOf = ({ under, passage }: Pick<Sentence, 'under' | 'passage'>): string =>
  under.split('\n').at(-1)!.trim() || (passage.under?.at(-1) ?? '');

function placeOfHeading({ passage: { text }, under, kind, start, end }: Sentence): TextRange | null {
  const line = under.split('\n').at(-1)!;
  if (line.trim() === '') return null;
  const isBelow = kind === 'comment' && text.indexOf(line, end) >= 0;
  const at = isBelow ? text.indexOf(line, end) : start === 0 ? -1 : text.lastIndexOf(line, start - 1);
  return at < 0 ? null : { start: at, end: at + line.length };
}

function notIn(shown: readonly Passage[], { sentences }: SentenceIndex) {
  const texts = new Map(shown.map(({ id, text }) => [id, text]));
  return (number: number): boolean => {
    const { passage, text } = sentences[number]!;
    return texts.get(passage.id)?.includes(text.trim()) !== true;
  };
}

function choose(
  order: readonly number[],
  { sentences }: SentenceIndex,
  isNew: (number: number) => boolean,
  room: number,
): Set<number> {
  const chosen = new Set<number>();
  const headings = new Set<string>();
  let taken = 0;
  const take = (numbers: readonly number[], most: number) => {
    for (const number of numbers) {
      const sentence = sentences[number]!;
      const heading = `${sentence.passage.id} ${headingOf(sentence)}`;
      const size = weigh(sentence.text) + seamBytes + (headings.has(heading) ? 0 : weigh(headingOf(sentence)));
      if (chosen.has(number) || taken + size > most) continue;
      taken += size;
      chosen.add(number);
      headings.add(heading);
    }
  };
  take(order, room * forSentences);
  const isBeside = (beside: number, number: number) =>
    sentences[beside]?.passage.id === sentences[number]!.passage.id && isContent(sentences[beside]!) && isNew(beside);
  const neighbours = (number: number) => [number + 1, number - 1].filter((beside) => isBeside(beside, number));
  take([...chosen].flatMap(neighbours), room);
  take(order, room);
  return chosen;
}

const hasWord = /[\p{L}\p{N}]/u;
const openedComment = /(?:^|\n)([ \t]*\/\*+[ \t]*\n)$/;

function rangeOf({ passage: { text }, start, end, text: words }: Sentence): TextRange {
  const first = start + words.search(/\S/);
  const before = text.slice(0, first);
  const lead = /[ \t]*$/.exec(before)![0];
  const isLineStart = before.length === lead.length || before.at(-lead.length - 1) === '\n';
  const from = isLineStart ? first - lead.length : first;
  const opened = openedComment.exec(text.slice(0, from))?.[1] ?? '';
  return { start: from - opened.length, end: start + text.slice(start, end).trimEnd().length };
}

function joined(ranges: readonly TextRange[], text: string): TextRange[] {
  const parts: TextRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const before = parts.at(-1);
    const isGap = before === undefined || hasWord.test(text.slice(before.end, range.start));
    if (isGap) parts.push(range);
    else parts[parts.length - 1] = { start: before.start, end: Math.max(before.end, range.end) };
  }
  return parts;
}

/**
 * Whether a sentence is under the heading of its passage. In code, a sentence after a less indented line is not. In
 * other text, another heading is not.
 */
function isStillUnder({ kind, start, passage: { text, source } }: Sentence): boolean {
  if (!isCodeName(source)) return kind !== 'heading';
  const lines = `${text.slice(0, start)}x`.split('\n').filter((line) => line.trim() !== '' && !isClosing(line));
  const indents = lines.map((line) => line.length - line.trimStart().length);
  return indents.every((indent) => indent >= indents[0]!);
}

function excerpt(passage: Passage, numbers: readonly number[], { sentences }: SentenceIndex): Excerpt {
  const own = numbers.map((number) => sentences[number]!);
  const headings = own.map(placeOfHeading);
  const parts = joined([...own.map(rangeOf), ...headings.filter((place) => place !== null)], passage.text);
  const outside = own.find((sentence, place) => headings[place] === null && isStillUnder(sentence));
  const over = outside === undefined ? '' : headingOf(outside);
  const lineAt = (at: number) => passage.startLine + passage.text.slice(0, at).split('\n').length - 1;
  const { under: _, ...rest } = passage;
  return {
    ...rest,
    ...(over !== '' && { under: [over] }),
    text: parts.map(({ start, end }) => passage.text.slice(start, end)).join('\n…\n'),
    spans: parts.map(({ start, end }) => ({ startLine: lineAt(start), endLine: lineAt(end) })),
  };
}

function showing(chosen: ReadonlySet<number>, passages: readonly Passage[], index: SentenceIndex): readonly Excerpt[] {
  const numbers = [...chosen].sort((one, other) => one - other);
  return passages.flatMap((passage) => {
    const own = numbers.filter((number) => index.sentences[number]!.passage === passage);
    return own.length === 0 ? [] : [excerpt(passage, own, index)];
  });
}

const sizeOf = (passages: readonly Passage[]): number =>
  passages.reduce((sum, passage) => sum + weigh(passage.text) + underBytes(passage), 0);

const whole = (passage: Passage): Excerpt => ({
  ...passage,
  spans: [{ startLine: passage.startLine, endLine: passage.endLine }],
});

/**
 * Shortens passages to the sentences that best answer a question, with their neighbours and headings. The extractive
 * provider's ranking chooses the sentences. Passages stay whole if all of them fit and `shown` is empty.
 * @param room tokens for the text of all excerpts, including `shown`.
 * @param shown other excerpts in the same prompt, whose sentences are not repeated.
 */
export function compressPassages(
  question: string,
  passages: readonly Passage[],
  room: number,
  shown: readonly Passage[] = [],
): readonly Excerpt[] {
  const all = bytesOf(room);
  const isRoomForAll = sizeOf(passages) <= all;
  if (isRoomForAll && shown.length === 0) return passages.map(whole);
  const index = indexSentences(passages);
  const isNew = notIn(shown, index);
  const roomBytes = all - sizeOf(shown);
  const wanted = isRoomForAll ? [...index.sentences.keys()] : inOrder(question, index);
  const chosen = choose(wanted.filter(isNew), index, isNew, roomBytes);
  for (;;) {
    const excerpts = showing(chosen, passages, index);
    // Text between two sentences (a heading, a table rule) is shown too, but was not counted.
    if (chosen.size === 0 || sizeOf(excerpts) <= roomBytes) return excerpts;
    chosen.delete([...chosen].at(-1)!);
  }
}

/** Answers a question with sentences of passages. */
export const quotePassages = (question: string, passages: readonly Passage[]) =>
  answerFromPassages({ question, passages });
