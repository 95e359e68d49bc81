/** A request may lower the user's limits and choose among the user's models. */
import { autoProviders, preferredProvider, providerNames } from '../config/provider-traits.ts';
import type { Settings } from '../config/settings.ts';
import { ToolFailure, type Wishes } from './arguments.ts';

/** The reference server's names of providers (docs/mcp.md), with rlm's names for the same providers. */
const otherNames: Readonly<Record<string, string>> = { 'claude-sdk': 'anthropic' };

/** Providers that cost nothing and send text only to a host that the user chose. */
const freeProviders: readonly string[] = autoProviders;

const providerOf = (reference: string): string => reference.split('/', 1)[0]!;

function referencesOf({ provider, model, models, recursive, fallbacks }: Settings): string[] {
  const routes = Object.values(models as Record<string, string | Record<string, string>>);
  const routed = routes.flatMap((route) => (typeof route === 'string' ? [route] : Object.values(route)));
  const below = recursive.model === null ? [] : [recursive.model];
  const prefix = provider === 'auto' ? [] : [`${provider}/${model}`];
  return [model, ...prefix, ...routed, ...below, ...fallbacks];
}

function providersOf(settings: Settings): Set<string> {
  const own = settings.provider === 'auto' ? freeProviders : [settings.provider];
  const below = settings.recursive.provider === null ? [] : [settings.recursive.provider];
  const named = referencesOf(settings).map(providerOf);
  return new Set([...own, ...below, ...named.filter((name) => providerNames.includes(name))]);
}

function allowedProvider(settings: Settings, given: string): string {
  const name = otherNames[given] ?? given;
  const allowed = providersOf(settings);
  if (allowed.has(name)) return name;
  throw new ToolFailure(
    'provider_not_allowed',
    `The provider '${name.slice(0, 50)}' is not allowed by the user's settings. Allowed: ${[...allowed].join(', ')}. Omit it to use the default.`,
  );
}

/** Whether a name may be the name of a local Ollama model. False for a file, an address and a cloud model. */
const isOllamaName = (model: string): boolean =>
  /^[\w.-]+(\/[\w.-]+)?(:[\w.-]+)?$/.test(model) && !/\.gguf$|[:-]cloud$/i.test(model);

const bareName = (provider: string, model: string): string =>
  model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;

const isChosen = (settings: Settings, provider: string, model: string): boolean =>
  referencesOf(settings).some((one) => one === model || one === `${provider}/${bareName(provider, model)}`);

function allowedModel(settings: Settings, provider: string, model: string): string {
  const bare = bareName(provider, model);
  const first = providerOf(model);
  const isElsewhere = model.includes('/') && providerNames.includes(first) && first !== provider;
  if (isChosen(settings, provider, model) || (!isElsewhere && freeProviders.includes(provider) && isOllamaName(bare)))
    return model;
  throw new ToolFailure(
    'model_not_allowed',
    `The model '${model.slice(0, 100)}' is not allowed by the user's settings. Omit it to use the default.`,
  );
}

function providerFor(settings: Settings, reference: string): string {
  const first = providerOf(reference);
  const provider = reference.includes('/') && providersOf(settings).has(first) ? first : settings.provider;
  return provider === 'auto' ? preferredProvider : provider;
}

const checkedReference = (settings: Settings, reference: string): string =>
  allowedModel(settings, providerFor(settings, reference), reference);

/** Returns the references by which a run may name a model, unless the user has chosen it. */
function unchosenReferences(settings: Settings, provider: string, model: string | undefined): string[] {
  if (model === undefined || isChosen(settings, provider, model)) return [];
  const bare = bareName(provider, model);
  return [model, bare, `${provider}/${bare}`];
}

/** Refuses a preset that is not the user's, because its models may cost money. `fully-local` costs nothing. */
function allowedPreset(settings: Settings, preset: string): string {
  if (preset === settings.preset || preset === 'fully-local') return preset;
  throw new ToolFailure(
    'preset_not_allowed',
    `The preset '${preset.slice(0, 50)}' is not the user's preset. fully-local is always allowed.`,
  );
}

/** Refuses a role that is given as a path, because only the user chooses which files are read. */
function allowedRole(role: string): string {
  if (/^[\w-]{1,100}$/.test(role)) return role;
  throw new ToolFailure('role_not_allowed', `'${role.slice(0, 100)}' is not the name of a role.`);
}

const limits = [
  ['max_depth', 'maxDepth'],
  ['max_calls', 'maxCalls'],
  ['max_tokens', 'maxTokens'],
  ['max_cost_usd', 'maxCost'],
  ['timeout_seconds', 'timeout'],
] as const;

const lower = (one: number | null, other: number | null): number | null =>
  one === null ? other : Math.min(one, other ?? one);

/** Returns the limits of the user, by dotted key, that are lower than those of a recorded run. */
export function lowerLimits({ budget: own }: Settings, { budget: recorded }: Settings): Map<string, unknown> {
  const lowered = limits.map(([, limit]) => [limit, lower(own[limit], recorded[limit])] as const);
  return new Map(
    lowered.flatMap(([limit, most]) => (most === recorded[limit] ? [] : [[`budget.${limit}`, String(most)]])),
  );
}

const converted = <T>(wish: T | undefined, convert: (wish: T) => T) => (wish === undefined ? undefined : convert(wish));

/**
 * Converts a request's wishes to settings by dotted key, with a note for each wish above the user's limit. Also returns
 * the references to models that the user did not choose.
 * @throws ToolFailure `provider_not_allowed`, `model_not_allowed`, `preset_not_allowed`, `role_not_allowed`.
 */
export function grant(settings: Settings, wishes: Wishes) {
  const { strategy, role, model, recursive_model: modelBelow, model_tiers: tiers, tier_strategy: preset } = wishes;
  const { provider: wanted, recursive_provider: wantedBelow } = wishes;
  const provider = converted(wanted, (name) => allowedProvider(settings, name));
  const below = converted(wantedBelow, (name) => allowedProvider(settings, name));
  const own = provider ?? (settings.provider === 'auto' ? preferredProvider : settings.provider);
  const ownBelow = below ?? settings.recursive.provider ?? own;
  const byDepth = Object.entries(tiers ?? {}).map(([depth, named]) => [depth, checkedReference(settings, named)]);
  const granted = new Map<string, unknown>([
    ['strategy', strategy],
    ['role', converted(role, allowedRole)],
    ['provider', provider],
    ['recursive.provider', below],
    ['model', converted(model, (name) => allowedModel(settings, own, name))],
    ['recursive.model', converted(modelBelow, (name) => allowedModel(settings, ownBelow, name))],
    ['preset', converted(preset, (name) => allowedPreset(settings, name))],
    ['models', tiers && { ...settings.models, ...Object.fromEntries(byDepth) }],
  ]);
  const notes: string[] = [];
  for (const [wish, limit] of limits) {
    const [asked, most] = [wishes[wish], settings.budget[limit]];
    if (asked === undefined) continue;
    if (most !== null && asked > most) notes.push(`${wish} ${asked} is above the user's limit; using ${most}`);
    granted.set(`budget.${limit}`, lower(asked, most));
  }
  const unchosen = [
    ...unchosenReferences(settings, own, model),
    ...unchosenReferences(settings, ownBelow, modelBelow),
    ...byDepth.flatMap(([, named]) => unchosenReferences(settings, providerFor(settings, named!), named)),
  ];
  const given = new Map([...granted].filter(([, value]) => value !== undefined));
  return { settings: given, unchosen: new Set(unchosen), notes };
}
