/** The traits are here so that they are known before the code of a provider is loaded. */

interface ProviderTraits {
  /** Whether the provider asks a language model. */
  readonly asksModel: boolean;
  /** Whether text goes only to the user's machine or server. If so, an untrusted project file may set the provider. */
  readonly staysHome: boolean;
}

export const providerTraits = {
  ollama: { asksModel: true, staysHome: true },
  openai: { asksModel: true, staysHome: false },
  anthropic: { asksModel: true, staysHome: false },
  'llama-cpp': { asksModel: true, staysHome: true },
  extractive: { asksModel: false, staysHome: true },
} as const satisfies Readonly<Record<string, ProviderTraits>>;

export type ProviderName = keyof typeof providerTraits;

export const providerNames: readonly string[] = Object.keys(providerTraits);

/** Returns the traits of a provider; undefined for a provider that is not listed here. */
export const providerTraitsOf = (name: string): ProviderTraits | undefined =>
  Object.hasOwn(providerTraits, name) ? providerTraits[name as ProviderName] : undefined;

/** The providers that `auto` tries in this order if no model is named. */
export const autoProviders = ['ollama', 'extractive'] as const satisfies readonly ProviderName[];

/** The provider for a model reference that names no provider and is not the path of a GGUF file. */
export const [preferredProvider] = autoProviders;
