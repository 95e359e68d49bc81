import { candidatesFor, createProvider, settleProvider, withModel } from '../../assemble/models/choose-provider.ts';
import type { Configuration } from '../../config/layers.ts';
import { readReference } from '../../config/model-reference.ts';
import { providerNames } from '../../config/provider-traits.ts';
import type { Settings } from '../../config/settings.ts';
import type { ModelInfo, Provider } from '../../providers/provider.ts';

/** The provider that the settings name. */
export interface ConfiguredProvider {
  /** For `auto`, the one that is looked for first. */
  readonly name: string;
  /** `model` is that of the provider, also where it was named together with it (`ollama/llama3.2:3b`). */
  readonly settings: Settings;
  /** Makes the provider; it connects to nothing before it is asked. Throws RlmError `config-invalid`. */
  open(): Promise<Provider>;
}

/**
 * The provider that the settings name, for programs that look at its models.
 * @throws RlmError `config-invalid` where provider and model contradict each other, or a project file names another
 *   than a local one.
 */
export function configuredProvider(configuration: Configuration): ConfiguredProvider {
  const wanted = settleProvider(configuration);
  const [name] = candidatesFor(wanted) as readonly [string, ...string[]];
  return {
    name,
    settings: withModel(configuration, wanted.model).settings,
    open: () => createProvider(configuration, { provider: name, model: wanted.model }),
  };
}

/**
 * What a model says of itself, by its reference: `ollama/llama3.2:3b`, `llama3.2:3b`, or a GGUF file.
 * @throws RlmError as the provider's `inspect` does where the model cannot serve.
 */
export async function inspectModel(
  reference: string,
  configuration: Configuration,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelInfo> {
  const { provider, model } = readReference(reference, providerNames);
  const named = { provider: provider ?? configuredProvider(configuration).name, model };
  return (await createProvider(configuration, named)).inspect(signal);
}
