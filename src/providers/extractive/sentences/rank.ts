import { isStopword } from '../../../context/words/terms.ts';
import { answerSign, needsSign } from '../question/answer-type.ts';
import { type Known, relation } from '../question/known.ts';
import type { ClauseQuery } from '../question/query.ts';
import { saysUnknown } from '../question/unknowns.ts';
import { createFeatureReader } from './features.ts';
import { type Match, matchTerms, nearEnough, shareOfNames } from './match.ts';
import { collapse } from './quote.ts';
import type { SentenceIndex } from './sentence-index.ts';
import type { Sentence } from './sentences.ts';
import { signOf } from './signs.ts';
import { nearness } from './text-index.ts';
import { matchOf, rankWeights } from './weights.ts';

/** A sentence with how well it answers a clause. */
export interface Candidate {
  /** Its number among the sentences. */
  readonly index: number;
  readonly sentence: Sentence;
  /** How likely it answers by its words alone: 0 to 1. */
  readonly match: number;
  /** How many of the clause's words that matter it, or what it stands under, has. */
  readonly words: number;
  /** How strongly it looks like the kind of answer that is asked for: 0 to 1. */
  readonly sign: number;
  /** How much it takes up what earlier answers say: 0 to 1. */
  readonly related: number;
  readonly score: number;
  /** Numbers of the sentences that are shown below it: the list that it leads to. */
  readonly also: readonly number[];
}

const linked = /!?\[[^\]]*\]\([^)]*\)|https?:\S+/g;
const fewestBesideLink = 5;

/** Long lines match by chance, very short ones say little, and links only say where to look. */
function fitness({ intents, effect }: ClauseQuery, { text }: Sentence, words: readonly string[]): number {
  const link = /\]\(|https?:/.test(text) && text.replace(linked, '').split(/\s+/).length < fewestBesideLink ? 0.5 : 1;
  const markup = text.includes('<') && text.replace(/<[^<>]*>/g, '').length * 2 < text.length ? 0.5 : 1;
  const harmless =
    intents.has('failure') && !intents.has('why') && effect === null && signOf('failure', text) === 0 ? 0.7 : 1;
  const length = words.length < 4 ? 0.85 : words.length > 60 ? 0.9 : 1;
  return link * markup * harmless * length;
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

/** A cause or a change need not have the words of the question: what it looks like and takes up tells more. */
const forCauses = { ...rankWeights, sign: 6, related: 3 };
const forOthers = { ...rankWeights, related: 2 };
const forSigned = { ...forOthers, sign: 4 };

const titleBonus = 0.15;
const replyBonus = 0.1;
/** A title that the question has all words of is worth as many words as an answer needs. */
const asTitle = 2;

/** Share of the words of a title or a lead-in that the question has; 0 for other sentences. */
function titleShare(number: number, { terms }: ClauseQuery, { leads, own }: SentenceIndex): number {
  const lead = leads.get(number);
  if (lead === undefined || lead.kind === 'reply') return 0;
  const words = own.terms[number]!.filter((word) => !isStopword(word));
  const had = words.filter((word) =>
    terms.some(
      ({ term, soft }) =>
        !soft && (own.find(term).get(number) ?? 0) >= nearEnough && nearness(term, word) >= nearEnough,
    ),
  );
  return words.length === 0 ? 0 : had.length / words.length;
}

const fewestToRepeat = 4;

/** Whether a sentence has the question itself in it, as an example of one may: the best match, and no answer. */
const repeats = ({ asked, terms }: ClauseQuery, { text }: Sentence): boolean =>
  terms.length >= fewestToRepeat && collapse(text.toLowerCase()).includes(asked);

/** Rates sentences by the words of a clause. */
function createRater(query: ClauseQuery, index: SentenceIndex, known: Known, matches: readonly Match[]) {
  const weights =
    query.intents.has('why') || query.effect !== null ? forCauses : needsSign(query) ? forSigned : forOthers;
  const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const hard = matches.filter((match) => !match.soft);
  const names = matches.filter((match) => match.name);
  const featuresOf = createFeatureReader(query, index, matches);
  return (number: number): Candidate => {
    const sentence = index.sentences[number]!;
    const words = index.own.terms[number]!;
    const features = { ...featuresOf(number), related: relation(known, sentence, words) };
    const score = Object.entries(weights).reduce(
      (sum, [feature, weight]) => sum + weight * features[feature as keyof typeof weights],
      0,
    );
    const { sign, related } = features;
    const beside = (match: Match, at: number) =>
      index.sentences[at]?.stretch === sentence.stretch ? (match.own.get(at) ?? 0) : 0;
    const has = hard.filter(
      (match) =>
        Math.max(
          match.own.get(number) ?? 0,
          match.around.get(number) ?? 0,
          beside(match, number - 1),
          beside(match, number + 1),
        ) >= nearEnough,
    ).length;
    const match = matchOf(features, shareOfNames(names, number, sentence), has);
    const title = titleShare(number, query, index);
    const rated =
      (score / all) * fitness(query, sentence, words) +
      titleBonus * title * features.own +
      (index.leads.get(number)?.kind === 'reply' ? replyBonus : 0);
    return {
      index: number,
      sentence,
      match,
      words: title === 1 ? Math.max(has, asTitle) : has,
      sign,
      related,
      score: rated,
      also: [],
    };
  };
}

const behindLead = 0.01;

/**
 * What leads to something is no answer itself: what it leads to matches as well as it does, the first of it best. A list
 * stays below what leads to it.
 */
function led(rated: readonly Candidate[], query: ClauseQuery, { sentences, leads }: SentenceIndex): Candidate[] {
  const best = new Map(rated.map((candidate) => [candidate.index, candidate]));
  const leading = rated.filter(({ index }) => leads.has(index)).sort((one, other) => other.score - one.score);
  for (const lead of leading) {
    const { kind, members } = leads.get(lead.index)!;
    best.set(lead.index, { ...lead, also: kind === 'list' ? members : [] });
    if (kind === 'list' || (kind === 'text' && lead.sentence.kind === 'code' && needsSign(query))) continue;
    for (const [place, index] of members.entries()) {
      const score = lead.score - behindLead * place;
      if (score > (best.get(index)?.score ?? 0))
        best.set(index, { ...lead, index, sentence: sentences[index]!, score });
    }
    best.delete(lead.index);
  }
  return [...best.values()].filter(
    ({ sentence, also }) => also.length > 0 || query.intents.has('unknown') || !saysUnknown(sentence),
  );
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
  const rated = [...numbers]
    .filter((number) => !repeats(query, index.sentences[number]!))
    .map(createRater(query, index, known, matches));
  return led(rated, query, index).sort((one, other) => other.score - one.score || one.index - other.index);
}
