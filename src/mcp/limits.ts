/** Which of the user's settings a request may change: it may lower limits and choose among the user's models. */
import { autoProviders, preferredProvider, providerNames } from '../config/provider-traits.ts';
import type { Settings } from '../config/settings.ts';
import { ToolFailure } from './arguments.ts';

/** The settings that a client may request with a question. A field is undefined when the client does not set it. */
export interface Wishes {
  readonly strategy?: string | undefined;
  /** The name of a role. A path is refused. */
  readonly role?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly recursiveProvider?: string | undefined;
  readonly recursiveModel?: string | undefined;
  /** Models by depth. */
  readonly modelTiers?: Readonly<Record<string, string>> | undefined;
  readonly preset?: string | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxCalls?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** In USD. */
  readonly maxCost?: number | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
}

/** Provider names of the reference server, with ours. */
const otherNames: Readonly<Record<string, string>> = { 'claude-sdk': 'anthropic' };

/** Providers that cost nothing and send text only to a host that the user chose. */
const freeProviders: readonly string[] = autoProviders;

const providerOf = (reference: string): string => reference.split('/', 1)[0]!;

/** Returns every model reference in the user's settings. */
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
  return new Set([
    ...own,
    ...below,
    ...referencesOf(settings)
      .map(providerOf)
      .filter((name) => providerNames.includes(name)),
  ]);
}

/** Throws ToolFailure `provider_not_allowed`. */
function allowedProvider(settings: Settings, given: string): string {
  const name = otherNames[given] ?? given;
  const allowed = providersOf(settings);
  if (allowed.has(name)) return name;
  throw new ToolFailure(
    'provider_not_allowed',
    `The provider '${name.slice(0, 50)}' is not allowed by the user's settings. Allowed: ${[...allowed].join(', ')}. Omit it to use the default.`,
  );
}

/** Whether a name is a model that Ollama runs on its own machine, and not a file, an address or a cloud model. */
const isOllamaName = (model: string): boolean =>
  /^[\w.-]+(\/[\w.-]+)?(:[\w.-]+)?$/.test(model) && !/\.gguf$|[:-]cloud$/i.test(model);

/** Throws ToolFailure `model_not_allowed`. */
function allowedModel(settings: Settings, provider: string, model: string): string {
  const bare = model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
  const [first] = model.split('/', 1);
  const isElsewhere = model.includes('/') && providerNames.includes(first!) && first !== provider;
  const isNamed = referencesOf(settings).some(
    (reference) => reference === model || reference === `${provider}/${bare}`,
  );
  if (isNamed || (!isElsewhere && freeProviders.includes(provider) && isOllamaName(bare))) return model;
  throw new ToolFailure(
    'model_not_allowed',
    `The model '${model.slice(0, 100)}' is not allowed by the user's settings. Omit it to use the default.`,
  );
}

function checkedReference(settings: Settings, reference: string): string {
  const [first] = reference.split('/', 1);
  const names = providersOf(settings);
  const provider = reference.includes('/') && names.has(first!) ? first! : settings.provider;
  return allowedModel(settings, provider === 'auto' ? preferredProvider : provider, reference);
}

/** Throws ToolFailure `preset_not_allowed`, because a preset may choose models that cost money. */
function allowedPreset(settings: Settings, preset: string): string {
  if (preset === settings.preset || preset === 'fully-local') return preset;
  throw new ToolFailure(
    'preset_not_allowed',
    `The preset '${preset.slice(0, 50)}' is not the user's preset. fully-local is always allowed.`,
  );
}

/** Throws ToolFailure `role_not_allowed` for a path, because only the user chooses which files are read. */
function allowedRole(role: string): string {
  if (/^[\w-]{1,100}$/.test(role)) return role;
  throw new ToolFailure('role_not_allowed', `'${role.slice(0, 100)}' is not the name of a role.`);
}

/** The settings that a request is granted, by dotted key. */
export interface Granted {
  readonly settings: ReadonlyMap<string, unknown>;
  /** A message for each wish that was reduced to the user's limit. */
  readonly notes: readonly string[];
}

const limits = [
  ['maxDepth', 'max_depth', 'budget.maxDepth'],
  ['maxCalls', 'max_calls', 'budget.maxCalls'],
  ['maxTokens', 'max_tokens', 'budget.maxTokens'],
  ['maxCost', 'max_cost', 'budget.maxCost'],
  ['timeout', 'timeout_seconds', 'budget.timeout'],
] as const;

/**
 * Converts a request's wishes to settings. A limit can only become lower, and models must be allowed by the user.
 * @throws ToolFailure `provider_not_allowed`, `model_not_allowed`, `preset_not_allowed`, `role_not_allowed`.
 */
export function grant(settings: Settings, wishes: Wishes): Granted {
  const granted = new Map<string, unknown>();
  const notes: string[] = [];
  if (wishes.strategy !== undefined) granted.set('strategy', wishes.strategy);
  if (wishes.role !== undefined) granted.set('role', allowedRole(wishes.role));
  const provider = wishes.provider === undefined ? null : allowedProvider(settings, wishes.provider);
  if (provider !== null) granted.set('provider', provider);
  const below = wishes.recursiveProvider === undefined ? null : allowedProvider(settings, wishes.recursiveProvider);
  if (below !== null) granted.set('recursive.provider', below);
  const own = provider ?? (settings.provider === 'auto' ? preferredProvider : settings.provider);
  if (wishes.model !== undefined) granted.set('model', allowedModel(settings, own, wishes.model));
  if (wishes.recursiveModel !== undefined)
    granted.set('recursive.model', allowedModel(settings, below ?? own, wishes.recursiveModel));
  if (wishes.preset !== undefined) granted.set('preset', allowedPreset(settings, wishes.preset));
  if (wishes.modelTiers !== undefined) {
    const tiers = Object.entries(wishes.modelTiers);
    const byDepth = tiers.map(([depth, reference]) => [depth, checkedReference(settings, reference)]);
    granted.set('models', { ...settings.models, ...Object.fromEntries(byDepth) });
  }
  for (const [wish, shown, key] of limits) {
    const asked = wishes[wish];
    if (asked === undefined) continue;
    const most = settings.budget[wish];
    if (most !== null && asked > most) notes.push(`${shown} ${asked} is above the user's limit; using ${most}`);
    granted.set(key, most === null ? asked : Math.min(most, asked));
  }
  return { settings: granted, notes };
}
