import type { ContextStore } from '../context/document.ts';
import { createPacer } from '../context/pacer.ts';
import { contentTerms } from '../context/terms.ts';
import type { Passage } from '../state.ts';
import { bestFirst } from './best-first.ts';
import { createPostingsBuilder, type Postings } from './postings.ts';
import type { Query, Retriever } from './retriever.ts';

export const k1 = 1.2;
export const b = 0.75;

/** A match in a document's name counts this part of one in its text. */
const nameWeight = 0.25;

/**
 * Retrieves by the words of the query: BM25 over the chunks (k1 1.2, b 0.75; Robertson and Zaragoza, "The Probabilistic
 * Relevance Framework: BM25 and Beyond", 2009), with a little added to all chunks of a document whose name holds words
 * of the query. Equal scores stand in the order of the text. The index is built in memory at the first query, a slice
 * at a time. A query of stop words alone matches nothing. `retrieve` rejects with the signal's reason and nothing else.
 */
export function createLexicalRetriever(store: ContextStore): Retriever {
  const index = createLazyIndex(store);
  return {
    name: 'lexical',
    retrieve: async (query, signal) => {
      const scorer = await index(signal);
      return take(store, scorer(queryWeights(query.text)), query);
    },
  };
}

/** Scores by chunk, counted from 0; 0 where nothing matches. */
type Scorer = (weights: ReadonlyMap<string, number>) => Float64Array;

/** The index, built on by whoever needs it first: a caller that gives up leaves what it built to the next. */
function createLazyIndex(store: ContextStore): (signal: AbortSignal) => Promise<Scorer> {
  const builder = createPostingsBuilder();
  let built = 0;
  let scorer: Scorer | null = null;
  return async (signal) => {
    const pace = createPacer(25);
    signal.throwIfAborted();
    while (built < store.chunkCount) {
      builder.add(store.text(store.chunk(built++)));
      await pace();
      signal.throwIfAborted();
    }
    scorer ??= createScorer(store, builder.finish());
    return scorer;
  };
}

function createScorer(store: ContextStore, text: Postings): Scorer {
  const addNames = createNameScorer(store);
  const penalties = Float64Array.from(text.lengths, (length) => k1 * (1 - b + (b * length) / text.averageLength));
  return (weights) => {
    const scores = new Float64Array(text.chunkCount);
    for (const [term, weight] of weights) addTerm(scores, text, penalties, term, weight);
    addNames(scores, weights);
    return scores;
  };
}

function addTerm(scores: Float64Array, text: Postings, penalties: Float64Array, term: string, weight: number): void {
  const { chunks, frequencies } = text.lookUp(term);
  const factor = weight * inverseFrequency(chunks.length, text.chunkCount) * (k1 + 1);
  for (let entry = 0; entry < chunks.length; entry++) {
    const chunk = chunks[entry]!;
    const frequency = frequencies[entry]!;
    scores[chunk]! += (factor * frequency) / (frequency + penalties[chunk]!);
  }
}

/** What a term that this many of all chunks hold tells; always above 0. */
export function inverseFrequency(holders: number, all: number): number {
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}

function createNameScorer(store: ContextStore) {
  const names = createPostingsBuilder();
  for (const { name } of store.documents) names.add(name);
  const postings = names.finish();
  const bonuses = new Float64Array(postings.chunkCount);
  return (scores: Float64Array, weights: ReadonlyMap<string, number>) => {
    bonuses.fill(0);
    for (const [term, weight] of weights) addNameTerm(bonuses, postings, term, weight);
    if (!bonuses.some((bonus) => bonus > 0)) return;
    for (let at = 0; at < scores.length; at++) scores[at]! += bonuses[store.chunk(at).document]!;
  };
}

/** A word that stands in every name tells nothing. */
function addNameTerm(bonuses: Float64Array, names: Postings, term: string, weight: number): void {
  const { chunks: documents } = names.lookUp(term);
  if (documents.length === names.chunkCount) return;
  const bonus = nameWeight * weight * inverseFrequency(documents.length, names.chunkCount);
  for (const document of documents) bonuses[document]! += bonus;
}

/** Each term of a query with its weight: a term that stands there twice weighs more than once, and less than double. */
export function queryWeights(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of contentTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].map(([term, count]) => [term, 1 + Math.log(count)]));
}

function take(store: ContextStore, scores: Float64Array, { limit, maxBytes }: Query): Passage[] {
  const passages: Passage[] = [];
  let left = maxBytes;
  const matching = Uint32Array.from(scores.keys()).filter((chunk) => scores[chunk]! > 0);
  const better = (x: number, y: number) => scores[x]! > scores[y]! || (scores[x] === scores[y] && x < y);
  for (const index of bestFirst(matching, better)) {
    if (passages.length >= limit || left <= 0) break;
    const chunk = store.chunk(index);
    const bytes = chunk.endByte - chunk.startByte;
    if (bytes > left) continue;
    passages.push(store.passage(chunk, scores[index]!));
    left -= bytes;
  }
  return passages;
}
