/** Makes facts that build on each other: the answer needs two to four of them, from different places. */
import { type Generator, madeWords, noiseFor, scatter } from './task.ts';

/** Relations of a project and of people; `nouns` are their names in questions. */
const relations = ['is led by', 'was trained by', 'shares an office with', 'reports to'] as const;

const nouns = ['the leader of', 'the trainer of', 'the office mate of', 'the superior of'];

const name = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** Chains of other projects, so that each relation occurs many times. */
const distractors = 6;

/** Makes a `multihop` task: the leader of the trainer of … a project, among facts of the same form about others. */
export const makeMultihop: Generator = (request) => {
  const { random, index, sizeOf } = request;
  const hops = 2 + (index % 3);
  const words = madeWords(random, (distractors + 1) * 6).map(name);
  const kinds = [0, ...random.shuffle([1, 2, 3])].slice(0, hops);
  const chains = Array.from({ length: distractors + 1 }, (_, chain) => words.slice(chain * 6, chain * 6 + hops + 1));
  const facts = chains.flatMap(([project, ...people]) =>
    people.map((person, at) => {
      const subject = at === 0 ? `Project ${project}` : people[at - 1]!;
      return `${subject} ${relations[kinds[at]!]!} ${person}.`;
    }),
  );
  const [project, ...people] = chains[0]!;
  const way = kinds.map((kind) => nouns[kind]!).reverse();
  const question = `Who is ${way.join(' ')} Project ${project}? End with a line "Answer: NAME".`;
  const places = facts.map(() => random.below(1_000) / 1_000);
  const text = scatter(noiseFor(request, sizeOf(facts.join(' '))), random.shuffle(facts), places);
  return { text, line: { question, target: people.at(-1)!, tags: [`multihop ${hops}`] } };
};
