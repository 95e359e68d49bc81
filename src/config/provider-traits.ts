/** The traits of the answering providers, which are known before a provider's code is loaded. */

/** What sets a provider apart from the others. The rest of the program goes by these traits, not by its name. */
interface ProviderTraits {
  /** Whether a language model replies; else code does. */
  readonly asksModel: boolean;
  /** Whether text goes only where the user has set it up, so that an untrusted project file may choose it. */
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

/** Returns the traits of a provider; undefined for a program's own provider, or one that only checks claims. */
export const providerTraitsOf = (name: string): ProviderTraits | undefined =>
  Object.hasOwn(providerTraits, name) ? providerTraits[name as ProviderName] : undefined;

/** The providers that `auto` may take: the first that can serve. They cost nothing. */
export const autoProviders = ['ollama', 'extractive'] as const satisfies readonly ProviderName[];

/** The provider of a model that is named without one. */
export const [preferredProvider] = autoProviders;
