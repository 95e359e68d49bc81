import type { ScoredDocument, ServerDocument } from '../servers/server-passages.ts';
import { inverseFrequency } from './bm25.ts';
import { queryWeights, shippedRanking } from './ranking.ts';

const { analyse, k1, b } = shippedRanking;

/** A passage that a server found, with the frequency of each term. */
interface Candidate {
  readonly document: ServerDocument;
  readonly counts: ReadonlyMap<string, number>;
  /** Length in terms. */
  readonly length: number;
}

/** The passages that a server has found for a query so far. */
export interface Candidates {
  /** Adds passages, each once by its id on the server. */
  add(documents: readonly ServerDocument[]): void;
  /** Returns how many of the candidates contain a term. */
  holders(term: string): number;
  /**
   * Ranks candidates by BM25, as chunks are ranked; those without a term of the query are left out.
   * @param known returns how many of all passages contain a term, as far as known.
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
