import { beginning } from '../../base/text.ts';
import { textSource } from '../../context/computed-passage.ts';
import { passageHash, passageIdOf } from '../../context/passage-id.ts';
import type { Passage } from '../../state.ts';
import { inverseFrequency, queryWeights, shippedRanking } from '../lexical/ranking.ts';
import type { Query, Retriever } from '../retriever.ts';
import type { Meaning } from '../vector/retriever.ts';
import type { SearchAddress } from './search-address.ts';
import type { SearchClient, SearchTarget } from './search-client.ts';

export interface ServerParts {
  readonly address: SearchAddress;
  readonly target: SearchTarget;
  readonly client: SearchClient;
}

export interface OpenedServer {
  readonly passages: number;
  readonly takesVectors: boolean;
  /** Creates a retriever. If `meaning` is null, the server is searched by words alone. */
  createRetriever(meaning: Meaning | null): Retriever;
}

/** A passage of a server. Its text is untrusted. */
export interface ServerDocument {
  readonly id: string;
  readonly text: string;
  /** Null if unknown; the id then serves as the source. */
  readonly source: string | null;
  /** From 1; null if unknown. */
  readonly startLine: number | null;
  readonly endLine: number | null;
}

export interface ScoredDocument {
  readonly document: ServerDocument;
  /** Above 0. */
  readonly score: number;
}

const longestSource = 500;

/** Returns the value if it is a line number from 1; else null. */
export const toLine = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 ? value : null;

/** Returns the value if it is text; else null. */
export const toSource = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const lineCount = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function toPassage({ document, score }: ScoredDocument): Passage {
  const text = document.text.toWellFormed();
  const source = textSource(beginning((document.source ?? document.id).toWellFormed(), longestSource));
  const startLine = document.startLine ?? 1;
  const lastLine = startLine + lineCount(text) - 1;
  const endLine = document.startLine === null ? lastLine : Math.max(startLine, document.endLine ?? lastLine);
  const hash = passageHash(text);
  const place = { source, startLine, endLine, startByte: 0, endByte: Buffer.byteLength(text) };
  return { id: passageIdOf(source, startLine, text), ...place, text, score, hash };
}

const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders by score, then by place, so that the order of arrival does not matter for equal scores. */
const better = (a: Passage, b: Passage): number =>
  b.score - a.score || compareStrings(a.source, b.source) || a.startLine - b.startLine || compareStrings(a.id, b.id);

/** Returns the number of passages to request. Some of them may be too large or excluded. */
export const wantedFor = ({ limit, exclude }: Query): number => limit * 2 + (exclude?.size ?? 0);

/** Returns the best passages of a server. Warns about passages of more than `maxBytes`. */
export function takePassages(
  found: readonly ScoredDocument[],
  { limit, maxBytes, exclude }: Query,
  warn: (message: string) => void,
): Passage[] {
  const taken = new Map<string, Passage>();
  let left = maxBytes;
  let tooLarge = 0;
  for (const passage of found.map(toPassage).sort(better)) {
    if (taken.size >= limit) break;
    if (exclude?.has(passage.id)) continue;
    if (passage.endByte > maxBytes) tooLarge += 1;
    if (passage.endByte > left || passage.endByte === 0 || taken.has(passage.id)) continue;
    taken.set(passage.id, passage);
    left -= passage.endByte;
  }
  if (tooLarge > 0 && maxBytes > 0) {
    warn(`${tooLarge} of the passages that the search server found do not fit a prompt and were left out`);
  }
  return [...taken.values()];
}

const { analyse, k1, b } = shippedRanking;

interface Candidate {
  readonly document: ServerDocument;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function countTerms(document: ServerDocument): Candidate {
  const counts = new Map<string, number>();
  const all = analyse(document.text);
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { document, counts, length: all.length };
}

/** Collects the passages that a server has found for a query so far. */
export function createCandidates() {
  const byId = new Map<string, Candidate>();
  const holders = (term: string) => [...byId.values()].filter(({ counts }) => counts.has(term)).length;
  return {
    holders,
    add: (documents: readonly ServerDocument[]) => {
      for (const document of documents) if (!byId.has(document.id)) byId.set(document.id, countTerms(document));
    },
    /** Scores the candidates by BM25. `known` returns how many of all passages contain a term. */
    rank: (query: string, known: (term: string) => number, passages: number): ScoredDocument[] => {
      const candidates = [...byId.values()];
      const all = Math.max(passages, candidates.length);
      const averageLength = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length);
      const weights = [...queryWeights({ text: query }, shippedRanking)].map(
        ([term, weight]) => [term, weight * inverseFrequency(Math.min(all, known(term)), all) * (k1 + 1)] as const,
      );
      const scoreOf = ({ counts, length }: Candidate) => {
        const penalty = k1 * (1 - b + (b * length) / averageLength);
        return weights.reduce((sum, [term, factor]) => {
          const count = counts.get(term) ?? 0;
          return sum + (factor * count) / (count + penalty);
        }, 0);
      };
      return candidates
        .map((candidate) => ({ document: candidate.document, score: scoreOf(candidate) }))
        .filter(({ score }) => score > 0);
    },
  };
}
