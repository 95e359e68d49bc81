import { contentTerms } from '../../context/words/terms.ts';
import type { Query } from '../../retrievers/retriever.ts';
import type { Passage } from '../../state.ts';

type Find = (query: Query) => Promise<readonly Passage[]>;

/** So many of the best passages of the first search are followed up, each by one search. */
const followed = 2;
/** Passages that a second search adds, in all its searches together. */
export const mostAdded = 4;
/** A best passage that lacks fewer words of the question is held to have the answer. */
const fewestLacking = 2;
const mostNames = 24;

const word = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const name = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu;
const year = /(?<!\d)(?:1\d|20)\d\d(?!\d)/g;

const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([one]) => one)),
];

/** The words of a question that a passage does not have. */
function lackingIn({ text }: Passage, words: readonly string[]): string[] {
  const had = new Set(contentTerms(text));
  return words.filter((one) => contentTerms(one).some((term) => !had.has(term)));
}

/** Names and years of a passage that the question does not have. */
function namedIn({ text }: Passage, asked: ReadonlySet<string>): string[] {
  const isNew = (one: string) => {
    const terms = contentTerms(one);
    return terms.length > 0 && terms.every((term) => !asked.has(term));
  };
  return [...matches(text, name), ...matches(text, year)].filter(isNew).slice(0, mostNames);
}

/**
 * The queries of a second search: for each of the best passages, the question's words that it lacks, twice, and the
 * names and years in it that are new. None where the best passage has nearly all of the question's words.
 * @param found what the first search has found, the best first.
 */
export function followUpQueries(question: string, found: readonly Passage[]): string[] {
  const words = matches(question, word).filter((one) => contentTerms(one).length > 0);
  const lacking = found.slice(0, followed).map((passage) => lackingIn(passage, words));
  if ((lacking[0]?.length ?? 0) < fewestLacking) return [];
  const asked = new Set(contentTerms(question));
  const queries = lacking.map((missing, place) => [...missing, ...missing, ...namedIn(found[place]!, asked)].join(' '));
  return [...new Set(queries)];
}

/**
 * Searches once more for what a first search did not find, in at most two searches. Rejects as `find` does.
 * @param query what was searched for first; its text begins with the question.
 * @param mayAsk asked before each search; no: what was found by then is all.
 * @returns what each search has found beside what is there, the best first. Their scores go on below those of the
 *   first search: the best of each has the lowest of those.
 */
export async function searchAgain(
  find: Find,
  query: Query,
  found: readonly Passage[],
  mayAsk: () => boolean,
): Promise<readonly (readonly Passage[])[]> {
  const focus = query.text.split('\n', 1)[0]!;
  const exclude = new Set([...(query.exclude ?? []), ...found.map(({ id }) => id)]);
  const least = Math.min(...found.map(({ score }) => score));
  const groups: Passage[][] = [];
  for (const text of followUpQueries(focus, found)) {
    if (!mayAsk()) break;
    const more = await find({ ...query, text, focus, limit: mostAdded, exclude, byWords: true });
    groups.push(more.map((passage) => ({ ...passage, score: (least * passage.score) / more[0]!.score })));
  }
  return groups;
}
