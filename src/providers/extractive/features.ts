import { createMemo } from '../../base/memo.ts';
import type { Sentence } from '../../context/sentences/sentences.ts';
import { isStopword } from '../../context/words/terms.ts';
import type { ClauseQuery } from './query.ts';
import { nearness, type SentenceIndex, termsOf, withoutParts } from './sentence-index.ts';

type AnswerKind = 'date' | 'number' | 'person' | 'name';

const timeNouns = '(?:year|century|date|decade|day|month)';
const thingNouns = '(?:percent\\w*|number|amount|fraction|population|proportion)';
const placeNouns =
  '(?:country|city|state|town|region|nation|place|river|continent|area|island|countries|cities|states|regions)';
const askedOf = (nouns: string) => `\\b(?:what|which) (?:\\w+ )?${nouns}\\b`;

const amounts = '\\bhow (?:many|much|large|big|far|long|old|tall|high|often|fast)\\b';
const naming = '\\bwhere\\b|\\bwhich\\b|\\b(?:called|named|known as)\\b|\\bnames? of\\b';

const kinds: readonly (readonly [AnswerKind, RegExp])[] = [
  ['date', new RegExp(`\\bwhen\\b|${askedOf(timeNouns)}`, 'i')],
  ['number', new RegExp(`${amounts}|${askedOf(thingNouns)}`, 'i')],
  ['person', /\bwho(?:m|se)?\b/i],
  ['name', new RegExp(`${naming}|${askedOf(placeNouns)}`, 'i')],
];

const months = 'january|february|march|april|may|june|july|august|september|october|november|december';
const dates = new RegExp(
  `\\b(?:1\\d{3}|20\\d\\d)s?\\b|\\b\\d+(?:st|nd|rd|th)\\b|\\b(?:${months})\\b|\\bcentur\\w+`,
  'gi',
);
const digits = /\d[\d,.]*/g;
const numerals =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|dozen|half|once|twice|third|quarter)s?\b/gi;
const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu;
const fullNames = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+ (?:(?:of|the|de|von) )?\p{Lu}[\p{L}\p{N}]+/gu;
const firstWord = /^\P{L}*\S+\s?/u;

const asNumeral = 0.6;
const asSurname = 0.8;

const readKind = createMemo(32, (question: string) => ({
  kind: kinds.find(([, pattern]) => pattern.test(question))?.[0] ?? null,
  had: new Set(termsOf(question)),
}));

/** Rates from 0 to 1 whether a text has something of the requested kind (a date, …) that is not in the question. */
function freshAnswer(question: string, text: string): number {
  const { kind, had } = readKind(question);
  const isNew = (found: string) => termsOf(found).some((term) => !isStopword(term) && !had.has(term));
  const has = (pattern: RegExp, within = text) => Array.from(within.matchAll(pattern)).some(([found]) => isNew(found));
  const inside = () => text.replace(firstWord, '');
  if (kind === 'date') return has(dates) ? 1 : 0;
  if (kind === 'number') return has(digits) ? 1 : has(numerals) ? asNumeral : 0;
  if (kind === 'person') return has(fullNames, inside()) ? 1 : has(capitalised, inside()) ? asSurname : 0;
  return kind === 'name' && has(capitalised, inside()) ? 1 : 0;
}

/** Weight of a word in a heading above the sentence, relative to a word in the sentence. */
export const above = 0.75;
const softWeight = 0.35;
const fewest = 20;
const nearEnough = 0.7;
const nearEnoughForName = 0.8;

/** Returns BM25's inverse document frequency. Assumes at least `fewest` texts: among fewer, no word is rare. */
const inverseFrequency = (having: number, all: number): number =>
  Math.log(1 + (Math.max(all, fewest) - having + 0.5) / (having + 0.5));

export type Match = ReturnType<typeof matchTerms>[number];

/** Finds the words of a clause in sentences. */
export function matchTerms(query: ClauseQuery, { sentences, own, around }: SentenceIndex) {
  return query.terms.map(({ term, soft, name }) => {
    const found: Map<number, number> = new Map(own.find(term));
    for (const joined of query.joined.filter(({ of }) => of.includes(term)))
      for (const [index, near] of own.find(joined.term)) if (near === 1) found.set(index, near);
    const passages = new Set<string>();
    for (const [index, near] of found)
      if (!name || near >= nearEnoughForName) passages.add(sentences[index]!.passage.id);
    return {
      term,
      /** High for a term that is rare in the sentences; low for a word that says what kind of answer is wanted. */
      weight: (soft ? softWeight : 1) * inverseFrequency(own.count(term), own.size),
      soft,
      name,
      /** How well the term matches the words of each sentence, by the index of the sentence. */
      own: found,
      /** How well the term matches the headings of each sentence, by the index of the sentence. */
      around: around.find(term),
      passages,
    };
  });
}

