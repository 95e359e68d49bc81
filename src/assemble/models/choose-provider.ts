import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDeadline } from '../../base/abort.ts';
import { packageRoot } from '../../config/folders.ts';
import { shippedOrigin } from '../../config/layers.ts';
import { type ModelReference, readReference } from '../../config/model-reference.ts';
import { autoProviders, preferredProvider, providerNames, providerTraitsOf } from '../../config/provider-traits.ts';
import type { Settings } from '../../config/settings.ts';
import { type ErrorInfo, kindOf, lateError, RlmError } from '../../errors.ts';
import type { RecordedRouting } from '../../journal/journal.ts';
import { completeInfo } from '../../providers/complete.ts';
import type { ModelInfo, Provider } from '../../providers/provider.ts';
import { makerOf, type ProviderSettings } from './providers.ts';

/** Returns the names of the providers to try, in order of preference. */
export function candidatesFor({ provider, model }: ModelReference): readonly string[] {
  if (provider !== 'auto') return [provider ?? preferredProvider];
  return model === null ? autoProviders : [preferredProvider];
}

/** Whether an error means that the provider is unavailable, so that the next one is tried. */
export const isPassedOver = (error: Pick<ErrorInfo, 'code'>): boolean => kindOf(error) === 'unavailable';

const probeMs = 2_000;

/** An available provider, and the facts that it reports about its model. */
export interface Chosen {
  readonly provider: Provider;
  readonly info: ModelInfo;
  readonly warnings: readonly string[];
  /** The error that says why `auto` found no language model; null in all other cases. */
  readonly missing: RlmError | null;
}

/** The models of a run, and which of them replies to which prompt. */
export interface ChosenModels {
  /** All models without duplicates. The first is the run's own model. */
  readonly models: readonly [Chosen, ...Chosen[]];
  /** The model that replies to a prompt at a depth, followed by its fallbacks. */
  modelsFor(prompt: string, depth: number): readonly Chosen[];
  /** How the models were chosen, for the record of the run. */
  readonly routing: RecordedRouting | null;
  readonly warnings: readonly string[];
}

/** Returns the models of a run that has only one. */
export const onlyModel = (chosen: Chosen): ChosenModels => ({
  models: [chosen],
  modelsFor: () => [chosen],
  routing: null,
  warnings: chosen.warnings,
});

export async function inspect(provider: Provider, signal: AbortSignal): Promise<Chosen> {
  const info = completeInfo(provider.name, await provider.inspect(signal));
  return { provider, info, warnings: info.notices, missing: null };
}

/** A reference that names a provider, which may be `auto`. */
type WholeReference = ModelReference & { readonly provider: string };

/** Ranks an origin: 4 is a program's settings, 3 is flags, 2 is the environment, 1 is files, 0 is defaults. */
function rankOf(origin = shippedOrigin): number {
  if (origin === shippedOrigin) return 0;
  if (origin.endsWith('.json')) return 1;
  return origin.startsWith('--') ? 3 : /^[A-Z_]+$/.test(origin) ? 2 : 4;
}

const invalid = (message: string, hint: string) => new RlmError('config-invalid', message, { hint });

function checkTrusted(provider: string, key: 'provider' | 'model', { untrusted }: ProviderSettings): void {
  const staysHome = provider === 'auto' || providerTraitsOf(provider)?.staysHome === true;
  if (!untrusted.has(key) || staysHome) return;
  throw invalid(
    `the project file names ${provider}, which would receive the text`,
    `If you want that, pass --provider ${provider}, or trust the project (trustedProjects).`,
  );
}

function contradiction({ settings: { model }, origins }: ProviderSettings, why: string): RlmError {
  const origin = origins.get('model')!;
  const code = origin.startsWith('--') ? 'usage' : 'config-invalid';
  return new RlmError(code, `the model ${model} (${origin}) cannot be used: ${why}`, {
    hint: `Give the provider or the model: --model ${model} is enough.`,
  });
}

/**
 * Returns the run's own provider and model. If the model names a provider that differs from the setting `provider`, the
 * setting with the stronger origin wins. `auto` never wins. If `provider` uses no language model and has the stronger
 * origin, the model is dropped.
 * @throws RlmError `usage` or `config-invalid` when the two contradict each other; `config-invalid` when an untrusted
 *   project file chose the provider that would receive the text.
 */
