import { type Known, relation } from './known.ts';
import type { ClauseQuery } from './query.ts';
import type { SentenceIndex } from './sentence-index.ts';
import type { Sentence } from './sentences.ts';
import { type Intent, signOf } from './words.ts';

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

const beside = 0.4;
const above = 0.5;
const samePassage = 0.2;
const smallest = 8;
const nearEnoughForName = 0.8;

interface Matched {
  readonly weight: number;
  readonly soft: boolean;
  readonly name: boolean;
  readonly own: ReadonlyMap<number, number>;
  readonly around: ReadonlyMap<number, number>;
  readonly passages: ReadonlySet<string>;
}

/** From 1 for a word in every sentence to 2 for one in none. */
export function rarity(having: number, all: number): number {
  const size = Math.max(all, smallest) + 1;
  return 1 + Math.max(0, Math.log(size / (having + 0.5)) / Math.log(size / 0.5));
}

function matchTerms(query: ClauseQuery, { sentences, own, around }: SentenceIndex): Matched[] {
  return query.terms.map(({ term, weight, soft, name }) => {
    const found = own.find(term);
    const exact = [...found].filter(([, near]) => !name || near >= nearEnoughForName);
    const passages = new Set(exact.map(([index]) => sentences[index]!.passage.id));
    const weighted = weight * rarity(found.size, own.size);
    return { weight: weighted, soft, name, own: found, around: around.find(term), passages };
  });
}

function share(matches: readonly Matched[], value: (match: Matched) => number): number {
  const total = matches.reduce((sum, match) => sum + match.weight, 0);
  return total === 0 ? 0 : matches.reduce((sum, match) => sum + match.weight * value(match), 0) / total;
}

function surrounding({ own, around, passages }: Matched, index: number, sentences: readonly Sentence[]): number {
  const { id } = sentences[index]!.passage;
  if (!passages.has(id)) return (around.get(index) ?? 0) * above;
  const before = sentences[index - 1]?.passage.id === id ? (own.get(index - 1) ?? 0) : 0;
  const after = sentences[index + 1]?.passage.id === id ? (own.get(index + 1) ?? 0) : 0;
  return Math.max(before * beside, after * beside, (around.get(index) ?? 0) * above, samePassage);
}

function shareOfNames(names: readonly Matched[], index: number, { passage }: Sentence): number {
  const squared = names.map((match) => ({ ...match, weight: match.weight ** 2 }));
  const present = ({ passages, around }: Matched): number => (passages.has(passage.id) || around.has(index) ? 1 : 0);
  return names.length === 0 ? 1 : share(squared, present);
}

/** 1 when the words stand side by side in the order of the question, less when they are scattered. */
function closeness(sequence: readonly string[], words: readonly string[]): number {
  if (sequence.length < 2) return 0;
  const places = sequence.map((word) => words.indexOf(word));
  const close = places.slice(1).reduce((sum, place, index) => {
    const before = places[index]!;
    return place < 0 || before < 0 ? sum : sum + 1 / Math.max(1, Math.abs(place - before));
  }, 0);
  return close / (sequence.length - 1);
}

const kindsOfAnswer: readonly Intent[] = ['when', 'count', 'who', 'where', 'how'];
const stamp = /^\W{0,3}[\dTZ:.,+/ -]{5,32}\W*/;

function signFor({ intents }: ClauseQuery, text: string): number {
  if (intents.has('why')) return signOf('why', text);
  const wanted = kindsOfAnswer.filter((intent) => intents.has(intent));
  if (wanted.length === 0) return intents.has('failure') ? signOf('failure', text) : 0;
  const body = intents.has('when') ? text : text.replace(stamp, '');
  return wanted.reduce((sum, intent) => sum + signOf(intent, body), 0) / wanted.length;
}

/** Long lines match by chance, very short ones say little, and a question answers none. */
function fitness({ intents }: ClauseQuery, { text, kind }: Sentence, words: readonly string[]): number {
  const asks = /[?？]\s*$/.test(text) ? 0.7 : 1;
  const bareHeading = kind === 'heading' && !text.includes('\n') ? 0.6 : 1;
  const link = /^\W*\[[^\]]*\]\([^)]*\)\W*$/.test(text) ? 0.5 : 1;
  const markup = text.replace(/<[^<>]*>/g, '').length * 2 < text.length ? 0.5 : 1;
  const harmless = intents.has('failure') && signOf('failure', text) === 0 ? 0.7 : 1;
  const length = words.length < 4 ? 0.85 : words.length > 60 ? 0.9 : 1;
  return asks * bareHeading * link * markup * harmless * length;
}

/** A cause need not name its effect: sentences that take up what is known and look like the answer. */
function followUps(query: ClauseQuery, index: SentenceIndex, known: Known): number[] {
  if (known.terms.size === 0 || !query.intents.has('why')) return [];
  return [...index.sentences.keys()].filter((number) => {
    const sentence = index.sentences[number]!;
    return relation(known, sentence, index.own.terms[number]!) > 0.5 && signFor(query, sentence.text) > 0;
  });
}

const parts = { own: 0.55, around: 0.2, sign: 0.25, close: 0.12, passage: 0.06, related: 0.15, position: 0.02 };
const partsOfCauses = { ...parts, own: 0.4, sign: 0.45, related: 0.2 };

/** Ranks the sentences that have a word of the clause, best first; equal ones in the order of the text. */
export function rankSentences(query: ClauseQuery, index: SentenceIndex, known: Known): Candidate[] {
  const matches = matchTerms(query, index);
  const part = query.intents.has('why') ? partsOfCauses : parts;
  const hard = matches.filter((match) => !match.soft);
  const names = matches.filter((match) => match.name);
  const bestPassage = index.sentences.reduce((best, { passage }) => Math.max(best, passage.score), Number.MIN_VALUE);
  const rate = (number: number): Candidate => {
    const sentence = index.sentences[number]!;
    const words = index.own.terms[number]!;
    const own = share(matches, (match) => match.own.get(number) ?? 0);
    const coverage = share(hard, (match) =>
      Math.max(match.own.get(number) ?? 0, surrounding(match, number, index.sentences)),
    );
    const named = shareOfNames(names, number, sentence);
    const sign = signFor(query, sentence.text);
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
  const numbers = new Set([...hard.flatMap((match) => [...match.own.keys()]), ...followUps(query, index, known)]);
  return [...numbers].map(rate).sort((one, other) => other.score - one.score || one.index - other.index);
}
