/** Makes needles in a haystack and chains of facts, modelled on RULER (arXiv 2404.06654). */

import { type Generator, madeWords, noiseFor, placeTag, type Random, scatter, type TaskRequest } from './task.ts';

const positions = 40;

const kinds = ['single', 'multikey', 'multivalue', 'multiquery'] as const;

const values: readonly { readonly name: string; readonly make: (random: Random) => string }[] = [
  { name: 'numbers', make: (random) => random.digits(7) },
  { name: 'words', make: (random) => madeWords(random, 2).join('-') },
  { name: 'uuids', make: (random) => uuid(random) },
];

function uuid(random: Random): string {
  const hex = (count: number) => Array.from({ length: count }, () => random.below(16).toString(16)).join('');
  return [8, 4, 4, 4, 12].map(hex).join('-');
}

const shapes = {
  single: { keys: 1, values: 1, asked: 1 },
  multikey: { keys: 4, values: 1, asked: 1 },
  multivalue: { keys: 1, values: 4, asked: 1 },
  multiquery: { keys: 4, values: 1, asked: 4 },
} as const;

function question(keys: readonly string[], name: string, count: number): string {
  const which = keys.join(', ');
  if (count === 1) return `What is the special magic ${name.slice(0, -1)} for ${which} mentioned in the text?`;
  return `What are all the special magic ${name} for ${which} mentioned in the text? List them all, and nothing else.`;
}

function place({ index, random }: TaskRequest, needle: number): number {
  const turn = Math.floor(index / kinds.length) * 7 + needle * 13;
  return (((turn * 11) % positions) + random.below(100) / 100) / positions;
}

/** Makes a `niah` task: values for keys, hidden in text. */
export const makeNeedles: Generator = (request) => {
  const { random, index, sizeOf } = request;
  const kind = kinds[index % kinds.length]!;
  const shape = shapes[kind];
  const { name, make } = values[Math.floor(index / kinds.length) % values.length]!;
  const keys = madeWords(random, shape.keys);
  const needles = keys.flatMap((key) => Array.from({ length: shape.values }, () => ({ key, value: make(random) })));
  const sentences = needles.map(({ key, value }) => `One of the special magic ${name} for ${key} is: ${value}.`);
  const asked = random.shuffle(keys).slice(0, shape.asked);
  const wanted = needles.filter(({ key }) => asked.includes(key)).map(({ value }) => value);
  const places = needles.map((_, at) => place(request, at));
  const text = scatter(noiseFor(request, sizeOf(sentences.join(' '))), sentences, places);
  const at = needles.findIndex(({ key }) => asked.includes(key));
  const tags = [`niah ${kind}`, ...(wanted.length === 1 ? [placeTag(places[at]!)] : [])];
  const gold = wanted.length === 1 ? { contains: wanted } : { targets: wanted };
  return { text, line: { question: question(asked, name, wanted.length), ...gold, tags } };
};

/**
 * Verbs of the facts. The subject of the first verb is a project, and the subject of every other verb is a person. The
 * object is always a person. `nouns` holds the matching words of the questions.
 */
const relations = ['is led by', 'was trained by', 'shares an office with', 'reports to'] as const;

const nouns = ['the leader of', 'the trainer of', 'the office mate of', 'the superior of'];

const capitalised = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** Number of chains about other projects. With them, each relation occurs many times. */
const distractors = 6;

/**
 * Makes a `multihop` task. Its question asks for the end of a chain of facts that begins with a project. The text also
 * contains such chains for other projects.
 */
export const makeMultihop: Generator = (request) => {
  const { random, index, sizeOf } = request;
  const hops = 2 + (index % 3);
  const words = madeWords(random, (distractors + 1) * 6).map(capitalised);
  const steps = [0, ...random.shuffle([1, 2, 3])].slice(0, hops);
  const chains = Array.from({ length: distractors + 1 }, (_, chain) => words.slice(chain * 6, chain * 6 + hops + 1));
  const facts = chains.flatMap(([project, ...people]) =>
    people.map((person, at) => {
      const subject = at === 0 ? `Project ${project}` : people[at - 1]!;
      return `${subject} ${relations[steps[at]!]!} ${person}.`;
    }),
  );
  const [project, ...people] = chains[0]!;
  const way = steps.map((step) => nouns[step]!).reverse();
  const question = `Who is ${way.join(' ')} Project ${project}? End with a line "Answer: NAME".`;
  const places = facts.map(() => random.below(1_000) / 1_000);
  const text = scatter(noiseFor(request, sizeOf(facts.join(' '))), random.shuffle(facts), places);
  return { text, line: { question, target: people.at(-1)!, tags: [`multihop ${hops}`] } };
};
