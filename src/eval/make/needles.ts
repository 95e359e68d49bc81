/** Makes needles in a haystack, and chains of variables, after RULER (arXiv 2404.06654). */
import type { Random } from './random.ts';
import { type Generator, madeWords, noiseFor, placeTag, scatter, type Task, type TaskRequest } from './task.ts';

const depths = 40;

/** Kinds alternate, and each kind goes through 40 positions. */
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

interface Needle {
  readonly key: string;
  readonly value: string;
}

/** Number of keys, of values per key, and of requested keys, by kind. */
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

function place({ index, random }: TaskRequest, at: number): number {
  const turn = Math.floor(index / kinds.length) * 7 + at * 13;
  return (((turn * 11) % depths) + random.below(100) / 100) / depths;
}

/** Makes a `niah` task: values for keys, hidden in text. */
export const makeNeedles: Generator = (request) => {
  const { random, index, sizeOf } = request;
  const kind = kinds[index % kinds.length]!;
  const shape = shapes[kind];
  const { name, make } = values[Math.floor(index / kinds.length) % values.length]!;
  const keys = madeWords(random, shape.keys);
  const needles = keys.flatMap((key): Needle[] =>
    Array.from({ length: shape.values }, () => ({ key, value: make(random) })),
  );
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

const hops = 4;
const chains = 2;

function names(random: Random, count: number): string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const found = new Set<string>();
  while (found.size < count) found.add(Array.from({ length: 5 }, () => letters[random.below(26)]!).join(''));
  return [...found];
}

/** Makes a `vt` task: which variables have a value, through four assignments; a second chain has another value. */
export const makeVariables: Generator = (request): Task => {
  const { random, sizeOf } = request;
  const all = names(random, chains * (hops + 1));
  const value = random.digits(5);
  const lines = Array.from({ length: chains }, (_, chain) => {
    const own = all.slice(chain * (hops + 1), (chain + 1) * (hops + 1));
    const first = chain === 0 ? value : String((Number(value) + 1 + random.below(9_000)) % 100_000).padStart(5, '1');
    return own.map((name, at) => `VAR ${name} = ${at === 0 ? first : `VAR ${own[at - 1]}`}.`);
  });
  const order = lines.map((own) => own.map(() => random.below(1_000) / 1_000).sort((a, b) => a - b));
  const text = scatter(noiseFor(request, sizeOf(lines.flat().join(' '))), lines.flat(), order.flat());
  const asked = `Find all variables that are assigned the value ${value}, directly or through other variables.`;
  const line = {
    question: `${asked} List their names, and nothing else.`,
    targets: all.slice(0, hops + 1),
    tags: ['vt'],
  };
  return { text, line };
};
