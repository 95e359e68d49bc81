/**
 * Makes lines of users, each a question of some kind, which has to be understood before it can be counted (after
 * OOLONG).
 */
import type { Random } from './random.ts';

/** Kinds of questions by TREC (Li & Roth 2002), with a word for each. */
export const labels = ['number', 'entity', 'location', 'description', 'abbreviation', 'person'] as const;

export type Label = (typeof labels)[number];

const things = ['bridges', 'rivers', 'islands', 'towers', 'stations', 'lakes', 'museums', 'harbours'];
const places = ['Norway', 'Peru', 'Kenya', 'Japan', 'Canada', 'Portugal', 'Chile', 'Finland', 'Ghana', 'Nepal'];
const trades = ['novel', 'opera', 'atlas', 'film', 'hymn', 'dictionary', 'ballet', 'symphony'];
const acts = ['rust', 'tides', 'echoes', 'yeast', 'frost', 'gravity', 'tariffs', 'fog'];
const shorts = ['NATO', 'LASER', 'RADAR', 'GDP', 'DNA', 'CPU', 'ISBN', 'UNICEF'];
const kinds = ['animal', 'colour', 'fruit', 'metal', 'instrument', 'language', 'sport', 'bird'];

const forms: Readonly<Record<Label, readonly ((random: Random) => string)[]>> = {
  number: [
    (random) => `How many ${random.pick(things)} are there in ${random.pick(places)}?`,
    (random) => `In what year was the first ${random.pick(trades)} of ${random.pick(places)} finished?`,
  ],
  entity: [
    (random) => `What ${random.pick(kinds)} is the emblem of ${random.pick(places)}?`,
    (random) => `Which ${random.pick(kinds)} is named most often in the ${random.pick(trades)}?`,
  ],
  location: [
    (random) => `Where in ${random.pick(places)} are the oldest ${random.pick(things)}?`,
    (random) => `What city of ${random.pick(places)} has the most ${random.pick(things)}?`,
  ],
  description: [
    (random) => `Why do ${random.pick(acts)} matter to the ${random.pick(things)} of ${random.pick(places)}?`,
    (random) => `What is the meaning of ${random.pick(acts)} in a ${random.pick(trades)}?`,
  ],
  abbreviation: [
    (random) => `What does ${random.pick(shorts)} stand for in ${random.pick(places)}?`,
    (random) => `What is the full form of ${random.pick(shorts)}?`,
  ],
  person: [
    (random) => `Who wrote the first ${random.pick(trades)} of ${random.pick(places)}?`,
    (random) => `Who built the ${random.pick(things)} of ${random.pick(places)}?`,
  ],
};

/** One line with its properties. */
export interface LabelledLine {
  readonly user: number;
  /** From 1 to 12. */
  readonly month: number;
  readonly label: Label;
  readonly text: string;
}

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Returns labels with unequal weights, so that their frequencies differ. */
function weighted(random: Random): readonly Label[] {
  const [first, second, ...rest] = random.shuffle(labels);
  return [first!, first!, first!, second!, second!, ...rest];
}

/** Creates users; a fifth of them writes four fifths of the lines. */
function createUsers(random: Random, count: number): () => number {
  const ids = new Set<number>();
  while (ids.size < count) ids.add(10_000 + random.below(90_000));
  const all = [...ids];
  const busy = all.slice(0, Math.max(1, Math.round(count / 5)));
  const others = all.slice(busy.length);
  return () => random.pick(random.below(5) < 4 || others.length === 0 ? busy : others);
}

/** Creates the generator of lines. */
export function createLines(random: Random, users: number): () => LabelledLine {
  const mix = weighted(random);
  const userOf = createUsers(random, users);
  return () => {
    const [user, month, label] = [userOf(), 1 + random.below(12), random.pick(mix)];
    const date = `${months[month - 1]} ${String(1 + random.below(28)).padStart(2, '0')}, 2022`;
    const text = `Date: ${date} || User: ${user} || Instance: ${random.pick(forms[label])(random)}`;
    return { user, month, label, text };
  };
}

/** Counts how often each label occurs, in the order of `labels`. */
export function countLabels(lines: readonly LabelledLine[]): ReadonlyMap<Label, number> {
  return new Map(labels.map((label) => [label, lines.filter((line) => line.label === label).length]));
}

/** The explanation of the labels in a question. */
export const aboutLabels =
  'Each line of the text holds a question (Instance) of exactly one kind by the answer that it asks for: number (a count or a year), entity (a thing, an animal, a colour, a language), location (a place), description (a reason or a meaning), abbreviation (what letters stand for), or person.';
