import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import { isSourceTree } from '../../context/source-tree.ts';
import { weigh } from '../../context/text-size.ts';
import type { Query, Retriever } from '../../retrievers/retriever.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { Budget } from '../door/budget.ts';
import { passageSizeOf } from '../door/window.ts';
import { fitInTurns } from './fit-passages.ts';
import { mostAdded, searchAgain } from './second-search.ts';

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

/** The first query, and the path that it was made for. */
interface FirstSearch {
  readonly query: string;
  readonly path: string;
}

/**
 * Creates the function that adds the passages of a second search, where those of the first lack many words of the
 * question and there is room. It costs no call to a model, and at most two of the run's searches.
 */
export function createFollowUp({ store, local, settings, budget, onSearch }: FollowUpParts) {
  /**
   * A node whose model can request searches itself gets no second search. Nor does a tree of program code: names in it
   * lead to any file.
   */
  const mayFollow = (path: string) =>
    store.chunkCount > 0 &&
    !isSourceTree(store.documents) &&
    !(settings.reasoner.childTools === 'full' && path.includes('.'));

  return async (
    { query, path }: FirstSearch,
    found: readonly Passage[],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> => {
    const room = maxBytes - found.reduce((sum, { text }) => sum + weigh(text), 0);
    if (found.length === 0 || !mayFollow(path) || room < passageSizeOf(settings.context)) return found;
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
