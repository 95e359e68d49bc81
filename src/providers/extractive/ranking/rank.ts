import type { Sentence } from '../../../context/sentences/sentences.ts';
import { answerSign, needsSign } from '../question/answer-type.ts';
import { type Known, relation } from '../question/known.ts';
import type { ClauseQuery } from '../question/query.ts';
import { collapse } from '../sentences/quote.ts';
import type { SentenceIndex } from '../sentences/sentence-index.ts';
import { signOf } from '../sentences/signs.ts';
import type { Candidate } from './candidate.ts';
import { createFeatureReader, createMatchReader, titleShare } from './features.ts';
import { followLeads } from './follow-leads.ts';
import { type Match, matchTerms } from './match.ts';
import { matchOf, rankWeights } from './weights.ts';

const linked = /!?\[[^\]]*\]\([^)]*\)|https?:\S+/g;
const fewestBesideLink = 5;

/**
 * Returns a factor for a sentence's form: long lines match by chance, very short ones say little, and links only point
 * elsewhere.
 */
function fitness({ intents, effect }: ClauseQuery, { text }: Sentence, words: readonly string[]): number {
  const link = /\]\(|https?:/.test(text) && text.replace(linked, '').split(/\s+/).length < fewestBesideLink ? 0.5 : 1;
  const markup = text.includes('<') && text.replace(/<[^<>]*>/g, '').length * 2 < text.length ? 0.5 : 1;
  const harmless =
    intents.has('failure') && !intents.has('why') && effect === null && signOf('failure', text) === 0 ? 0.7 : 1;
  const length = words.length < 4 ? 0.85 : words.length > 60 ? 0.9 : 1;
  return link * markup * harmless * length;
}

/**
 * Returns sentences that relate to what is known and look like the answer: a cause or a change need not name its
 * effect.
 */
function followUps(query: ClauseQuery, index: SentenceIndex, known: Known): number[] {
  if (known.terms.size === 0 || !(query.intents.has('why') || query.effect !== null)) return [];
  return [...index.sentences.keys()].filter((number) => {
    const sentence = index.sentences[number]!;
    return relation(known, sentence, index.own.terms[number]!) > 0.5 && answerSign(query, sentence) > 0;
  });
}

/**
 * Weights for causes and changes, which need not contain the words of the question: their form and relation matter
 * more.
 */
const forCauses = { ...rankWeights, sign: 6, related: 3 };
const forOthers = { ...rankWeights, related: 2 };
const forSigned = { ...forOthers, sign: 4 };

const titleBonus = 0.15;
const replyBonus = 0.1;

const fewestToRepeat = 4;

/** Whether a sentence contains the question itself, as an example may: it matches best, but is no answer. */
const repeats = ({ asked, terms }: ClauseQuery, { text }: Sentence): boolean =>
  terms.length >= fewestToRepeat && collapse(text.toLowerCase()).includes(asked);

/** Creates the rating of sentences by the words of a clause. */
function createRater(query: ClauseQuery, index: SentenceIndex, known: Known, matches: readonly Match[]) {
  const weights =
    query.intents.has('why') || query.effect !== null
      ? forCauses
      : needsSign(query) || query.intents.has('change')
        ? forSigned
        : forOthers;
  const all = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const featuresOf = createFeatureReader(query, index, matches);
  const matchedBy = createMatchReader(query, index, matches);
  return (number: number): Candidate => {
    const sentence = index.sentences[number]!;
    const words = index.own.terms[number]!;
    const features = { ...featuresOf(number), related: relation(known, sentence, words) };
    const score = Object.entries(weights).reduce(
      (sum, [feature, weight]) => sum + weight * features[feature as keyof typeof weights],
      0,
    );
    const lead =
      titleBonus * titleShare(number, query, index) * features.own +
      (index.leads.get(number)?.kind === 'reply' ? replyBonus : 0);
    const rated = (score / all) * fitness(query, sentence, words) + lead;
    const matched = matchedBy(number);
    const { sign, related } = features;
    return { index: number, sentence, matched, match: matchOf(matched), sign, related, score: rated, also: [] };
  };
}

/**
 * Ranks the sentences with a word of the clause, best first; equal ones in text order. A sentence that states
 * something unknown is no answer, unless the clause asks for that.
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
  return followLeads(rated, query, index).sort((one, other) => other.score - one.score || one.index - other.index);
}
