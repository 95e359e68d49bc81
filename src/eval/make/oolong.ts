/** Makes questions about kinds of lines and pairs of users, modelled on OOLONG (arXiv 2511.02817) and OOLONG-Pairs. */

import type { Generator, Random, Task, TaskRequest } from './task.ts';

/** The six kinds of questions of TREC (Li & Roth 2002), each as one word. */
const labels = ['number', 'entity', 'location', 'description', 'abbreviation', 'person'] as const;

type Label = (typeof labels)[number];

const vocabulary: Readonly<Record<string, readonly string[]>> = {
  things: ['bridges', 'rivers', 'islands', 'towers', 'stations', 'lakes', 'museums', 'harbours'],
  place: ['Norway', 'Peru', 'Kenya', 'Japan', 'Canada', 'Portugal', 'Chile', 'Finland', 'Ghana', 'Nepal'],
  work: ['novel', 'opera', 'atlas', 'film', 'hymn', 'dictionary', 'ballet', 'symphony'],
  force: ['rust', 'tides', 'echoes', 'yeast', 'frost', 'gravity', 'tariffs', 'fog'],
  letters: ['NATO', 'LASER', 'RADAR', 'GDP', 'DNA', 'CPU', 'ISBN', 'UNICEF'],
  kind: ['animal', 'colour', 'fruit', 'metal', 'instrument', 'language', 'sport', 'bird'],
};

const forms: Readonly<Record<Label, readonly string[]>> = {
  number: ['How many {things} are there in {place}?', 'In what year was the first {work} of {place} finished?'],
  entity: ['What {kind} is the emblem of {place}?', 'Which {kind} is named most often in the {work}?'],
  location: ['Where in {place} are the oldest {things}?', 'What city of {place} has the most {things}?'],
  description: ['Why do {force} matter to the {things} of {place}?', 'What is the meaning of {force} in a {work}?'],
  abbreviation: ['What does {letters} stand for in {place}?', 'What is the full form of {letters}?'],
  person: ['Who wrote the first {work} of {place}?', 'Who built the {things} of {place}?'],
};

const fill = (form: string, random: Random): string =>
  form.replace(/\{(\w+)\}/g, (_, name: string) => random.pick(vocabulary[name]!));

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Returns labels to pick from. Some occur several times, so that their frequencies differ. */
function weighted(random: Random): readonly Label[] {
  const [first, second, ...rest] = random.shuffle(labels);
  return [first!, first!, first!, second!, second!, ...rest];
}

/** Creates the function that picks a line's user. A fifth of the users write about four fifths of the lines. */
function createUsers(random: Random, count: number): () => number {
  const ids = new Set<number>();
  while (ids.size < count) ids.add(10_000 + random.below(90_000));
  const all = [...ids];
  const busy = all.slice(0, Math.max(1, Math.round(count / 5)));
  const others = all.slice(busy.length);
  return () => random.pick(random.below(5) < 4 || others.length === 0 ? busy : others);
}

function createLines(random: Random, users: number) {
  const mix = weighted(random);
  const userOf = createUsers(random, users);
  return () => {
    const [user, month, label] = [userOf(), 1 + random.below(12), random.pick(mix)];
    const date = `${months[month - 1]} ${String(1 + random.below(28)).padStart(2, '0')}, 2022`;
    const text = `Date: ${date} || User: ${user} || Instance: ${fill(random.pick(forms[label]), random)}`;
    return { user, month, label, text };
  };
}

type LabelledLine = Readonly<ReturnType<ReturnType<typeof createLines>>>;

const countOf = (label: Label, lines: readonly LabelledLine[]) => lines.filter((line) => line.label === label).length;

const aboutLabels =
  'Each line of the text holds a question (Instance) of exactly one kind by the answer that it asks for: number (a count or a year), entity (a thing, an animal, a colour, a language), location (a place), description (a reason or a meaning), abbreviation (what letters stand for), or person.';

type Asked = Omit<Task['line'], 'tags'>;

const endWith = (form: string) => `End with a line "Answer: ${form}".`;

/** Minimum difference between the counts of two kinds, as a share of the lines. */
const leastGap = 0.02;

function mostCommon(lines: readonly LabelledLine[], where: string): Asked | null {
  const counts = labels.map((label) => [label, countOf(label, lines)] as const).sort((a, b) => b[1] - a[1]);
  const [top, next] = [counts[0]![1], counts.find(([, count]) => count < counts[0]![1])?.[1] ?? 0];
  if (lines.length === 0 || (top - next) / lines.length <= leastGap) return null;
  const target = counts.filter(([, count]) => count === top).map(([label]) => label);
  return { question: `Which kind is most common${where}? ${endWith('KIND')}`, target };
}

function howMany(lines: readonly LabelledLine[], where: string, random: Random): Asked {
  const label = random.pick(labels);
  const number = countOf(label, lines);
  return { question: `How many lines are of the kind ${label}${where}? ${endWith('NUMBER')}`, number, decay: 0.75 };
}

