import { answerSign } from '../question/answer-type.ts';
import { type Known, relation } from '../question/known.ts';
import type { ClauseQuery } from '../question/query.ts';
import { saysUnknown } from '../question/unknowns.ts';
import { above, closeness, type Match, matchTerms, share, shareOfNames, surrounding } from './match.ts';
import type { SentenceIndex } from './sentence-index.ts';
import type { Sentence } from './sentences.ts';
import { signOf } from './signs.ts';

/** A sentence with how well it answers a clause. */
export interface Candidate {
  /** Its number among the sentences. */
  readonly index: number;
  readonly sentence: Sentence;
  /** Share of the words that matter that the sentence and what surrounds it have, by weight and rarity: 0 to 1. */
  readonly coverage: number;
  /** Share of the names in the clause that its passage has, the rarest counting most; 1 when there are none. */
  readonly named: number;
  /** How strongly it looks like the kind of answer that is asked for: 0 to 1. */
  readonly sign: number;
  /** How much it takes up what earlier answers say: 0 to 1. */
  readonly related: number;
  readonly score: number;
}

/** Long lines match by chance, very short ones say little, and headings, titles and links only say where to look. */
function fitness({ intents, effect }: ClauseQuery, { text, kind }: Sentence, words: readonly string[]): number {
  const heading = kind !== 'heading' ? 1 : !text.includes('\n') ? 0.5 : /^#\s/.test(text) ? 0.75 : 1;
  const link = /^\W*\[[^\]]*\]\([^)]*\)\W*$/.test(text) ? 0.5 : 1;
  const markup = text.includes('<') && text.replace(/<[^<>]*>/g, '').length * 2 < text.length ? 0.5 : 1;
  const harmless =
    intents.has('failure') && !intents.has('why') && effect === null && signOf('failure', text) === 0 ? 0.7 : 1;
  const length = words.length < 4 ? 0.85 : words.length > 60 ? 0.9 : 1;
  return heading * link * markup * harmless * length;
}

/**
 * A cause need not name its effect, nor a change what came of it: sentences that take up what is known and look like
 * the answer.
 */
function followUps(query: ClauseQuery, index: SentenceIndex, known: Known): number[] {
  if (known.terms.size === 0 || !(query.intents.has('why') || query.effect !== null)) return [];
  return [...index.sentences.keys()].filter((number) => {
    const sentence = index.sentences[number]!;
    return relation(known, sentence, index.own.terms[number]!) > 0.5 && answerSign(query, sentence) > 0;
  });
}

const parts = { own: 0.55, around: 0.2, sign: 0.25, close: 0.12, passage: 0.06, related: 0.15, position: 0.02 };
const partsOfCauses = { ...parts, own: 0.4, sign: 0.45, related: 0.2 };

/** Rates sentences by the words of a clause. */
function createRater(query: ClauseQuery, index: SentenceIndex, known: Known, matches: readonly Match[]) {
  const part = query.intents.has('why') || query.effect !== null ? partsOfCauses : parts;
  const hard = matches.filter((match) => !match.soft);
  const names = matches.filter((match) => match.name);
  const bestPassage = index.sentences.reduce((best, { passage }) => Math.max(best, passage.score), Number.MIN_VALUE);
  return (number: number): Candidate => {
    const sentence = index.sentences[number]!;
    const words = index.own.terms[number]!;
    const own = share(matches, (match) =>
      Math.max(match.own.get(number) ?? 0, (match.around.get(number) ?? 0) * above),
    );
    const coverage = share(hard, (match) =>
      Math.max(match.own.get(number) ?? 0, surrounding(match, number, index.sentences)),
    );
    const named = shareOfNames(names, number, sentence);
    const sign = answerSign(query, sentence);
    const related = relation(known, sentence, words);
    const score =
      part.own * own +
      part.around * coverage +
      part.sign * sign +
      part.close * closeness(query.sequence, words) +
      part.passage * Math.max(0, sentence.passage.score / bestPassage) +
      part.related * related +
      part.position / (1 + sentence.start / 400);
    return { index: number, sentence, coverage, named, sign, related, score: score * fitness(query, sentence, words) };
  };
}

/**
 * Ranks the sentences that have a word of the clause, best first; equal ones in the order of the text. What says that
 * something is not known is no answer, unless the clause asks for that.
 */
export function rankSentences(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  const matches = matchTerms(query, index);
  const numbers = new Set(followUps(query, index, known));
  for (const match of matches) {
    if (match.soft) continue;
    for (const number of match.own.keys()) numbers.add(number);
    for (const number of match.around.keys()) if (index.sentences[number]!.kind === 'row') numbers.add(number);
  }
  const answers = [...numbers].filter(
    (number) => query.intents.has('unknown') || !saysUnknown(index.sentences[number]!),
  );
  return answers
    .map(createRater(query, index, known, matches))
    .sort((one, other) => other.score - one.score || one.index - other.index);
}
