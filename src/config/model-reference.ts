/** A model as settings name it: `[provider/]model`. */
export interface ModelReference {
  /** Null where it is not named. */
  readonly provider: string | null;
  /** Null where only the provider is named: its own default. */
  readonly model: string | null;
}

/** A path of a GGUF file; with a colon it may be a name that Ollama knows, such as `hf.co/x/y:model.gguf`. */
const ggufPath = /^(?:[a-z]:[\\/])?[^:]*\.gguf$/i;

/**
 * Reads `anthropic/claude-haiku-4-5`, `llama3.2:3b` or `extractive`. What stands before the first slash is a provider
 * only where it is the name of one: names of Ollama's models may hold slashes themselves (`hf.co/x/y`). A path of a
 * GGUF file is a model of llama-cpp.
 */
export function readReference(text: string, providers: readonly string[]): ModelReference {
  if (providers.includes(text)) return { provider: text, model: null };
  const slash = text.indexOf('/');
  const provider = text.slice(0, Math.max(0, slash));
  if (providers.includes(provider) && slash < text.length - 1) return { provider, model: text.slice(slash + 1) };
  return { provider: ggufPath.test(text) ? 'llama-cpp' : null, model: text };
}