/** Returns the weighted mean of a value over matches. */
export function share<M extends Pick<Match, 'weight'>>(matches: readonly M[], value: (match: M) => number): number {
  let total = 0;
  let sum = 0;
  for (const match of matches) {
    total += match.weight;
    sum += match.weight * value(match);
  }
  return total === 0 ? 0 : sum / total;
}

/** Returns the share of names that a sentence's passage or headings contain. Rare names weigh most. */
export function shareOfNames(names: readonly Match[], index: number, { passage }: Sentence): number {
  if (names.length === 0) return 1;
  const squared = names.map((match) => ({ ...match, weight: match.weight ** 2 }));
  return share(squared, ({ passages, around }) => (passages.has(passage.id) || around.has(index) ? 1 : 0));
}

const nearby = 2;

function pairsNear(sequence: readonly string[], words: readonly string[]): number {
  if (sequence.length < 2) return 0;
  const places = sequence.map((word) => words.indexOf(word));
  const near = places.slice(1).filter((place, at) => {
    const before = places[at]!;
    return place >= 0 && before >= 0 && Math.abs(place - before) <= nearby;
  });
  return near.length / (sequence.length - 1);
}

/** Weight of a passage's score that is computed here from words. A score from a search over the text has weight 1. */
const ofWords = 0.5;
const k1 = 1.2;
const b = 0.75;

/** Returns the scores of passages by id, 0–1. */
function scorePassages({ sentences }: SentenceIndex, matches: readonly Match[]): ReadonlyMap<string, number> {
  const scores = new Map(sentences.map(({ passage }) => [passage.id, Math.max(0, passage.score)]));
  const isSearched = [...scores.values()].some((score) => score > 0);
  if (!isSearched) {
    for (const { weight, own } of matches) {
      const counts = new Map<string, number>();
      for (const [number, near] of own) {
        const { id } = sentences[number]!.passage;
        counts.set(id, (counts.get(id) ?? 0) + near);
      }
      for (const [id, count] of counts) scores.set(id, scores.get(id)! + (weight * count * (k1 + 1)) / (count + k1));
    }
  }
  const best = Math.max(Number.MIN_VALUE, ...scores.values());
  return new Map([...scores].map(([id, score]) => [id, (isSearched ? 1 : ofWords) * (score / best)]));
}

const has = ({ own, around }: Match, number: number): number =>
  Math.max(own.get(number) ?? 0, (around.get(number) ?? 0) * above);

function paragraphsOf({ own }: Match, { paragraphs }: SentenceIndex): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [number, near] of own) {
    const paragraph = paragraphs[number]!;
    found.set(paragraph, Math.max(near, found.get(paragraph) ?? 0));
  }
  return found;
}

/** Creates the function that takes the index of a sentence and returns its features. */
export function createFeatureReader(query: ClauseQuery, index: SentenceIndex, matches: readonly Match[]) {
  const { sentences, own } = index;
  const average = own.terms.reduce((sum, words) => sum + words.length, 0) / Math.max(1, own.size);
  const passageScore = scorePassages(index, matches);
  const names = matches
    .filter(({ name }) => name)
    .map((match) => ({ ...match, paragraphs: paragraphsOf(match, index) }));
  return (number: number): Features => {
    const sentence = sentences[number]!;
    const words = own.terms[number]!;
    const { stretch } = sentence;
    const length = k1 * (1 - b + (b * words.length) / average);
    const beside = ({ own: places }: Match, at: number) =>
      sentences[at]?.stretch === stretch ? (places.get(at) ?? 0) : 0;
    return {
      own: share(matches, (match) => has(match, number)),
      frequency: share(matches, (match) => {
        const near = has(match, number);
        const times = match.own.get(number) === 1 ? words.filter((word) => word === match.term).length : near;
        return (times * (k1 + 1)) / (times + length);
      }),
      passage: passageScore.get(sentence.passage.id) ?? 0,
      near: pairsNear(query.sequence, words),
      beside: share(matches, (match) =>
        Math.max(0, Math.max(beside(match, number - 1), beside(match, number + 1)) - has(match, number)),
      ),
      named: share(names, ({ paragraphs }) => paragraphs.get(index.paragraphs[number]!) ?? 0),
      fresh: freshAnswer(query.question, sentence.text),
    };
  };
}

