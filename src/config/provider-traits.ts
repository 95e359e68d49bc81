/** The traits of the answering providers. They are here so that they are known before a provider's code is loaded. */

/** What sets a provider apart from the others. Code elsewhere tests these traits instead of the provider's name. */
interface ProviderTraits {
  /** Whether a language model replies. If not, code does. */
  readonly asksModel: boolean;
  /** Whether text goes only to this machine or a server that the user set up. If so, any project file may choose it. */
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

/** The providers that `auto` tries in this order, unless the model is a GGUF file. They cost nothing. */
export const autoProviders = ['ollama', 'extractive'] as const satisfies readonly ProviderName[];

/** The provider of a model whose reference names no provider and is not the path of a GGUF file. */
export const [preferredProvider] = autoProviders;
