/** Chooses whether passages are found by vectors, and how vectors are made. The code is loaded on demand. */

import { cacheFolder } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import type { Embedder, EmbedderInfo } from '../providers/embedder.ts';
import { type Embed, tellLoss, wordsAlone } from '../retrievers/retriever.ts';
import type { RetrieverTools } from '../run/start.ts';
import { chooseEmbedder, type EmbedderSettings, inspectEmbedder } from './choose-embedder.ts';
import { isPassedOver } from './models/choose-provider.ts';

/** Functions that turn passages and queries into vectors. */
export interface Vectors {
  readonly ofPassages: Embed;
  readonly ofQueries: Embed;
}

export interface ChosenVectors {
  /** Null: passages are found by words. */
  readonly create: ((tools: RetrieverTools) => Vectors) | null;
  readonly warnings: readonly string[];
  /** Frees the embedder. Call it when the run ends. */
  close(): void;
}

export interface VectorsChoice {
  readonly configuration: EmbedderSettings;
  readonly signal: AbortSignal;
}

/** How long `auto` waits for the embedding model to answer, in ms. */
const probeMs = 2_000;

const exampleModel = 'nomic-embed-text';

function missingModel(mode: string): RlmError {
  return new RlmError('config-invalid', `retrieval.mode is ${mode}, but no embedding model is set`, {
    hint: `ollama pull ${exampleModel}, and then: --embedding-model ${exampleModel} (setting embedding.model)`,
  });
}

async function loadVectors(
  { configuration: { settings, env } }: VectorsChoice,
  embedder: Embedder,
): Promise<(tools: RetrieverTools) => Vectors> {
  const [{ createEmbed }, { createVectorCache, modelFolder }] = await Promise.all([
    import('../run/text/embed.ts'),
    import('../cache/vector-cache.ts'),
  ]);
  const { queryPrefix, passagePrefix, maxCacheBytes } = settings.embedding;
  const folder = cacheFolder(settings, env);
  const timeout = settings.budget.callTimeout;
  return ({ emit, warn, timeLeftMs }) => {
    const openArchive = ({ digest }: EmbedderInfo) =>
      maxCacheBytes === 0 ? null : createVectorCache(folder, modelFolder(embedder, digest), maxCacheBytes, warn);
    const embed = createEmbed({ embedder, openArchive, timeout, timeLeftMs, emit });
    const prefixed =
      (prefix: string): Embed =>
      (texts, signal) =>
        embed(
          texts.map((text) => prefix + text),
          signal,
        );
    return { ofPassages: prefixed(passagePrefix), ofQueries: prefixed(queryPrefix) };
  };
}

/** Whether the settings ask for vectors, also as `auto` with an embedding model. */
export const wantsVectors = ({ retrieval: { mode }, embedding }: Settings): boolean =>
  mode !== 'lexical' && !(mode === 'auto' && embedding.model === null);

/**
 * Chooses the vectors that the settings ask for: none, with a warning, where `auto` finds no embedding model.
 * @param looks whether the model is inspected now rather than at its first use.
 * @throws RlmError `config-invalid`; the embedder's error where vectors are asked for; the signal's reason.
 */
export async function chooseVectors(choice: VectorsChoice, looks: boolean): Promise<ChosenVectors> {
  const { configuration, signal } = choice;
  const { retrieval, budget } = configuration.settings;
  if (!wantsVectors(configuration.settings)) return { create: null, warnings: [], close: () => {} };
  const embedder = await chooseEmbedder(configuration);
  if (embedder === null) throw missingModel(retrieval.mode);
  const isAuto = retrieval.mode === 'auto';
  try {
    const ms = isAuto ? probeMs : budget.callTimeout * 1000;
    const warnings = looks ? (await inspectEmbedder(embedder, ms, signal)).notices : [];
    return { create: await loadVectors(choice, embedder), warnings, close: () => void embedder.close?.() };
  } catch (error) {
    signal.throwIfAborted();
    if (!isAuto || !(error instanceof RlmError) || !isPassedOver(error)) throw error;
    return { create: null, warnings: [tellLoss(wordsAlone, error)], close: () => {} };
  }
}