/** Returns how many words of a title or lead-in are in the question, as a share from 0 to 1. */
export function titleShare(number: number, { terms }: ClauseQuery, { leads, own }: SentenceIndex): number {
  const lead = leads.get(number);
  if (lead === undefined || lead.kind === 'reply') return 0;
  const words = withoutParts(own.terms[number]!).filter((word) => !isStopword(word));
  const isOf = (word: string) => (term: string) =>
    (own.find(term).get(number) ?? 0) >= nearEnough && nearness(term, word) >= nearEnough;
  const hard = terms.filter(({ soft }) => !soft).map(({ term }) => term);
  const had = words.filter((word) => hard.some(isOf(word)));
  return words.length === 0 ? 0 : had.length / words.length;
}

/** A negation in the question alone is stronger evidence against a sentence than a negation in the sentence alone. */
const oneSided = (question: boolean, sentence: boolean): number => (question === sentence ? 0 : question ? 1 : 0.6);

const isNegated = (text: string): boolean => /\b(?:not|non|never|no|without|none|neither)\b|n['’]t\b/i.test(text);

/** Minimum value of the feature `words` for a title whose words are all in the question. */
const asTitle = 2;

/** Creates the function that takes the index of a sentence and returns its match features. */
export function createMatchReader(query: ClauseQuery, index: SentenceIndex, matches: readonly Match[]) {
  const { sentences } = index;
  const hard = matches.filter(({ soft }) => !soft);
  const names = matches.filter(({ name }) => name);
  return (number: number): MatchFeatures => {
    const sentence = sentences[number]!;
    const at = (places: ReadonlyMap<number, number>, other: number) =>
      sentences[other]?.stretch === sentence.stretch ? (places.get(other) ?? 0) : 0;
    const had = hard.filter(
      ({ own, around }) =>
        Math.max(at(own, number), at(own, number - 1), at(own, number + 1), at(around, number)) >= nearEnough,
    );
    const least = titleShare(number, query, index) === 1 ? asTitle : 0;
    return {
      own: share(matches, (match) => has(match, number)),
      named: shareOfNames(names, number, sentence),
      words: Math.max(had.length, least),
      fresh: freshAnswer(query.question, sentence.text),
      negated: oneSided(isNegated(query.question), isNegated(sentence.text)),
    };
  };
}

/**
 * The features by which sentences are ranked as answers, with their weights. A feature is 0–1, `frequency` up to 2.2.
 * `scripts/fit-extractive.ts` fits the weights with a conditional logit on the answerable questions of four articles.
 * They are half of the articles in `squad2` (SQuAD 2.0's development set, CC BY-SA 4.0). The results on the other four
 * articles and on MuSiQue are in `docs/decisions/0037-match.md`.
 */
export const rankWeights = {
  /** Share of the clause's words, weighted by rarity, that the sentence or its headings contain. */
  own: 5.88,
  /** BM25 among the sentences; 1 for a sentence of average length that contains each word of the clause once. */
  frequency: 2.55,
  /** The score of the sentence's passage relative to the best passage; from the search, if there was one. */
  passage: 3.92,
  /** Share of the clause's pairs of neighbouring words that are near each other in the sentence, in any order. */
  near: 1.13,
  /** Share of the clause's words that only the sentence before or after it contains. */
  beside: 1.37,
  /** Share of the clause's names that the sentence's paragraph contains; 0 if the clause has no names. */
  named: 2.69,
  /** Whether the sentence contains something of the requested kind that is not in the question. */
  fresh: 1.77,
};

export type Features = Readonly<typeof rankWeights>;

/**
 * The features that predict whether the first quoted sentence contains the answer, with their weights in a logistic
 * curve. `scripts/fit-extractive.ts` fits the weights with Platt's targets on the same articles as `rankWeights`. The
 * fit includes unanswerable questions, and questions with passages of other articles only.
 */
export const matchWeights = {
  constant: -5.37,
  /** Share of the clause's words, weighted by rarity, that the sentence or its headings contain, 0–1. */
  own: 3.39,
  /** Share of the clause's names that the passage contains; rare names weigh most. 1 if the clause has no names. */
  named: 1.33,
  /** Number of the clause's words in the sentence, its neighbours or its headings, limited to `mostWords`. */
  words: 0.32,
  fresh: 0.46,
  /** 1 if only the clause is negated, 0.6 if only the sentence is negated, else 0. */
  negated: -1.86,
};
const mostWords = 6;

export type MatchFeatures = Readonly<Omit<typeof matchWeights, 'constant'>>;

/** Minimum probability of the best quoted sentence. If no sentence has this probability, nothing is quoted. */
export const leastMatch = 0.05;

/** Returns the probability that a sentence contains the answer, 0–1. */
export function matchOf({ own, named, words, fresh, negated }: MatchFeatures): number {
  const { constant, ...weights } = matchWeights;
  const ofWords = weights.own * own + weights.named * named + weights.words * Math.min(words, mostWords);
  const sum = constant + ofWords + weights.fresh * fresh + weights.negated * negated;
  return 1 / (1 + Math.exp(-sum));
}
