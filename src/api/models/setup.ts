/** What there is on this machine to answer with. All of it is loaded when it is asked for. */
import type { ResolvedPreset } from '../../assemble/models/presets.ts';
import type { PulledFile, PullModelFileOptions } from '../../assemble/models/pull-model-file.ts';
import type { Configuration, ConfigurationSources } from '../../config/layers.ts';
import type { DoctorReport } from './doctor.ts';

/**
 * Looks at everything that a run needs: configuration, prompts, providers, models, search. Servers are asked for their
 * models; no model is asked anything. A wrong configuration is told by the report, and nothing else is looked at then.
 */
export async function examineSetup(sources: ConfigurationSources = {}): Promise<DoctorReport> {
  const { examine } = await import('./doctor.ts');
  return examine(sources);
}

/** What each preset stands for here. */
export interface ResolvedPresets {
  readonly presets: readonly ResolvedPreset[];
  /** In words: each thing that was looked at to find out. */
  readonly looked: readonly string[];
}

/**
 * Finds the models of each preset: asks a local server which models it has, and looks for keys of hosted ones. No model
 * is asked anything.
 */
export async function resolvePresets(
  configuration: Configuration,
  signal: AbortSignal = new AbortController().signal,
): Promise<ResolvedPresets> {
  const { lookForPresets, presetNames, resolvePreset } = await import('../../assemble/models/presets.ts');
  const { settings, redactor } = configuration;
  const found = await lookForPresets(configuration, signal);
  const presets = await Promise.all(presetNames.map((name) => resolvePreset(name, found, settings.prices)));
  return redactor.value({ presets, looked: found.looked });
}

/**
 * Downloads a model file for the provider that runs such files in this process. What has come is kept, and the next
 * call goes on there.
 * @throws RlmError `usage` for an address or a sum that is none; where the file cannot be had, is not the one that it
 *   should be, or cannot be kept; the signal's reason.
 */
export async function pullModelFile(
  options: PullModelFileOptions,
  { settings, env }: Configuration,
): Promise<PulledFile> {
  const pull = await import('../../assemble/models/pull-model-file.ts');
  return pull.pullModelFile(options, settings, env);
}
