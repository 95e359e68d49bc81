/** Chooses the embedder. Only this file names concrete ones; it loads the one that is wanted. */

import { withDeadline } from '../base/abort.ts';
import { modelsFolder, stateFolder } from '../config/folders.ts';
import type { Configuration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';
import type { Embedder, EmbedderInfo } from '../providers/embedder.ts';

/** The part of the configuration that chooses an embedder. */
export type EmbedderSettings = Pick<Configuration, 'settings' | 'untrusted' | 'redactor' | 'cwd' | 'env'>;

/** The error for an untrusted project file that names a model for a server which the user set up and may pay for. */
const unchosen = (model: string, baseUrl: string): RlmError =>
  new RlmError(
    'config-invalid',
    `the project file names the model ${model}, which would have the text sent to ${baseUrl}`,
    {
      hint: 'If you want that, name the model yourself with --embedding-model or RLM_EMBEDDING_MODEL, or trust the project (trustedProjects).',
    },
  );

async function createOpenAi({ settings, untrusted, redactor }: EmbedderSettings, model: string) {
  const { createOpenAiEmbedder } = await import('../providers/openai/embedder.ts');
  const { embedding, openai } = settings;
  const { baseUrl } = embedding;
  const embedder = createOpenAiEmbedder({ baseUrl, model, apiKey: openai.apiKey, redact: redactor.text });
  if (untrusted.has('embedding.model')) throw unchosen(model, embedder.address);
  return embedder;
}

async function createOllama(
  { settings, untrusted, redactor, env }: EmbedderSettings,
  model: string,
): Promise<Embedder> {
  const { createOllamaEmbedder } = await import('../providers/ollama/embedder.ts');
  const refuseRemote = untrusted.has('embedding.model');
  return createOllamaEmbedder({ model, ...settings.ollama, refuseRemote, redact: redactor.text, env });
}

async function createLlamaCpp({ settings, untrusted, cwd, env }: EmbedderSettings, model: string): Promise<Embedder> {
  const { createLlamaCppEmbedder } = await import('../providers/llama-cpp/embedder.ts');
  const pulled = modelsFolder(stateFolder(settings, env));
  const refuseModel = untrusted.has('embedding.model');
  return createLlamaCppEmbedder({ ...settings.llamaCpp, model, cwd, modelsFolder: pulled, refuseModel });
}

const creators = { ollama: createOllama, openai: createOpenAi, 'llama-cpp': createLlamaCpp };

/** Remembers the result of `inspect`. A failure is not remembered. */
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

/**
 * The embedder that the settings name, or null where they name no model.
 * @throws RlmError `config-invalid`.
 */
export async function chooseEmbedder(configuration: EmbedderSettings): Promise<Embedder | null> {
  const { provider, model } = configuration.settings.embedding;
  if (model === null) return null;
  return remembering(await creators[provider](configuration, model));
}

/** Inspects an embedder. Throws as its `inspect` does, and `provider-unreachable` after `ms`. */
export function inspectEmbedder(embedder: Embedder, ms: number, signal: AbortSignal): Promise<EmbedderInfo> {
  const late = () =>
    new RlmError('provider-unreachable', `${embedder.address} did not answer within ${ms / 1000} s`, {
      hint: 'Check that the embedding model is served; rlm doctor shows more.',
    });
  return withDeadline(ms, late, signal, embedder.inspect);
}
