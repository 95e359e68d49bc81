/** Computes vectors with a real model, to compare ways of joining words and meaning. */
import { chooseVectors, type Vectors } from '../../src/assemble/choose-vectors.ts';
import { loadConfiguration } from '../../src/config/layers.ts';
import type { ContextStore } from '../../src/context/document.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import { createVectorRetriever } from '../../src/retrievers/vector/retriever.ts';

/** Computes vectors with the model that the environment names (`RLM_EMBEDDING_PROVIDER` and similar variables). */
export async function vectorsOf(model: string): Promise<Vectors> {
  const settings = new Map<string, unknown>(Object.entries({ 'embedding.model': model, 'retrieval.mode': 'hybrid' }));
  const configuration = loadConfiguration({ settings, env: process.env });
  const { signal } = new AbortController();
  const { create } = await chooseVectors({ configuration, signal }, true);
  return create!({ emit: () => {}, warn: console.warn, timeLeftMs: () => 3_600_000 });
}

/** Creates a retriever by meaning alone. */
export const byMeaning = (store: ContextStore, { ofPassages, ofQueries }: Vectors): Retriever =>
  createVectorRetriever(store, { embed: ofPassages, embedQuery: ofQueries, batch: 64, onProgress: () => {} });
