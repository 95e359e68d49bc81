/** A model by depth. An entry also applies to greater depths that have no entry of their own. */

type ByDepth = Readonly<Record<string, string>>;

/**
 * Which model gets which prompt, as references such as `ollama/llama3.2:3b`. Plain data, so that it can be recorded.
 */
export interface Routes {
  /** By the prompt's name, and by depth: `{"critic": ref, "answer": {"0": ref, "1": ref}, "1": ref}`. */
  readonly models: Readonly<Record<string, string | ByDepth>>;
  /** The model for all questions below the root. Null when none is set. */
  readonly recursive: string | null;
}

/** Returns the entry of the greatest depth up to this one, or null. */
function atDepth(entries: ByDepth, depth: number): string | null {
  const depths = Object.keys(entries).map(Number);
  const nearest = Math.max(...depths.filter((one) => one <= depth), -1);
  return entries[nearest] ?? null;
}

const isDepth = (key: string): boolean => /^\d$/.test(key);

/**
 * Returns the model that a prompt is sent to at a depth, or null for the run's own model. The most specific entry
 * wins: the prompt at that depth, the prompt, the depth, then the model for all questions below the root.
 */
export function routeOf({ models, recursive }: Routes, prompt: string, depth: number): string | null {
  const stage = models[prompt] ?? {};
  const byDepth = Object.entries(models).filter(
    (entry): entry is [string, string] => isDepth(entry[0]) && typeof entry[1] === 'string',
  );
  const ofStage = typeof stage === 'string' ? stage : atDepth(stage, depth);
  return ofStage ?? atDepth(Object.fromEntries(byDepth), depth) ?? (depth > 0 ? recursive : null);
}

/** Returns every reference in the routes once, in order. */
export function referencesIn({ models, recursive }: Routes): readonly string[] {
  const named = Object.values(models).flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value)));
  return [...new Set([...named, ...(recursive === null ? [] : [recursive])])];
}
