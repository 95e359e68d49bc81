/**
 * How each provider is made. Only this file names concrete ones. It loads nothing but the provider that is looked at,
 * so that a server is asked at once; what else a run needs is loaded while it answers.
 */
import { modelsFolder, stateFolder } from '../../config/folders.ts';
import { type Configuration, shippedOrigin } from '../../config/layers.ts';
import type { Provider } from '../../providers/provider.ts';

/** What a provider is chosen by. Where the origin of `model` is the shipped default, a provider takes its own. */
export type ProviderSettings = Pick<Configuration, 'settings' | 'origins' | 'untrusted' | 'redactor' | 'cwd' | 'env'>;

/** How each provider is made; its module is loaded when it is wanted. */
export const providers: Readonly<Record<string, (configuration: ProviderSettings) => Promise<Provider>>> = {
  ollama: async ({ settings: { model, ollama }, untrusted, redactor }) => {
    const { createOllamaProvider } = await import('../../providers/ollama/provider.ts');
    const { host, keepAlive } = ollama;
    return createOllamaProvider({
      model,
      host,
      keepAlive,
      refuseRemote: untrusted.has('model'),
      redact: redactor.text,
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
    // Now, so that it is no part of the time that a server has to answer.
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

/** Who only judges claims: named by the user's references (`evidence.model`), and never who answers. */
const checkers: typeof providers = {
  onnx: async ({ settings: { model, onnx }, origins, cwd }) => {
    const { createOnnxProvider } = await import('../../providers/onnx/provider.ts');
    return createOnnxProvider({ model: origins.get('model') === shippedOrigin ? null : model, cwd, ...onnx });
  },
};

export const checkerNames: readonly string[] = Object.keys(checkers);

/** How a provider or a checker of that name is made; undefined where there is none. */
export const makerOf = (name: string) => providers[name] ?? checkers[name];
