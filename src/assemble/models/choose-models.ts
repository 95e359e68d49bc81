/** This module is loaded only if a run may need several models. */
import { nearest } from '../../base/nearest.ts';
import { type Configuration, shippedOrigin } from '../../config/layers.ts';
import { type Routes, readReference, referencesIn, routeOf } from '../../config/model-reference.ts';
import { preferredProvider, providerNames } from '../../config/provider-traits.ts';
import type { Settings } from '../../config/settings.ts';
import { RlmError } from '../../errors.ts';
import { createReplayProvider } from '../../journal/cassette.ts';
import type { RecordedRouting, RunRecord } from '../../journal/journal.ts';
import type { Provider } from '../../providers/provider.ts';
import { modelName } from '../../run/roster.ts';
import {
  type Chosen,
  type ChosenModels,
  chooseAutomatically,
  inspect,
  inspectOllamaModel,
  inspectReference,
  isPassedOver,
  onlyModel,
  settleProvider,
  withoutModel,
} from './choose-provider.ts';
import { lookForPresets, resolvePreset } from './presets.ts';
import type { ProviderSettings } from './providers.ts';

/** Providers that the caller passed in. The keys of `named` are the names that references use. */
interface OwnProviders {
  readonly main: Provider | undefined;
  readonly named: Readonly<Record<string, Provider>>;
}

type SoughtModel = Chosen | RlmError;

const routesIn = ({ models, recursive: { provider, model } }: Settings): Routes => ({
  models,
  recursive: provider === null ? model : model === null ? provider : `${provider}/${model}`,
});

async function look(work: Promise<Chosen>): Promise<SoughtModel> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RlmError && isPassedOver(error)) return error;
    throw error;
  }
}

function unknownProvider(name: string, names: readonly string[]): RlmError {
  const near = nearest(name, names);
  const hint = `${near ? `Did you mean ${near}? ` : ''}The providers are ${names.join(', ')}.`;
  return new RlmError('config-invalid', `recursive.provider cannot be "${name}": there is no such provider`, { hint });
}

function createLookUp(configuration: ProviderSettings, own: OwnProviders, signal: AbortSignal) {
  const names = [...providerNames, ...Object.keys(own.named)];
  const main = settleProvider(configuration);
  const home = main.provider === 'auto' ? preferredProvider : main.provider;
  const below = configuration.settings.recursive.provider;
  if (below !== null && !names.includes(below)) throw unknownProvider(below, names);
  // From an untrusted project file comes only the run's own model. A client may name other models, too.
  const otherKeys = [...configuration.untrusted].filter((key) => key !== 'model');
  const configurationOf = (reference: string): ProviderSettings => ({
    ...configuration,
    untrusted: new Set([...otherKeys, ...(configuration.unchosen.has(reference) ? ['model'] : [])]),
  });
  return (reference: string): Promise<SoughtModel> => {
    const { provider, model } = readReference(reference, names);
    const isHome = model === null && provider === home;
    const wanted = { provider: provider ?? home, model: isHome ? main.model : model };
    return look(inspectReference(isHome ? configuration : configurationOf(reference), wanted, own.named, signal));
  };
}

/** Returns a model by its reference. Throws RlmError as `inspect` does. */
export async function findModel(
  configuration: ProviderSettings,
  own: OwnProviders,
  reference: string,
  signal: AbortSignal,
): Promise<Chosen> {
  const sought = await createLookUp(configuration, own, signal)(reference);
  if (sought instanceof RlmError) throw sought;
  return sought;
}

function lookForMain(
  configuration: ProviderSettings,
  own: OwnProviders,
  hasFallbacks: boolean,
  signal: AbortSignal,
): Promise<SoughtModel> {
  const { provider, model } = settleProvider(configuration);
  if (own.main !== undefined) return look(inspect(own.main, signal));
  if (provider !== 'auto') return look(inspectReference(configuration, { provider, model }, {}, signal));
  // If `auto` does not find Ollama, a fallback is better than an answer without a language model.
  return look(hasFallbacks ? inspectOllamaModel(configuration, signal) : chooseAutomatically(configuration, signal));
}

function replace(sought: SoughtModel, standIns: readonly Chosen[], warn: (message: string) => void): Chosen {
  if (!(sought instanceof RlmError)) return sought;
  const [first] = standIns;
  if (first === undefined) throw sought;
  warn(`${modelName(first)} took over at the start: ${sought.message}`);
  return first;
}

function createUnique(): (chosen: Chosen) => Chosen {
  const known = new Map<string, Chosen>();
  return (chosen) => {
    const name = modelName(chosen);
    known.set(name, known.get(name) ?? chosen);
    return known.get(name)!;
  };
}

function lineUp(
  main: Chosen,
  byReference: ReadonlyMap<string, Chosen>,
  { routes, fallbacks }: Pick<RecordedRouting, 'routes' | 'fallbacks'>,
  warnings: readonly string[],
): ChosenModels {
  const standIns = fallbacks.flatMap((reference) => byReference.get(reference) ?? []);
  const wanted = (prompt: string, depth: number): Chosen => {
    const reference = routes.map((one) => routeOf(one, prompt, depth)).find((one) => one !== null);
    return reference === undefined ? main : byReference.get(reference)!;
  };
  const models = [...new Set([main, ...byReference.values()])] as [Chosen, ...Chosen[]];
  const recorded = [...byReference].map(([reference, { provider, info }]) => {
    return [reference, { provider: provider.name, model: info }] as const;
  });
  return {
    models,
    modelsFor: (prompt, depth) => [...new Set([wanted(prompt, depth), ...standIns])],
    routing: { routes, fallbacks, models: Object.fromEntries(recorded) },
    warnings: [...models.flatMap((one) => one.warnings), ...warnings],
  };
}

