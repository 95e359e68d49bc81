import type { Passage } from '../state.ts';
import type { Query, Retriever } from './retriever.ts';

/** How little the first ranks weigh more than later ones (Cormack, Clarke and Büttcher, SIGIR 2009). */
const damping = 60;

/** Items of several ranked lists by their keys, each with the sum of 1 / (60 + its rank) over the lists that hold it. */
export function reciprocalRanks<T>(
  lists: readonly (readonly T[])[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, { readonly item: T; readonly score: number }> {
  const found = new Map<string, { readonly item: T; readonly score: number }>();
  for (const list of lists) {
    for (const [index, item] of list.entries()) {
      const key = keyOf(item);
      const before = found.get(key);
      const score = (before?.score ?? 0) + 1 / (damping + index + 1);
      found.set(key, { item: before?.item ?? item, score });
    }
  }
  return found;
}

/** The best first; equal ones stand as the lists had them, the first list's before the second's. */
function take(passages: readonly Passage[], { limit, maxBytes }: Query): Passage[] {
  const taken: Passage[] = [];
  let left = maxBytes;
  for (const passage of passages) {
    const bytes = passage.endByte - passage.startByte;
    if (taken.length >= limit || bytes > left) continue;
    taken.push(passage);
    left -= bytes;
  }
  return taken;
}

/** Asks several retrievers at once and merges what they find by reciprocal rank. Fails when one of them does. */
export function createFusedRetriever(retrievers: readonly Retriever[]): Retriever {
  return {
    name: retrievers.map(({ name }) => name).join('+'),
    retrieve: async (query, signal, access) => {
      const lists = await Promise.all(retrievers.map((retriever) => retriever.retrieve(query, signal, access)));
      const ranked = [...reciprocalRanks(lists, ({ id }) => id).values()]
        .map(({ item, score }) => ({ ...item, score }))
        .sort((a, b) => b.score - a.score);
      return take(ranked, query);
    },
  };
}
