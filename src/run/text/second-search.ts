import type { Settings } from '../../config/settings.ts';
import { isSourceTree } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { weigh } from '../../context/text-size.ts';
import { contentTerms } from '../../context/words/terms.ts';
import type { Query, Retriever } from '../../retrievers/retriever.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { Budget } from '../door/budget.ts';
import { passageSizeOf } from '../door/window.ts';
import { fitInTurns } from './fit-passages.ts';

/** Number of best passages of the first search that are followed up, each by one search. */
const followed = 2;
/** Passages that a second search adds at most, over all its queries. */
export const mostAdded = 4;
/** A best passage that lacks fewer words of the question is assumed to hold the answer. */
const fewestLacking = 2;
const mostNames = 24;

const word = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const name = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu;
const year = /(?<!\d)(?:1\d|20)\d\d(?!\d)/g;

const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([one]) => one)),
];

function lackingIn({ text }: Passage, words: readonly string[]): string[] {
  const had = new Set(contentTerms(text));
  return words.filter((one) => contentTerms(one).some((term) => !had.has(term)));
}

/** Returns names and years of a passage that the question lacks. */
function namedIn({ text }: Passage, asked: ReadonlySet<string>): string[] {
  const isNew = (one: string) => {
    const terms = contentTerms(one);
    return terms.length > 0 && terms.every((term) => !asked.has(term));
  };
  return [...matches(text, name), ...matches(text, year)].filter(isNew).slice(0, mostNames);
}

/**
 * Returns the queries of a second search. For each of the best passages: the question's words that it lacks, twice,
 * and its names and years that the question lacks. Empty where the best passage has nearly all of the question's
 * words.
 * @param found passages of the first search, the best first.
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
 * Searches again for what a first search did not find, with at most two queries. Rejects as `find` does.
 * @param query the first query; its text begins with the question.
 * @param mayAsk called before each query; false ends the search with what was found so far.
 * @returns for each query the passages that it adds, the best first. Their scores continue below those of the first
 *   search: the best of each query gets the lowest score of the first search.
 */
export async function searchAgain(
  find: (query: Query) => Promise<readonly Passage[]>,
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

/** What `createFollowUp` needs. */
export interface FollowUpParts {
  readonly store: ContextStore;
  /** Searches the store alone: a search server is asked once for a question. */
  readonly local: Retriever;
  readonly settings: Settings;
  readonly budget: Budget;
  /** Called with each search that was made besides the first. */
  onSearch(path: string, search: FurtherSearch): void;
}

/** Creates the function that adds the passages of a second search, which costs no call and at most two searches. */
export function createFollowUp({ store, local, settings, budget, onSearch }: FollowUpParts) {
  // Names in a tree of program code lead to any file.
  const mayFollow = () => store.chunkCount > 0 && !isSourceTree(store.documents);

  return async (
    { query, path }: { readonly query: string; readonly path: string },
    found: readonly Passage[],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> => {
    const room = maxBytes - found.reduce((sum, { text }) => sum + weigh(text), 0);
    if (found.length === 0 || !mayFollow() || room < passageSizeOf(settings.context)) return found;
    const find = async (wanted: Query) => {
      budget.takeFetch();
      const more = await local.retrieve(wanted, signal);
      onSearch(path, { query: wanted.text, found: more.map(({ id }) => id) });
      return more;
    };
    const first = { text: query, limit: found.length, maxBytes: room };
    const groups = await searchAgain(find, first, found, () => budget.fetchesLeft() > 0);
    return [...found, ...fitInTurns(groups, room).slice(0, mostAdded)];
  };
}