export function settleProvider(configuration: ProviderSettings): WholeReference {
  const { settings, origins } = configuration;
  const isChosen = origins.get('model') !== shippedOrigin;
  const named = readReference(settings.model, providerNames);
  checkTrusted(settings.provider, 'provider', configuration);
  const own = { provider: settings.provider, model: isChosen ? settings.model : null };
  const lead = rankOf(origins.get('provider')) - rankOf(origins.get('model'));
  if (named.provider === null) {
    if (!isChosen || providerTraitsOf(settings.provider)?.asksModel !== false) return own;
    if (lead > 0) return { ...own, model: null };
    throw contradiction(configuration, `the provider ${settings.provider} uses no language model`);
  }
  if (named.provider === settings.provider) return { ...own, model: named.model };
  if (settings.provider !== 'auto' && lead > 0) return { ...own, model: null };
  if (settings.provider !== 'auto' && lead === 0)
    throw contradiction(configuration, `it belongs to ${named.provider}, but the provider is ${settings.provider}`);
  checkTrusted(named.provider, 'model', configuration);
  return { provider: named.provider, model: named.model };
}

const shippedModel = (): string =>
  (JSON.parse(readFileSync(join(packageRoot, 'rlm.config.json'), 'utf8')) as Settings).model;

/** Returns the configuration with `model` as its model; null means the provider's own default. */
export function withModel(configuration: ProviderSettings, model: string | null): ProviderSettings {
  const { settings, origins } = configuration;
  const isShipped = origins.get('model') === shippedOrigin;
  if (isShipped ? model === null : model === settings.model) return configuration;
  return {
    ...configuration,
    settings: { ...settings, model: model ?? shippedModel() },
    origins: new Map(origins).set('model', model === null ? shippedOrigin : 'models'),
  };
}

/** Creates a provider for a model; null means the provider's own default model. */
export const createProvider = (
  configuration: ProviderSettings,
  { provider, model }: WholeReference,
): Promise<Provider> => makerOf(provider).create(withModel(configuration, model));

function unreachable(name: string, settings: Settings, ms: number): RlmError {
  const [where, check] = makerOf(name).place(settings);
  return lateError(where, ms, `${check}; rlm doctor shows more.`);
}

async function probe(
  reference: WholeReference,
  configuration: ProviderSettings,
  signal: AbortSignal,
  ms = configuration.settings.budget.callTimeout * 1000,
): Promise<Chosen> {
  const provider = await createProvider(configuration, reference);
  const lateError = () => unreachable(reference.provider, configuration.settings, ms);
  return withDeadline(ms, lateError, signal, (limited) => inspect(provider, limited));
}

/** Inspects the model that a reference names. Throws as `Provider.inspect` does. */
export async function inspectReference(
  configuration: ProviderSettings,
  reference: WholeReference,
  named: Readonly<Record<string, Provider>>,
  signal: AbortSignal,
): Promise<Chosen> {
  const own = Object.hasOwn(named, reference.provider) ? named[reference.provider] : undefined;
  return own ? inspect(own, signal) : probe(reference, configuration, signal);
}

/** Inspects Ollama with the run's own model, within the short time limit of `auto`. */
export const inspectOllamaModel = (configuration: ProviderSettings, signal: AbortSignal): Promise<Chosen> =>
  probe({ ...settleProvider(configuration), provider: preferredProvider }, configuration, signal, probeMs);

/** The last words of a hint about an unavailable model. */
export const withoutModel = 'or, without a language model: --provider extractive';

/** Returns Ollama if it can serve; else, if no model is named, the extractive provider with a warning. */
export async function chooseAutomatically(configuration: ProviderSettings, signal: AbortSignal): Promise<Chosen> {
  try {
    return await inspectOllamaModel(configuration, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RlmError) || !isPassedOver(error)) throw error;
    const { model } = settleProvider(configuration);
    if (model !== null) {
      const said = `the model ${model} (${configuration.origins.get('model')}) cannot be used: ${error.message}`;
      throw new RlmError(error.code, said, { hint: `${error.hint}; ${withoutModel}`, cause: error });
    }
    const chosen = await inspect(await makerOf(autoProviders[1]).create(configuration), signal);
    const notice = `no language model was used: ${error.message}. ${error.hint}`;
    return { ...chosen, warnings: [notice.trim(), ...chosen.warnings], missing: error };
  }
}

/** Whether the settings name more than one model. */
export const hasSeveral = ({ models, recursive, preset, fallbacks }: Settings): boolean =>
  preset !== null ||
  fallbacks.length > 0 ||
  recursive.provider !== null ||
  recursive.model !== null ||
  Object.keys(models).length > 0;

/**
 * Returns a provider that can serve: the caller's own, the configured one, or for `auto` the first that can serve.
 * @throws RlmError as `Provider.inspect` and `settleProvider` do.
 */
export async function chooseProvider(
  configuration: ProviderSettings,
  own: Provider | undefined,
  signal: AbortSignal,
): Promise<Chosen> {
  if (own) return inspect(own, signal);
  const wanted = settleProvider(configuration);
  return wanted.provider === 'auto' ? chooseAutomatically(configuration, signal) : probe(wanted, configuration, signal);
}
