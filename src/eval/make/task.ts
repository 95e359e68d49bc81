import type { SampleLine } from '../samples/read-samples.ts';

/** Creates a source of random numbers. The same seed gives the same numbers on every machine (mulberry32). */
export function createRandom(seed: number) {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    /** Returns a whole number from 0 to n − 1. */
    below: (n: number) => Math.floor(next() * n),
    pick<T>(items: readonly T[]): T {
      return items[this.below(items.length)]!;
    },
    shuffle<T>(items: readonly T[]): T[] {
      const result = [...items];
      for (let at = result.length - 1; at > 0; at--) {
        const other = this.below(at + 1);
        [result[at], result[other]] = [result[other]!, result[at]!];
      }
      return result;
    },
    digits(count: number): string {
      return Array.from({ length: count }, (_, at) => (at === 0 ? 1 + this.below(9) : this.below(10))).join('');
    },
  };
}

export type Random = ReturnType<typeof createRandom>;

/** The input of a generator. */
export interface TaskRequest {
  readonly random: Random;
  /** Length of the text, in tokens. */
  readonly tokens: number;
  /** Returns the size of a text in tokens. */
  sizeOf(text: string): number;
  /** Sentences of the user's text; empty: noise is used. */
  readonly haystack: readonly string[];
  /** From 0; the kind of the question depends on it. */
  readonly index: number;
}

/** A text with a question, in the form of a sample line. */
export interface Task {
  readonly text: string;
  readonly line: Omit<SampleLine, 'id' | 'paths' | 'tokens'>;
}

/** Makes one task. */
export type Generator = (request: TaskRequest) => Task;

const noise = ['The grass is green.', 'The sky is blue.', 'The sun is yellow.', 'Here we go.', 'There and back again.'];

/** Returns sentences that fill the text: the haystack's sentences from a random position on, or noise. */
export function noiseFor({ tokens, sizeOf, haystack, random }: TaskRequest, taken: number): string[] {
  const source = haystack.length > 0 ? haystack : noise;
  const start = haystack.length > 0 ? random.below(haystack.length) : 0;
  const sentences: string[] = [];
  for (let size = taken; size < tokens; size += sizeOf(sentences.at(-1)!))
    sentences.push(source[(start + sentences.length) % source.length]!);
  return sentences;
}

/** Inserts the sentences `added` among `sentences`. `places`: the positions of `added` in the text, 0–1. */
export function scatter(sentences: readonly string[], added: readonly string[], places: readonly number[]): string {
  const at = new Map<number, string[]>();
  for (const [index, one] of added.entries()) {
    const place = Math.round(places[index]! * sentences.length);
    at.set(place, [...(at.get(place) ?? []), one]);
  }
  const parts = [...sentences, ''].flatMap((sentence, index) => [...(at.get(index) ?? []), sentence]);
  return `${paragraphs(parts.filter((part) => part !== ''))}\n`;
}

const perParagraph = 5;

function paragraphs(sentences: readonly string[]): string {
  const all: string[] = [];
  for (let at = 0; at < sentences.length; at += perParagraph)
    all.push(sentences.slice(at, at + perParagraph).join(' '));
  return all.join('\n\n');
}

const onsets = 'b d f g k l m n p r s t v z br dr gl kr pl st'.split(' ');
const vowels = [...'aeiou'];
const codas = [...'nrlskmt'];

function madeWord(random: Random): string {
  const syllables = 2 + random.below(2);
  const body = Array.from({ length: syllables }, () => random.pick(onsets) + random.pick(vowels)).join('');
  return body + random.pick(codas);
}

/** Makes different random words that look like names. */
export function madeWords(random: Random, count: number): string[] {
  const words = new Set<string>();
  while (words.size < count) words.add(madeWord(random));
  return [...words];
}

/** Returns the tag for an answer's position: `place 1/4` is the first quarter. */
export const placeTag = (place: number): string => `place ${Math.min(4, Math.floor(place * 4) + 1)}/4`;
