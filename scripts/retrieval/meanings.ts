/** Retrievers by meaning, to compare: with the vectors of a model where one is named, else with simulated ones. */
import { chooseVectors, type Vectors } from '../../src/assemble/choose-vectors.ts';
import { loadConfiguration } from '../../src/config/layers.ts';
import { contentTerms } from '../../src/context/words/terms.ts';
import { createHybridRetriever } from '../../src/retrievers/hybrid.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import { termKey } from '../../src/retrievers/lexical/terms/term-key.ts';
import type { Embed } from '../../src/retrievers/retriever.ts';
import { createVectorRetriever } from '../../src/retrievers/vector/retriever.ts';
import type { Variant } from './variants.ts';

const dimensions = 512;

/** Words scattered over dimensions: what is measured with it is the path to a model and back, and no meaning. */
const simulated: Embed = async (texts) =>
  texts.map((text) => {
    const vector = new Float32Array(dimensions);
    for (const term of contentTerms(text)) {
      const [high, low] = termKey(term);
      vector[high % dimensions]! += low % 2 === 0 ? 1 : -1;
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  });

async function vectorsOf(model: string | null): Promise<Vectors> {
  if (model === null) return { ofPassages: simulated, ofQueries: simulated };
  const settings = new Map<string, unknown>(Object.entries({ 'embedding.model': model, 'retrieval.mode': 'hybrid' }));
  const configuration = loadConfiguration({ settings, env: process.env });
  const { create } = await chooseVectors(
    { configuration, env: process.env, signal: new AbortController().signal },
    true,
  );
  return create!({ emit: () => {}, warn: console.warn, timeLeftMs: () => 3_600_000 });
}

/** By words, by meaning and by both. */
export async function byMeaning(model: string | null): Promise<Variant[]> {
  const { ofPassages, ofQueries } = await vectorsOf(model);
  const vector: Variant['create'] = (store) =>
    createVectorRetriever(store, { embed: ofPassages, embedQuery: ofQueries, batch: 64, onProgress: () => {} });
  const what = model ?? 'simulated vectors, no model';
  return [
    { label: 'by words', create: (store) => createLexicalRetriever(store) },
    { label: `by meaning (${what})`, create: vector },
    {
      label: 'hybrid',
      create: (store) =>
        createHybridRetriever({ lexical: createLexicalRetriever(store), vector: vector(store), warn: console.warn }),
    },
  ];
}
