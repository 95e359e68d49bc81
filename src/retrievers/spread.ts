import type { ContextStore } from '../context/document.ts';
import { isSourceTree } from '../context/source-tree.ts';
import { contentTerms } from '../context/words/terms.ts';
import type { Passage } from '../state.ts';
import type { Query, Retriever } from './retriever.ts';

/** In a tree of code, a file's second passage counts this part of its score, its third this part of that, and so on. */
const againInFile = 0.5;
/**
 * Two passages that share this part of their words (Jaccard) say the same; the second counts this part of its score.
 */
const sameWords = 0.9;
const againSaid = 0.5;
/** In a shorter passage, one other word may be all that counts. In different words. */
const fewestWords = 12;

/** So many passages are looked at for each one that is wanted, and no fewer than that. */
const lookedAtEach = 6;
const fewestLookedAt = 40;
/** Longer lists are for reading the text, not for a prompt: they stay in their order. */
const longestSpread = 100;

/** Remembers what was said, and tells whether a passage says no more. */
function createSaid(): (passage: Passage) => boolean {
  const said: ReadonlySet<string>[] = [];
  return ({ text }) => {
    const terms = new Set(contentTerms(text));
    const repeats = said.some((others) => {
      const common = [...terms].filter((term) => others.has(term)).length;
      return terms.size >= fewestWords && common >= sameWords * (terms.size + others.size - common);
    });
    said.push(terms);
    return repeats;
  };
}

const bestOf = (left: ReadonlyMap<Passage, number>): Passage =>
  [...left].reduce((one, other) => (other[1] > one[1] ? other : one))[0];

/** Takes the best passage again and again; each makes those that are like it count less. */
function takeInTurns(found: readonly Passage[], { limit, maxBytes }: Query, inTree: boolean): Passage[] {
  const left = new Map(found.map((passage) => [passage, passage.score]));
  const repeats = createSaid();
  const read = new Set<Passage>();
  const taken: Passage[] = [];
  let room = maxBytes;
  while (left.size > 0 && taken.length < limit) {
    const passage = bestOf(left);
    const bytes = passage.endByte - passage.startByte;
    if (bytes <= room && !read.has(passage) && read.add(passage) && repeats(passage)) {
      left.set(passage, left.get(passage)! * againSaid);
      continue;
    }
    left.delete(passage);
    if (bytes > room) continue;
    room -= bytes;
    taken.push(passage);
    if (!inTree) continue;
    for (const [other, value] of left) if (other.source === passage.source) left.set(other, value * againInFile);
  }
  return taken;
}

/** Scores stay what they are, but for those that would rise. */
function neverRising(passages: readonly Passage[]): Passage[] {
  let least = Number.POSITIVE_INFINITY;
  return passages.map((passage) => {
    least = Math.min(least, passage.score);
    return passage.score === least ? passage : { ...passage, score: least };
  });
}

/**
 * Retrieves as another retriever does over a store, but what says the same as a better passage comes later, and in a
 * tree of program code what stands in a file that has better passages. `retrieve` rejects as the other does.
 */
export function createSpreadRetriever(store: ContextStore, inner: Retriever): Retriever {
  return {
    name: inner.name,
    nearBest: inner.nearBest,
    async retrieve(query, signal, access) {
      if (query.limit > longestSpread || query.limit < 1) return inner.retrieve(query, signal, access);
      const limit = Math.max(fewestLookedAt, lookedAtEach * query.limit);
      const found = await inner.retrieve({ ...query, limit, maxBytes: Number.MAX_SAFE_INTEGER }, signal, access);
      return neverRising(takeInTurns(found, query, isSourceTree(store.documents)));
    },
  };
}
