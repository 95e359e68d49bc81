import { withDeadline } from '../base/abort.ts';
import { cacheFolder, modelsFolder, stateFolder } from '../config/folders.ts';
import type { Settings } from '../config/settings.ts';
import { lateError, RlmError } from '../errors.ts';
import type { Embedder, EmbedderInfo } from '../providers/embedder.ts';
import { type Embed, tellLoss, wordsAlone } from '../retrievers/retriever.ts';
import type { RetrieverTools } from '../run/start.ts';
import { isPassedOver } from './models/choose-provider.ts';
import type { ProviderSettings } from './models/providers.ts';

/** Returns the error for a model that an untrusted project names. The model would get the text and may cost money. */
const unchosen = (model: string, baseUrl: string): RlmError =>
  new RlmError('config-invalid', `the project file names the model ${model}, so the text would be sent to ${baseUrl}`, {
    hint: 'If you want that, name the model yourself with --embedding-model or RLM_EMBEDDING_MODEL, or trust the project (trustedProjects).',
  });

type CreateEmbedder = (configuration: ProviderSettings, model: string) => Promise<Embedder>;

const creators: Readonly<Record<Settings['embedding']['provider'], CreateEmbedder>> = {
  async ollama({ settings, untrusted, redactor, env }, model) {
    const { createOllamaEmbedder } = await import('../providers/ollama/embedder.ts');
    const refuseRemote = untrusted.has('embedding.model');
    return createOllamaEmbedder({ model, ...settings.ollama, refuseRemote, redact: redactor.text, env });
  },
  async openai({ settings, untrusted, redactor }, model) {
    const { createOpenAiEmbedder } = await import('../providers/openai/embedder.ts');
    const { baseUrl } = settings.embedding;
    const embedder = createOpenAiEmbedder({ baseUrl, model, apiKey: settings.openai.apiKey, redact: redactor.text });
    if (untrusted.has('embedding.model')) throw unchosen(model, embedder.address);
    return embedder;
  },
  async 'llama-cpp'({ settings, untrusted, cwd, env }, model) {
    const { createLlamaCppEmbedder } = await import('../providers/llama-cpp/embedder.ts');
    const pulled = modelsFolder(stateFolder(settings, env));
    const refuseModel = untrusted.has('embedding.model');
    return createLlamaCppEmbedder({ ...settings.llamaCpp, model, cwd, modelsFolder: pulled, refuseModel });
  },
};

/** Remembers the result of `inspect`, but not a failure. */
function remembering(embedder: Embedder): Embedder {
  let info: EmbedderInfo | null = null;
  return {
    ...embedder,
    async inspect(signal) {
      info ??= await embedder.inspect(signal);
      return info;
    },
  };
}

/** Creates the embedder that the settings name; null when they name no model. Throws `config-invalid`. */
export async function chooseEmbedder(configuration: ProviderSettings): Promise<Embedder | null> {
  const { provider, model } = configuration.settings.embedding;
  if (model === null) return null;
  return remembering(await creators[provider](configuration, model));
}

/** Inspects an embedder. Throws the errors of its `inspect`, and `provider-unreachable` after `ms`. */
export function inspectEmbedder(embedder: Embedder, ms: number, signal: AbortSignal): Promise<EmbedderInfo> {
  const check = 'Check that the embedding model is served; rlm doctor shows more.';
  const late = () => lateError(embedder.address, ms, check);
  return withDeadline(ms, late, signal, embedder.inspect);
}

export interface Vectors {
  readonly ofPassages: Embed;
  readonly ofQueries: Embed;
}

export interface VectorsChoice {
  readonly configuration: ProviderSettings;
  readonly signal: AbortSignal;
}

const probeMs = 2_000;

async function loadVectors({ configuration: { settings, env } }: VectorsChoice, embedder: Embedder) {
  const [{ createEmbed }, { createVectorCache, modelFolder }] = await Promise.all([
    import('../run/text/embed.ts'),
    import('../cache/vector-cache.ts'),
  ]);
  const { queryPrefix, passagePrefix, maxCacheBytes } = settings.embedding;
  const folder = cacheFolder(settings, env);
  const timeout = settings.budget.callTimeout;
  return ({ emit, warn, timeLeftMs }: RetrieverTools): Vectors => {
    const openArchive = ({ digest }: EmbedderInfo) =>
      maxCacheBytes === 0 ? null : createVectorCache(folder, modelFolder(embedder, digest), maxCacheBytes, warn);
    const embed = createEmbed({ embedder, openArchive, timeout, timeLeftMs, emit });
    const withPrefix = (prefix: string, texts: readonly string[]) => texts.map((text) => prefix + text);
    return {
      ofPassages: (texts, signal) => embed(withPrefix(passagePrefix, texts), signal),
      ofQueries: (texts, signal) => embed(withPrefix(queryPrefix, texts), signal),
    };
  };
}

/** Whether the settings request vectors. */
export const wantsVectors = ({ retrieval: { mode }, embedding }: Settings): boolean =>
  mode !== 'lexical' && !(mode === 'auto' && embedding.model === null);

/**
 * Chooses the vectors that the settings request. If the model is unavailable in mode `auto`, warns and uses no vectors.
 * @param looks whether to inspect the model now instead of at its first use.
 * @returns `create`, which is null if only words are used; `warnings`; and `close`, which ends the use of the model.
 * @throws RlmError `config-invalid`; the embedder's errors, except for an unavailable model in mode `auto`; the
 *   signal's reason.
 */
export async function chooseVectors(choice: VectorsChoice, looks: boolean) {
  const { configuration, signal } = choice;
  const { retrieval, budget } = configuration.settings;
  if (!wantsVectors(configuration.settings)) return { create: null, warnings: [], close: () => {} };
  const embedder = await chooseEmbedder(configuration);
  if (embedder === null)
    throw new RlmError('config-invalid', `retrieval.mode is ${retrieval.mode}, but no embedding model is set`, {
      hint: 'ollama pull nomic-embed-text, and then: --embedding-model nomic-embed-text (setting embedding.model)',
    });
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
