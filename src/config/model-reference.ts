/** A model as settings name it: `[provider/]model`. */
import { nearest } from '../base/nearest.ts';

export interface ModelReference {
  /** Null when the reference names no provider. */
  readonly provider: string | null;
  /** Null when the reference names only the provider, whose default model is then used. */
  readonly model: string | null;
}

/**
 * Matches the path of a GGUF file. A text with a colon does not match (except after a drive letter), because it may be
 * a model name of Ollama, such as `hf.co/x/y:model.gguf`.
 */
const ggufPath = /^(?:[a-z]:[\\/])?[^:]*\.gguf$/i;

/**
 * Reads a reference such as `anthropic/claude-haiku-4-5`, `llama3.2:3b` or `extractive`. The part before the first
 * slash is a provider only when it is in `providers`, because names of Ollama's models may contain slashes
 * (`hf.co/x/y`). The path of a GGUF file is a model of llama-cpp.
 */
export function readReference(text: string, providers: readonly string[]): ModelReference {
  if (providers.includes(text)) return { provider: text, model: null };
  const slash = text.indexOf('/');
  const provider = text.slice(0, Math.max(0, slash));
  if (providers.includes(provider) && slash < text.length - 1) return { provider, model: text.slice(slash + 1) };
  return { provider: ggufPath.test(text) ? 'llama-cpp' : null, model: text };
}

/**
 * Returns the reference that was meant where a provider's name has one wrong letter, or a colon behind it; else null.
 * A name with a digit is not taken for a wrong one, because programs name further providers such as `openai2`.
 */
export function meantReference(text: string, providers: readonly string[]): string | null {
  const [, provider = '', sign, model] = /^([a-z.-]+)([/:])(.+)$/i.exec(text) ?? [];
  if (providers.includes(provider)) return sign === ':' ? `${provider}/${model}` : null;
  const near = sign === '/' ? nearest(provider, providers, 1) : null;
  return near && `${near}/${model}`;
}
