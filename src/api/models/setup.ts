/** The providers, models and keys that are available here. Doctor and presets are loaded when called. */

import { candidatesFor, createProvider, settleProvider, withModel } from '../../assemble/models/choose-provider.ts';
import type { Configuration, ConfigurationSources } from '../../config/layers.ts';
import { readReference } from '../../config/model-reference.ts';
import { providerNames } from '../../config/provider-traits.ts';
import type { ModelInfo } from '../../providers/provider.ts';
import type { DoctorReport } from './doctor.ts';

/**
 * Checks everything that a run needs: configuration, prompts, providers, models, search. Asks servers for their models
 * and asks no model. When the configuration is wrong, the report says so and nothing else is checked.
 */
export async function examineSetup(sources: ConfigurationSources = {}): Promise<DoctorReport> {
  const { examine } = await import('./doctor.ts');
  return examine(sources);
}

/**
 * Finds the models of each preset: asks a local server which models it has, and looks for the keys of hosted servers.
 * Asks no model. `looked` describes each server and key that was looked for, and what was found.
 */
export async function resolvePresets(configuration: Configuration, signal: AbortSignal = new AbortController().signal) {
  const { lookForPresets, presetNames, resolvePreset } = await import('../../assemble/models/presets.ts');
  const { settings, redactor } = configuration;
  const found = await lookForPresets(configuration, signal);
  const presets = await Promise.all(presetNames.map((name) => resolvePreset(name, found, settings.prices)));
  return redactor.value({ presets, looked: found.looked });
}

/**
 * Returns the provider that the settings name, for programs that list its models.
 * @throws RlmError `config-invalid` when provider and model contradict each other, or when a project file names a
 *   provider that is not local.
 */
export function configuredProvider(configuration: Configuration) {
  const wanted = settleProvider(configuration);
  const [name] = candidatesFor(wanted) as readonly [string, ...string[]];
  return {
    /** For `auto`, the first candidate. */
    name,
    /** `model` is the name without the provider, even if the setting was `ollama/llama3.2:3b`. */
    settings: withModel(configuration, wanted.model).settings,
    /** Creates the provider, which connects only when it is used. Throws RlmError `config-invalid`. */
    open: () => createProvider(configuration, { provider: name, model: wanted.model }),
  };
}

/**
 * Returns the properties of a model, by its reference: `ollama/llama3.2:3b`, `llama3.2:3b`, or a GGUF file.
 * @throws RlmError like the provider's `inspect` when the model cannot answer.
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
