import { isCodeName } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { type AddScores, inverseFrequency } from './bm25.ts';
import { createIndexBuilder, createPostings, type Postings } from './postings.ts';
import type { Ranking } from './ranking.ts';

/**
 * Creates the function that raises the scores of all chunks of a document whose name has words of the query, unless
 * the name already counts as their text.
 */
export function createNameScores(store: ContextStore, ranking: Ranking): AddScores {
  const names = createIndexBuilder(ranking);
  for (const { name } of store.documents) {
    if (!(ranking.countsSurroundings && isCodeName(name))) names.count(Buffer.from(name));
    names.endChunk();
  }
  const postings = createPostings(names.finish());
  const bonuses = new Float64Array(postings.chunkCount);
  return (scores, weights) => {
    bonuses.fill(0);
    for (const [term, weight] of weights) addTerm(bonuses, postings, term, weight * ranking.nameWeight);
    if (!bonuses.some((bonus) => bonus > 0)) return;
    for (let at = 0; at < scores.length; at++) scores[at]! += bonuses[store.chunk(at).document]!;
  };
}

/** Adds the bonus of a term; one in every name is ignored. */
function addTerm(bonuses: Float64Array, names: Postings, term: string, weight: number): void {
  const { chunks: documents } = names.lookUp(term);
  if (documents.length === names.chunkCount) return;
  const bonus = weight * inverseFrequency(documents.length, names.chunkCount);
  for (const document of documents) bonuses[document]! += bonus;
}
