import type { Passage } from '../state.ts';
import { createAttempts, type Query, type Retriever, wordsAlone } from './retriever.ts';

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const damping = 60;

/** Fuses ranked lists: each item gets the sum of 1 / (60 + its rank, from 1) over the lists that contain it. */
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

/** Joins two ranked lists. Returns each passage once, with its new score, in any order. */
export type JoinLists = (sure: readonly Passage[], unsure: readonly Passage[]) => readonly Passage[];

export const byPlaces: JoinLists = (...lists) =>
  [...reciprocalRanks(lists, ({ id }) => id).values()].map(({ item, score }) => ({ ...item, score }));

/** Creates a join by scores: the weighted sum of a passage's scores, each divided by the best score of its list. */
export function byScores(sureWeight: number, unsureWeight: number): JoinLists {
  return (sure, unsure) => {
    const found = new Map<string, Passage>();
    const add = (list: readonly Passage[], weight: number) => {
      for (const passage of list) {
        const score = (weight * passage.score) / list[0]!.score + (found.get(passage.id)?.score ?? 0);
        found.set(passage.id, { ...passage, score });
      }
    };
    add(sure, sureWeight);
    add(unsure, unsureWeight);
    return [...found.values()];
  };
}

/** Orders by score, then by the number in the id: first the text's passages in order, then those of a server. */
const better = (a: Passage, b: Passage): number => b.score - a.score || Number(a.id.slice(1)) - Number(b.id.slice(1));

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

interface FusedParts {
  readonly name: string;
  readonly sure: Retriever;
  /** The retriever that may fail. After a failure, `sure` is used alone. */
  readonly unsure: Retriever;
  /** The consequence that the warning states, such as `passages are found by words alone`. */
  readonly loss: string;
  /** Minimum number of passages requested for each list; 0 for the number that the query asks for. */
  readonly depth: number;
  readonly join: JoinLists;
  readonly nearBest?: number;
  readonly warn: (message: string) => void;
}

/**
 * Creates a retriever that joins the passages of two retrievers. `retrieve` rejects with the errors of `sure`, and with
 * the errors of `unsure` that `createAttempts` throws.
 */
export function createFusedRetriever(parts: FusedParts): Retriever {
  const { name, sure, unsure, loss, depth, join, nearBest, warn } = parts;
  const attempt = createAttempts(loss, warn);
  return {
    name,
    nearBest,
    async retrieve(query, signal, access) {
      const deeper = { ...query, limit: Math.max(depth, query.limit), maxBytes: Number.POSITIVE_INFINITY };
      const wanted = depth > 0 ? deeper : query;
      const [found, more] = await Promise.all([
        sure.retrieve(wanted, signal, access),
        attempt(() => unsure.retrieve(wanted, signal, access), signal),
      ]);
      return take([...join(found, more ?? [])].sort(better), query);
    },
  };
}

const depth = 100;
/** `docs/decisions/0051-fusion.md` compares these weights with others. */
const weights = { words: 0.4, meaning: 0.6 } as const;
const nearBest = 0.7;

interface HybridParts {
  readonly lexical: Retriever;
  /** The retriever that may fail. After a failure, words alone decide. */
  readonly vector: Retriever;
  readonly warn: (message: string) => void;
}

/** Creates a retriever that joins results by words and by meaning. It rejects like a fused retriever. */
export function createHybridRetriever({ lexical, vector, warn }: HybridParts): Retriever {
  const join = byScores(weights.words, weights.meaning);
  const lists = { sure: lexical, unsure: vector };
  const both = createFusedRetriever({ name: 'hybrid', ...lists, loss: wordsAlone, depth, join, nearBest, warn });
  return {
    ...both,
    retrieve: (query, signal, access) => (query.byWords ? lexical : both).retrieve(query, signal, access),
  };
}
