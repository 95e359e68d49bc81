/** A model for each depth: one that is named for a depth also holds for those below it that have none of their own. */
type ByDepth = Readonly<Record<string, string>>;

/**
 * Which model gets which prompt, in references such as `ollama/llama3.2:3b`. Plain data, so that it can be recorded.
 */
export interface Routes {
  /** By the prompt's name, and by depth: `{"critic": ref, "answer": {"0": ref, "1": ref}, "1": ref}`. */
  readonly models: Readonly<Record<string, string | ByDepth>>;
  /** For all below the root; null: none. */
  readonly recursive: string | null;
}

/** The entry of the greatest depth that is not below this one. */
function atDepth(entries: ByDepth, depth: number): string | null {
  const depths = Object.keys(entries).map(Number);
  const nearest = Math.max(...depths.filter((one) => one <= depth), -1);
  return entries[nearest] ?? null;
}

const isDepth = (key: string): boolean => /^\d$/.test(key);

/**
 * The reference that a prompt is sent to at a depth, or null where the run's own model gets it. The most specific wins:
 * the prompt at that depth, the prompt, the depth, then what is below the root.
 */
export function routeOf({ models, recursive }: Routes, prompt: string, depth: number): string | null {
  const stage = models[prompt] ?? {};
  const byDepth = Object.entries(models).filter(
    (entry): entry is [string, string] => isDepth(entry[0]) && typeof entry[1] === 'string',
  );
  const ofStage = typeof stage === 'string' ? stage : atDepth(stage, depth);
  return ofStage ?? atDepth(Object.fromEntries(byDepth), depth) ?? (depth > 0 ? recursive : null);
}

/** Every reference in the routes, each once, in their order. */
export function referencesIn({ models, recursive }: Routes): readonly string[] {
  const named = Object.values(models).flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value)));
  return [...new Set([...named, ...(recursive === null ? [] : [recursive])])];
}
