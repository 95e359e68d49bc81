import { isSourceTree } from '../context/chunkers/languages.ts';
import type { ContextStore } from '../context/document.ts';
import { contentTerms } from '../context/words/terms.ts';
import type { Passage } from '../state.ts';
import type { Query, Retriever } from './retriever.ts';

/**
 * In a tree of program code, the scores of a file's remaining passages are multiplied by this factor after each taken
 * passage of the file.
 */
const againInFile = 0.5;
/** A passage repeats another if at least this share of all their words is in both (Jaccard). */
const sameWords = 0.9;
const againSaid = 0.5;
/** A passage with fewer different words is never a repeat, because a single word may matter. */
const fewestWords = 12;

/** Number of candidates for each wanted passage, and their minimum number in total. */
const lookedAtEach = 6;
const fewestLookedAt = 40;
/** Maximum length of a list that is reordered. Longer lists are for reading the text, not for a prompt. */
const longestSpread = 100;

function createRepeatTest(): (passage: Passage) => boolean {
  const tested: ReadonlySet<string>[] = [];
  return ({ text }) => {
    const terms = new Set(contentTerms(text));
    const repeats = tested.some((others) => {
      const common = [...terms].filter((term) => others.has(term)).length;
      return terms.size >= fewestWords && common >= sameWords * (terms.size + others.size - common);
    });
    tested.push(terms);
    return repeats;
  };
}

const bestOf = (left: ReadonlyMap<Passage, number>): Passage =>
  [...left].reduce((one, other) => (other[1] > one[1] ? other : one))[0];

/**
 * Takes the best remaining passage in each turn. Lowers the score of a passage that repeats an earlier one. In a tree
 * of code, also lowers the scores of the other passages in the file of a taken passage.
 */
function takeInTurns(found: readonly Passage[], { limit, maxBytes }: Query, inTree: boolean): Passage[] {
  const left = new Map(found.map((passage) => [passage, passage.score]));
  const repeats = createRepeatTest();
  const tested = new Set<Passage>();
  const taken: Passage[] = [];
  let room = maxBytes;
  while (left.size > 0 && taken.length < limit) {
    const passage = bestOf(left);
    const bytes = passage.endByte - passage.startByte;
    if (bytes <= room && !tested.has(passage) && tested.add(passage) && repeats(passage)) {
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

function neverRising(passages: readonly Passage[]): Passage[] {
  let least = Number.POSITIVE_INFINITY;
  return passages.map((passage) => {
    least = Math.min(least, passage.score);
    return passage.score === least ? passage : { ...passage, score: least };
  });
}

/** Creates a retriever that ranks a passage lower if a better passage says the same or is in the same file of code. */
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
