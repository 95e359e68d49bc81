/**
 * Loads only the requested provider, so that its server gets a request at once. The modules of the run are loaded while
 * the server answers.
 */
import { modelsFolder, stateFolder } from '../../config/folders.ts';
import { type Configuration, shippedOrigin } from '../../config/layers.ts';
import { withoutLogin } from '../../config/login.ts';
import type { ProviderName } from '../../config/provider-traits.ts';
import type { Settings } from '../../config/settings.ts';
import { parseOllamaHost } from '../../providers/ollama/host.ts';
import type { Provider } from '../../providers/provider.ts';

/** The configuration that chooses a provider. If `model` is the shipped default, a provider uses its own default. */
export type ProviderSettings = Pick<
  Configuration,
  'settings' | 'origins' | 'untrusted' | 'unchosen' | 'redactor' | 'cwd' | 'env'
>;

interface ProviderMaker {
  create(configuration: ProviderSettings): Promise<Provider>;
  /** Returns the provider's address (without a password) or file, and what to check if the provider does not answer. */
  place(settings: Settings): readonly [where: string, check: string];
}

const modelFile = ({ model }: Settings) => [`the file ${model}`, 'Check the disk'] as const;

const providers: Readonly<Record<ProviderName, ProviderMaker>> = {
  ollama: {
    async create({ settings: { model, ollama }, untrusted, redactor, env }) {
      const { createOllamaProvider } = await import('../../providers/ollama/provider.ts');
      const { host, keepAlive } = ollama;
      const refuseRemote = untrusted.has('model');
      return createOllamaProvider({ model, host, keepAlive, refuseRemote, redact: redactor.text, env });
    },
    place: ({ ollama: { host } }) => [
      `Ollama at ${parseOllamaHost(host).display}`,
      'Check that it runs (ollama serve)',
    ],
  },
  'llama-cpp': {
    async create({ settings, origins, untrusted, cwd, env }) {
      const { createLlamaCppProvider } = await import('../../providers/llama-cpp/provider.ts');
      const model = origins.get('model') === shippedOrigin ? null : settings.model;
      const pulled = modelsFolder(stateFolder(settings, env));
      const refuseModel = untrusted.has('model');
      return createLlamaCppProvider({ ...settings.llamaCpp, model, cwd, modelsFolder: pulled, refuseModel });
    },
    place: modelFile,
  },
  openai: {
    async create({ settings: { provider, model, openai }, origins, untrusted, redactor }) {
      const { createOpenAiProvider } = await import('../../providers/openai/provider.ts');
      return createOpenAiProvider({
        ...openai,
        // The shipped default is not used, because it names a model of Ollama.
        model: origins.get('model') === shippedOrigin ? null : model,
        refuseRemote: untrusted.has('model') || (provider === 'openai' && untrusted.has('provider')),
        redact: redactor.text,
      });
    },
    place: ({ openai: { baseUrl } }) => [
      withoutLogin(baseUrl),
      'Check that it runs, and check openai.baseUrl (OPENAI_BASE_URL)',
    ],
  },
  anthropic: {
    async create(configuration) {
      const { chooseAnthropicModel } = await import('../../providers/anthropic/choice.ts');
      const { createAnthropicProvider } = await import('../../providers/anthropic/provider.ts');
      return createAnthropicProvider({
        ...chooseAnthropicModel(configuration),
        baseUrl: configuration.settings.anthropic.baseUrl,
        apiKey: configuration.settings.anthropic.apiKey?.trim() || null,
        redact: configuration.redactor.text,
      });
    },
    place: ({ anthropic: { baseUrl } }) => [withoutLogin(baseUrl), 'Check anthropic.baseUrl'],
  },
  extractive: {
    create: async () => (await import('../../providers/extractive/provider.ts')).createExtractiveProvider(),
    place: () => ['the extractive provider', 'Run the command again'],
  },
};

/** Returns the factory of the named provider, which must exist. */
export const makerOf = (name: string): ProviderMaker => providers[name as ProviderName];
