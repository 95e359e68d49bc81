/** References to models in settings (`[provider/]model`), and the choice of a model for each prompt. */

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
 * (`hf.co/x/y`). The path of a GGUF file names a model of the provider llama-cpp.
 */
export function readReference(text: string, providers: readonly string[]): ModelReference {
  if (providers.includes(text)) return { provider: text, model: null };
  const slash = text.indexOf('/');
  const provider = text.slice(0, Math.max(0, slash));
  if (providers.includes(provider) && slash < text.length - 1) return { provider, model: text.slice(slash + 1) };
  return { provider: ggufPath.test(text) ? 'llama-cpp' : null, model: text };
}

/**
 * Returns the intended reference if the provider's name has one wrong letter, or if a colon follows the name in place
 * of the slash; else null. A name with a digit is not corrected, because a program may add a provider such as
 * `openai2`.
 */
export function meantReference(text: string, providers: readonly string[]): string | null {
  const [, provider = '', sign, model] = /^([a-z.-]+)([/:])(.+)$/i.exec(text) ?? [];
  if (providers.includes(provider)) return sign === ':' ? `${provider}/${model}` : null;
  const near = sign === '/' ? nearest(provider, providers, 1) : null;
  return near && `${near}/${model}`;
}

type ByDepth = Readonly<Record<string, string>>;

/** Maps prompts to references such as `ollama/llama3.2:3b`, as plain data that a run can record. */
export interface Routes {
  /** References by prompt, by depth or by both: `{"critic": ref, "answer": {"0": ref, "1": ref}, "1": ref}`. */
  readonly models: Readonly<Record<string, string | ByDepth>>;
  /** The model for all questions below the root. Null when none is set. */
  readonly recursive: string | null;
}

function atDepth(entries: ByDepth, depth: number): string | null {
  const depths = Object.keys(entries).map(Number);
  const deepest = Math.max(...depths.filter((one) => one <= depth), -1);
  return entries[deepest] ?? null;
}

export const isDepth = (key: string): boolean => /^\d$/.test(key);

/**
 * Returns the model that a prompt is sent to at a depth, or null for the run's own model. The most specific entry
 * wins: the prompt at that depth, the prompt, the depth, then the model for all questions below the root.
 */
export function routeOf({ models, recursive }: Routes, prompt: string, depth: number): string | null {
  const ofPrompt = models[prompt] ?? {};
  const byDepth = Object.entries(models).filter(
    (entry): entry is [string, string] => isDepth(entry[0]) && typeof entry[1] === 'string',
  );
  const own = typeof ofPrompt === 'string' ? ofPrompt : atDepth(ofPrompt, depth);
  return own ?? atDepth(Object.fromEntries(byDepth), depth) ?? (depth > 0 ? recursive : null);
}

export function referencesIn({ models, recursive }: Routes): readonly string[] {
  const named = Object.values(models).flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value)));
  return [...new Set([...named, ...(recursive === null ? [] : [recursive])])];
}
