import { extensionOf } from '../../context/chunkers/languages.ts';
import type { Sentence } from '../../context/sentences/sentences.ts';
import { isKeyedName } from '../../context/under/under-reader.ts';
import {
  createFeatureReader,
  createMatchReader,
  leastMatch,
  type MatchFeatures,
  matchOf,
  matchTerms,
  rankWeights,
  titleShare,
} from './features.ts';
import type { ClauseQuery } from './query.ts';
import { collapse } from './quote.ts';
import type { SentenceIndex } from './sentence-index.ts';

/** A sentence with its ratings as an answer to a clause. */
export interface Candidate {
  readonly index: number;
  readonly sentence: Sentence;
  readonly matched: MatchFeatures;
  /** Probability that the sentence contains the answer, 0–1. */
  readonly match: number;
  readonly score: number;
  /** Indexes of the sentences that are shown below this sentence. */
  readonly also: readonly number[];
}

const linked = /!?\[[^\]]*\]\([^)]*\)|https?:\S+/g;
const fewestBesideLink = 5;

/** Returns a factor for a sentence's form: below 1 for a long or very short sentence, a link, or markup. */
function fitness({ text }: Sentence, words: readonly string[]): number {
  const link = /\]\(|https?:/.test(text) && text.replace(linked, '').split(/\s+/).length < fewestBesideLink ? 0.5 : 1;
  const markup = text.includes('<') && text.replace(/<[^<>]*>/g, '').length * 2 < text.length ? 0.5 : 1;
  return link * markup * (words.length < 4 ? 0.85 : words.length > 60 ? 0.9 : 1);
}

const rankFeatures = Object.keys(rankWeights) as (keyof typeof rankWeights)[];
const allWeights = Object.values(rankWeights).reduce((sum, weight) => sum + weight, 0);
const titleBonus = 0.15;

const asksBack = /[?？]["'”’)*_\]`]*\s*$/;
/** Whether a sentence is only a key or a section header, which the paths of the values below already contain. */
const onlyOpens = ({ text, passage }: Sentence): boolean =>
  isKeyedName(passage.source) && /:\s*(?:#.*)?$|^\s*\[+[^\]]+\]+\s*$/.test(text);

/** Whether a sentence is the header row of a CSV or TSV file. It names the columns of the rows below it. */
export const isTableHead = ({ text, start, passage }: Sentence): boolean =>
  start + passage.startByte === 0 &&
  passage.startLine === 1 &&
  ['csv', 'tsv'].includes(extensionOf(passage.source)) &&
  !/(?:^|[,;\t|])[\s"']*\d/.test(text);

const behindLead = 0.01;

function followLeads(rated: readonly Candidate[], { sentences, leads }: SentenceIndex): Candidate[] {
  const best = new Map(rated.map((candidate) => [candidate.index, candidate]));
  const leading = rated.filter(({ index }) => leads.has(index)).sort((one, other) => other.score - one.score);
  for (const lead of leading) {
    const { kind, members } = leads.get(lead.index)!;
    best.set(lead.index, { ...lead, also: kind === 'list' ? members : [] });
    if (kind === 'list') continue;
    for (const [place, index] of members.entries()) {
      const score = lead.score - behindLead * place;
      if (score > (best.get(index)?.score ?? 0))
        best.set(index, { ...lead, index, sentence: sentences[index]!, score });
    }
    best.delete(lead.index);
  }
  return [...best.values()].filter(
    ({ sentence: { kind, text }, also }) =>
      also.length > 0 || kind === 'code' || kind === 'log' || !asksBack.test(text),
  );
}

/**
 * Ranks the sentences that contain a word of the clause, and the sentences that a ranked lead-in introduces. The best
 * sentence is first.
 */
export function rankSentences(query: ClauseQuery, index: SentenceIndex): Candidate[] {
  const matches = matchTerms(query, index);
  const featuresOf = createFeatureReader(query, index, matches);
  const matchedBy = createMatchReader(query, index, matches);
  const rate = (number: number): Candidate => {
    const sentence = index.sentences[number]!;
    const features = featuresOf(number);
    const sum = rankFeatures.reduce((all, feature) => all + rankWeights[feature] * features[feature], 0);
    const lead = titleBonus * titleShare(number, query, index) * features.own;
    const score = (sum / allWeights) * fitness(sentence, index.own.terms[number]!) + lead;
    const matched = matchedBy(number);
    return { index: number, sentence, matched, match: matchOf(matched), score, also: [] };
  };
  const isRow = (number: number) => index.sentences[number]!.kind === 'row';
  const hard = matches.filter(({ soft }) => !soft);
  const numbers = new Set(hard.flatMap(({ own, around }) => [...own.keys(), ...[...around.keys()].filter(isRow)]));
  const rated = [...numbers].filter((number) => !onlyOpens(index.sentences[number]!)).map(rate);
  return followLeads(rated, index).sort((one, other) => other.score - one.score || one.index - other.index);
}

const enoughOfBest = 0.6;
/** No further sentence is quoted after this many characters, the length of two or three sentences of prose. */
const enoughText = 360;

const overlap = ({ sentence: one }: Candidate, { sentence: other }: Candidate): boolean =>
  one.passage.id === other.passage.id && one.start < other.end && other.start < one.end;

const alike = 0.8;
const numeric = /^[\d.:]+$/;

function isRepeated({ index: one, sentence }: Candidate, { index: other }: Candidate, { own }: SentenceIndex): boolean {
  if (sentence.kind !== 'log') return false;
  const said = [one, other].map((at) => new Set(own.terms[at]!.filter((word) => !numeric.test(word))));
  const [small, large] = said[0]!.size < said[1]!.size ? [said[0]!, said[1]!] : [said[1]!, said[0]!];
  return small.size > 0 && [...small].filter((word) => large.has(word)).length >= alike * small.size;
}

function best(candidates: readonly Candidate[], index: SentenceIndex, limit: number): Candidate[] {
  const chosen: Candidate[] = [];
  let length = 0;
  for (const candidate of candidates) {
    const { score, sentence } = candidate;
    if (chosen.length >= limit || length >= enoughText || score < candidates[0]!.score * enoughOfBest) break;
    if (chosen.some((other) => overlap(other, candidate) || isRepeated(candidate, other, index))) continue;
    chosen.push(candidate);
    length += collapse(sentence.text).length;
  }
  return chosen;
}

/** Keeps the first candidate, which is the best, in front. Sorts the other candidates in text order. */
function bestInFront(chosen: readonly Candidate[]): Candidate[] {
  const sources = [...new Set(chosen.map(({ sentence }) => sentence.passage.source))];
  const rank = ({ sentence }: Candidate): number => sources.indexOf(sentence.passage.source);
  const [best, ...others] = chosen;
  const byPlace = (one: Candidate, other: Candidate) => rank(one) - rank(other) || one.index - other.index;
  return best === undefined ? [] : [best, ...others.sort(byPlace)];
}

/** Chooses the best sentences for a clause. `found`: the candidates from the first likely one onwards. */
export function selectSentences(query: ClauseQuery, index: SentenceIndex, limit: number) {
  const ranked = rankSentences(query, index).filter(({ sentence }) => !isTableHead(sentence));
  const first = ranked.findIndex(({ match }) => match >= leastMatch);
  const found = first < 0 ? [] : ranked.slice(first);
  return { chosen: bestInFront(best(found, index, limit)), found };
}
