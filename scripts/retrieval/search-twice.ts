/** Combines a search with a second search, as in `src/run/text/find-passages.ts`. */

import type { Query } from '../../src/retrievers/retriever.ts';
import { mostAdded, searchAgain } from '../../src/run/text/find-passages.ts';
import { fitInTurns } from '../../src/run/text/fit-passages.ts';
import type { Passage } from '../../src/state.ts';

/** Returns the passages of the first search, then those that the second search adds. */
export async function searchTwice(
  find: (query: Query) => Promise<readonly Passage[]>,
  query: Query,
): Promise<readonly Passage[]> {
  const found = await find(query);
  const groups = await searchAgain(find, query, found, () => true);
  return [...found, ...fitInTurns(groups, Number.POSITIVE_INFINITY).slice(0, mostAdded)];
}