/** Throws if the user names another provider or model than the recorded one. A model file may be named by its path. */
function checkRecorded({ provider, model }: RunRecord, { settings, given }: Configuration): void {
  const named = readReference((given.has('model') && settings.model) || '', providerNames);
  const providers = [named.provider, given.has('provider') ? settings.provider : null];
  const isOther = providers.some((one) => one !== null && one !== 'auto' && one !== provider);
  const isSame = `${named.model}:latest` === model.model || named.model?.endsWith(model.model);
  if (!isOther && (!named.model || isSame)) return;
  throw new RlmError('call-not-recorded', `the recording was made with ${provider} ${model.model}`, {
    hint: 'Leave out --provider and --model to answer from the recording.',
  });
}

/**
 * Returns the models of a recorded run. The recording replies in their place.
 * @throws RlmError `call-not-recorded` if the configuration names another model.
 */
export function replayModels(recorded: RunRecord, configuration: Configuration): ChosenModels {
  checkRecorded(recorded, configuration);
  const { provider, model, routing } = recorded;
  const replay = (recorded: Pick<RunRecord, 'provider' | 'model'>): Chosen => ({
    provider: createReplayProvider(recorded),
    info: recorded.model,
    warnings: recorded.model.notices,
    missing: null,
  });
  const unique = createUnique();
  const main = unique(replay({ provider, model }));
  if (routing == null) return onlyModel(main);
  const others = new Map(Object.entries(routing.models).map(([reference, one]) => [reference, unique(replay(one))]));
  return lineUp(main, others, routing, []);
}

async function lookUpPreset(
  name: NonNullable<Settings['preset']>,
  configuration: ProviderSettings,
  signal: AbortSignal,
) {
  const { fallbacks, prices } = configuration.settings;
  const found = await lookForPresets(configuration, signal);
  const { main, recursive } = await resolvePreset(name, found, prices);
  if (main !== null) return { main, recursive, warnings: [] };
  const missing = new RlmError(
    'model-missing',
    `there is no model for the preset ${name}: ${found.looked.join('; ')}`,
    {
      hint: `ollama serve, and ollama pull llama3.2:3b; to see the models of each preset: rlm config presets; ${withoutModel}, and no --preset`,
    },
  );
  const [first] = fallbacks;
  if (first === undefined) throw missing;
  return { main: first, recursive: first, warnings: [`${first} took over at the start: ${missing.message}`] };
}

async function applyPreset(configuration: ProviderSettings, signal: AbortSignal) {
  const { settings, origins } = configuration;
  const own = routesIn(settings);
  if (settings.preset === null) return { configuration, routes: [own], warnings: [] };
  const { main: model, recursive, warnings } = await lookUpPreset(settings.preset, configuration, signal);
  const routes = [own, { models: {}, recursive }];
  const isConfigured = ['provider', 'model'].some((key) => origins.get(key) !== shippedOrigin);
  if (isConfigured) return { configuration, routes, warnings };
  const applied = { settings: { ...settings, model }, origins: new Map(origins).set('model', 'preset') };
  return { configuration: { ...configuration, ...applied }, routes, warnings };
}

/**
 * Inspects the models that the settings name.
 * @throws RlmError as `inspect` does, for a model that is unavailable and has no fallback.
 */
export async function chooseModels(
  wanted: ProviderSettings,
  own: OwnProviders,
  signal: AbortSignal,
): Promise<ChosenModels> {
  const { configuration, routes, warnings: presetWarnings } = await applyPreset(wanted, signal);
  const { fallbacks } = configuration.settings;
  const lookUp = createLookUp(configuration, own, signal);
  const references = [...new Set([...routes.flatMap(referencesIn), ...fallbacks])];
  const [soughtMain, ...sought] = await Promise.all([
    lookForMain(configuration, own, fallbacks.length > 0, signal),
    ...references.map(lookUp),
  ]);
  const found = new Map(references.map((reference, index) => [reference, sought[index]!]));
  const unique = createUnique();
  const warnings = [...presetWarnings];
  const warn = (message: string) => void (warnings.includes(message) || warnings.push(message));
  const availableOf = (reference: string): readonly Chosen[] => {
    const one = found.get(reference)!;
    if (!(one instanceof RlmError)) return [unique(one)];
    warn(`${reference} cannot take over: ${one.message}`);
    return [];
  };
  const standIns = fallbacks.flatMap(availableOf);
  const { provider, model } = settleProvider(configuration);
  const isAuto = provider === 'auto' && model === null && own.main === undefined;
  const main =
    isAuto && standIns.length === 0 && soughtMain instanceof RlmError
      ? await chooseAutomatically(configuration, signal)
      : unique(replace(soughtMain, standIns, warn));
  const usable = references.filter(
    (reference) => !fallbacks.includes(reference) || !(found.get(reference) instanceof RlmError),
  );
  const byReference = new Map(
    usable.map((reference) => [reference, unique(replace(found.get(reference)!, standIns, warn))]),
  );
  return lineUp(main, byReference, { routes, fallbacks }, warnings);
}
