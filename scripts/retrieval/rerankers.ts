/** Rejected choices that were measured. Each reorders the passages of another retriever. */
import { contentTerms } from '../../src/context/words/terms.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import type { Passage } from '../../src/state.ts';

const reordered = 50;

function reranked(inner: Retriever, reorder: (query: string, passages: readonly Passage[]) => Passage[]): Retriever {
  return {
    name: inner.name,
    retrieve: async (query, signal) => {
      const found = await inner.retrieve({ ...query, limit: Math.max(query.limit, reordered) }, signal);
      return [...reorder(query.text, found.slice(0, reordered)), ...found.slice(reordered)].slice(0, query.limit);
    },
  };
}

const bestScore = (passages: readonly Passage[]): number => passages[0]?.score ?? 0;

/**
 * Raises passages that resemble the best three: pseudo-relevance feedback (after RM3: Abdul-Jaleel and others, "UMass
 * at TREC 2004"), as a second search with their text.
 */
export const withFeedback = (inner: Retriever, weight: number): Retriever => ({
  name: inner.name,
  retrieve: async (query, signal) => {
    const all = { ...query, limit: Number.MAX_SAFE_INTEGER };
    const found = await inner.retrieve(all, signal);
    const text = found.slice(0, 3).map((passage) => passage.text);
    const alike = await inner.retrieve({ ...all, text: text.join('\n') }, signal);
    const unit = (weight * bestScore(found)) / Math.max(1, bestScore(alike));
    const likeness = new Map(alike.map(({ id, score }) => [id, score * unit]));
    const rated = found.map((passage) => ({ ...passage, score: passage.score + (likeness.get(passage.id) ?? 0) }));
    return rated.sort((a, b) => b.score - a.score).slice(0, query.limit);
  },
});

/** Raises passages in which adjacent words of the query are adjacent, too. */
export const withProximity = (inner: Retriever): Retriever =>
  reranked(inner, (query, passages) => {
    const asked = contentTerms(query);
    const pairs = new Set(asked.slice(1).map((term, index) => `${asked[index]} ${term}`));
    const unit = (0.2 * bestScore(passages)) / Math.max(1, pairs.size);
    const rated = passages.map((passage) => {
      const terms = contentTerms(passage.text);
      const near = terms.flatMap((term, at) => [1, 2].map((step) => `${term} ${terms[at + step]}`));
      const shared = new Set(near.filter((pair) => pairs.has(pair))).size;
      return { ...passage, score: passage.score + unit * shared };
    });
    return rated.sort((a, b) => b.score - a.score);
  });

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((term) => b.has(term)).length;
  return common / Math.max(1, a.size + b.size - common);
}

/**
 * Lowers passages that resemble a better one: maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998).
 */
export const withDiversity = (inner: Retriever): Retriever =>
  reranked(inner, (_, passages) => {
    const termsOf = new Map(passages.map((passage) => [passage, new Set(contentTerms(passage.text))]));
    const best = bestScore(passages);
    const left = new Map(passages.map((passage) => [passage, 0]));
    const taken: Passage[] = [];
    while (left.size > 0) {
      const value = (passage: Passage) => passage.score / best - 0.5 * left.get(passage)!;
      const next = [...left.keys()].reduce((a, b) => (value(b) > value(a) ? b : a));
      left.delete(next);
      taken.push(next);
      for (const [other, most] of left) {
        left.set(other, Math.max(most, likeness(termsOf.get(next)!, termsOf.get(other)!)));
      }
    }
    return taken;
  });
