import type { ScoredDocument, ServerDocument } from '../servers/server-passages.ts';
import { inverseFrequency } from './bm25.ts';
import { queryWeights, shippedRanking } from './ranking.ts';

const { analyse, k1, b } = shippedRanking;

/** A passage that a server found, with how often it holds each term. */
interface Candidate {
  readonly document: ServerDocument;
  readonly counts: ReadonlyMap<string, number>;
  /** In terms. */
  readonly length: number;
}

/** What a server has found for a query so far. */
export interface Candidates {
  /** Each passage once, by its id on the server. */
  add(documents: readonly ServerDocument[]): void;
  /** How many of the candidates hold a term. */
  holders(term: string): number;
  /**
   * BM25, as over chunks here; those that hold no term of the query are left out.
   * @param known how many of all passages hold a term, as far as it is known.
   */
  rank(query: string, known: (term: string) => number, passages: number): ScoredDocument[];
}

function countTerms(document: ServerDocument): Candidate {
  const counts = new Map<string, number>();
  const all = analyse(document.text);
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { document, counts, length: all.length };
}

export function createCandidates(): Candidates {
  const byId = new Map<string, Candidate>();
  const holders = (term: string) => [...byId.values()].filter(({ counts }) => counts.has(term)).length;
  return {
    holders,
    add: (documents) => {
      for (const document of documents) if (!byId.has(document.id)) byId.set(document.id, countTerms(document));
    },
    rank: (query, known, passages) => {
      const candidates = [...byId.values()];
      const all = Math.max(passages, candidates.length);
      const averageLength = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length);
      const weights = [...queryWeights({ text: query }, shippedRanking)].map(
        ([term, weight]) => [term, weight * inverseFrequency(Math.min(all, known(term)), all) * (k1 + 1)] as const,
      );
      const scoreOf = ({ counts, length }: Candidate) => {
        const penalty = k1 * (1 - b + (b * length) / averageLength);
        const parts = weights.map(([term, factor]) => {
          const count = counts.get(term) ?? 0;
          return (factor * count) / (count + penalty);
        });
        return parts.reduce((sum, part) => sum + part, 0);
      };
      return candidates
        .map((candidate) => ({ document: candidate.document, score: scoreOf(candidate) }))
        .filter(({ score }) => score > 0);
    },
  };
}