function comparison(lines: readonly LabelledLine[], where: string, random: Random): Asked | null {
  const [a, b] = random.shuffle(labels) as [Label, Label];
  const gap = countOf(a, lines) - countOf(b, lines);
  if (lines.length === 0 || (gap !== 0 && Math.abs(gap) / lines.length <= leastGap)) return null;
  const target = gap > 0 ? 'more' : gap < 0 ? 'less' : 'equally';
  const question = `Is the kind ${a} more common than ${b}, less common, or equally common${where}? ${endWith('more, less or equally')}`;
  return { question, target };
}

function restrict(lines: readonly LabelledLine[], random: Random, turn: number): [readonly LabelledLine[], string] {
  if (turn === 0) return [lines, ''];
  if (turn === 1) {
    const { user } = random.pick(lines);
    return [lines.filter((line) => line.user === user), ` among the lines of user ${user}`];
  }
  const first = 1 + random.below(9);
  const last = first + 2 + random.below(2);
  const where = ` among the lines from ${months[first - 1]} to ${months[last - 1]}`;
  return [lines.filter(({ month }) => month >= first && month <= last), where];
}

const linesPerUser = 8;
const tries = 20;

function makeLines({ tokens, sizeOf, random }: TaskRequest, usersOf: (count: number) => number): LabelledLine[] {
  const perLine = sizeOf('Date: Dec 12, 2022 || User: 63685 || Instance: How many bridges are there in Norway?\n');
  const count = Math.max(12, Math.floor(tokens / perLine));
  const next = createLines(random, usersOf(count));
  return Array.from({ length: count }, next);
}

const textOf = (lines: readonly LabelledLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** Makes an `oolong` task: the most common kind, the number of lines of a kind, or a comparison of two kinds. */
export const makeOolong: Generator = (request) => {
  const { random, index } = request;
  const lines = makeLines(request, (count) => Math.max(4, Math.round(count / linesPerUser)));
  const kinds = [mostCommon, howMany, comparison] as const;
  let make: (typeof kinds)[number] = kinds[index % kinds.length]!;
  let asked: Asked | null = null;
  for (let attempt = 0; asked === null && attempt < tries; attempt++)
    asked = make(...restrict(lines, random, Math.floor(index / kinds.length) % 3), random);
  if (asked === null) [make, asked] = [howMany, howMany(lines, '', random)];
  const tags = [`oolong ${make === howMany ? 'count' : 'compare'}`];
  return { text: textOf(lines), line: { ...asked, question: `${aboutLabels} ${asked.question}`, tags } };
};

type Holds = (lines: readonly LabelledLine[]) => boolean;

/** Returns four queries. `first` and `second` are conditions on the two users of a pair, in either order. */
function queries(a: Label, b: Label) {
  const hasA: Holds = (lines) => countOf(a, lines) > 0;
  const hasEither: Holds = (lines) => countOf(a, lines) + countOf(b, lines) > 0;
  const hasOneB: Holds = (lines) => countOf(b, lines) === 1;
  const hasTwoB: Holds = (lines) => countOf(b, lines) >= 2;
  const one = `one user has at least one line of the kind ${a} and the other has exactly one of the kind ${b}`;
  return [
    { words: `both users have at least one line of the kind ${a}`, first: hasA, second: hasA },
    { words: `both users have at least one line of the kind ${a} or ${b}`, first: hasEither, second: hasEither },
    { words: one, first: hasA, second: hasOneB },
    { words: `both users have at least two lines of the kind ${b}`, first: hasTwoB, second: hasTwoB },
  ];
}

function pairsOf(lines: readonly LabelledLine[], first: Holds, second: Holds): string[] {
  const users = [...new Set(lines.map(({ user }) => user))].sort((a, b) => a - b);
  const own = new Map(users.map((user) => [user, lines.filter((line) => line.user === user)]));
  return users.flatMap((one, at) =>
    users.slice(at + 1).flatMap((other) => {
      const [a, b] = [own.get(one)!, own.get(other)!];
      return (first(a) && second(b)) || (first(b) && second(a)) ? `(${one}, ${other})` : [];
    }),
  );
}

/**
 * Maximum number of pairs that a reply has to list. After 100 attempts, a query is accepted even if it has more pairs,
 * or none.
 */
const mostPairs = 45;
const mostUsers = 10;

/** Makes a `pairs` task: all pairs of users that meet a condition. */
export const makePairs: Generator = (request) => {
  const { random, index } = request;
  const lines = makeLines(request, (count) => Math.min(mostUsers, Math.max(4, Math.round(count / linesPerUser))));
  const tags = ['pairs'];
  for (let attempt = 0; ; attempt++) {
    const [a, b] = random.shuffle(labels) as [Label, Label];
    const query = queries(a, b)[(index + attempt) % 4]!;
    const targets = pairsOf(lines, query.first, query.second);
    if ((targets.length === 0 || targets.length > mostPairs) && attempt < 100) continue;
    const form = 'Write each pair as (smaller id, larger id), one a line, and nothing else.';
    const question = `${aboutLabels} List all pairs of users such that ${query.words}. ${form}`;
    return { text: textOf(lines), line: { question, targets, tags } };
  }
};
