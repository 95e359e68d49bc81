/**
 * Creates providers. Only this file names concrete ones. It loads only the provider that is wanted, so that a server
 * is asked at once; the rest of the run is loaded while it answers.
 */
import { modelsFolder, stateFolder } from '../../config/folders.ts';
import { type Configuration, shippedOrigin } from '../../config/layers.ts';
import type { Provider } from '../../providers/provider.ts';

/**
 * The part of the configuration that chooses a provider. If `model` is the shipped default, a provider takes its own.
 */
export type ProviderSettings = Pick<Configuration, 'settings' | 'origins' | 'untrusted' | 'redactor' | 'cwd' | 'env'>;

/** Creates each provider; its module is loaded on demand. */
export const providers: Readonly<Record<string, (configuration: ProviderSettings) => Promise<Provider>>> = {
  ollama: async ({ settings: { model, ollama }, untrusted, redactor, env }) => {
    const { createOllamaProvider } = await import('../../providers/ollama/provider.ts');
    const { host, keepAlive } = ollama;
    return createOllamaProvider({
      model,
      host,
      keepAlive,
      refuseRemote: untrusted.has('model'),
      redact: redactor.text,
      env,
    });
  },
  'llama-cpp': async ({ settings, origins, untrusted, cwd, env }) => {
    const { createLlamaCppProvider } = await import('../../providers/llama-cpp/provider.ts');
    const model = origins.get('model') === shippedOrigin ? null : settings.model;
    const pulled = modelsFolder(stateFolder(settings, env));
    const refuseModel = untrusted.has('model');
    return createLlamaCppProvider({ ...settings.llamaCpp, model, cwd, modelsFolder: pulled, refuseModel });
  },
  openai: async ({ settings: { provider, model, openai }, origins, untrusted, redactor }) => {
    const { createOpenAiProvider } = await import('../../providers/openai/provider.ts');
    return createOpenAiProvider({
      ...openai,
      // The shipped default is a name of Ollama's.
      model: origins.get('model') === shippedOrigin ? null : model,
      refuseRemote: untrusted.has('model') || (provider === 'openai' && untrusted.has('provider')),
      redact: redactor.text,
    });
  },
  anthropic: async (configuration) => {
    const { chooseAnthropicModel } = await import('../../providers/anthropic/choice.ts');
    const { createAnthropicProvider, loadAnthropicClient } = await import('../../providers/anthropic/provider.ts');
    // Loaded now, so that loading does not count towards the time that the server has to answer.
    await loadAnthropicClient();
    return createAnthropicProvider({
      ...chooseAnthropicModel(configuration),
      baseUrl: configuration.settings.anthropic.baseUrl,
      apiKey: configuration.settings.anthropic.apiKey?.trim() || null,
      redact: configuration.redactor.text,
    });
  },
  extractive: async () => (await import('../../providers/extractive/provider.ts')).createExtractiveProvider(),
};

export const providerNames: readonly string[] = Object.keys(providers);

/** Providers that only check claims. The user names them in `evidence.model`; they never answer. */
const checkers: typeof providers = {
  onnx: async ({ settings: { model, onnx }, origins, cwd }) => {
    const { createOnnxProvider } = await import('../../providers/onnx/provider.ts');
    return createOnnxProvider({ model: origins.get('model') === shippedOrigin ? null : model, cwd, ...onnx });
  },
};

export const checkerNames: readonly string[] = Object.keys(checkers);

/** Returns what creates a provider or checker of that name; undefined where there is none. */
export const makerOf = (name: string) => providers[name] ?? checkers[name];
