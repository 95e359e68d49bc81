import { candidatesFor, createProvider, settleProvider, withModel } from '../../assemble/models/choose-provider.ts';
import type { Configuration, ConfigurationSources } from '../../config/layers.ts';
import { readReference } from '../../config/model-reference.ts';
import { providerNames } from '../../config/provider-traits.ts';
import type { ModelInfo } from '../../providers/provider.ts';
import type { DoctorReport } from './doctor.ts';

/**
 * Checks what a run needs: configuration, prompts, providers, models, search. If the configuration is wrong, checks
 * only Node and the configuration.
 */
export async function examineSetup(sources: ConfigurationSources = {}): Promise<DoctorReport> {
  const { examine } = await import('./doctor.ts');
  return examine(sources);
}

/**
 * Finds the models of each preset: asks a local server which models it has, and looks for the keys of hosted servers.
 * `looked` describes each checked server and key, and the outcome.
 */
export async function resolvePresets(configuration: Configuration, signal: AbortSignal = new AbortController().signal) {
  const { lookForPresets, presetNames, resolvePreset } = await import('../../assemble/models/presets.ts');
  const { settings, redactor } = configuration;
  const found = await lookForPresets(configuration, signal);
  const presets = await Promise.all(presetNames.map((name) => resolvePreset(name, found, settings.prices)));
  return redactor.value({ presets, looked: found.looked });
}

/**
 * Returns the provider that the settings name, for programs that inspect its models.
 * @throws RlmError `usage` or `config-invalid` if provider and model contradict each other; `config-invalid` if
 *   an untrusted project file names a provider that would receive the text.
 */
export function configuredProvider(configuration: Configuration) {
  const wanted = settleProvider(configuration);
  const [name] = candidatesFor(wanted) as readonly [string, ...string[]];
  return {
    /** The name of the provider; for `auto`, the name of the first candidate. */
    name,
    /** Here, `model` is without the name of the provider: `llama3.2:3b` if the setting is `ollama/llama3.2:3b`. */
    settings: withModel(configuration, wanted.model).settings,
    /** Creates the provider, which connects on its first request. Throws RlmError `config-invalid`. */
    open: () => createProvider(configuration, { provider: name, model: wanted.model }),
  };
}

/**
 * Returns the facts about a model by its reference: `ollama/llama3.2:3b`, `llama3.2:3b`, or a GGUF file.
 * @throws RlmError as `configuredProvider` does, and as the provider's `inspect` does if the model cannot be used.
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
